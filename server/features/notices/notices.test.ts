import { describe, expect, test } from 'vitest'
import { closeBets, createBetPlacer, deleteRound } from '#server/features/game/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import { subjectOfPlayer } from '#testing/play/books.ts'
import { bareToken, type ChatClient } from '#testing/app/chat-client.ts'
import { createRound, encodeBet, fixedPrices, noHints, type TestPlayer, wish } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { forgetOldNotices } from './forget-notices.ts'
import { recordFactorChange, recordNewDevice } from './record-notices.ts'

describe.each(testEngines)('notices on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)
  const [admin] = usePeople(db, 1, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  const listen = useClients(app)

  const call = callsBelow(app, '')
  interface Answer {
    readonly notifications: readonly WireData[]
    readonly next: string | null
    readonly unread: number
    readonly completeTo: string
  }
  const list = async (who = player, query = ''): Promise<Answer> => {
    const { status, body } = await call(who, 'GET', `/user/notifications${query}`)
    expect(status).toBe(200)
    return body.data as Answer
  }
  const kinds = async (who = player) => (await list(who)).notifications.map(({ kind }) => kind)
  const read = async (upTo: string, who = player) => {
    const { status, body } = await call(who, 'POST', '/user/notifications/read', { upTo })
    expect(status).toBe(200)
    return (body.data as { unread: number }).unread
  }

  const rising = fixedPrices((second) => second)
  const place = async (who: TestPlayer, roundId: string, stake = 10, direction: 'up' | 'down' = 'up') => {
    const placer = createBetPlacer({ db, prices: rising, hints: noHints }, encodeBet)
    const answer = await placer(wish(who, roundId, stake, direction))
    if (!answer.ok) throw new Error(answer.refusal)
    return (JSON.parse(answer.json) as { _id: string })._id
  }
  /** Closes the open bets of a round whose price rises by one each second. */
  const settle = async (round: { id: string; type: '30s' | '60s' | '90s' | '120s'; opensAtMs: number }) => {
    const now = Math.ceil(Date.now() / 1000)
    const ticks = new Map(
      Array.from({ length: 20 }, (_, nth) => {
        const second = now - 10 + nth
        return [second, { second, price: second % 1_000_000, quoteAtMs: second * 1000 }] as const
      }),
    )
    await closeBets(
      { db, prices: rising, hints: noHints },
      {
        id: round.id,
        type: round.type,
        isDeleted: false,
        closesAtMs: (now + 5) * 1000,
        priceSource: 'simulated',
        staffDirection: null,
        ticks,
      },
    )
  }
  /** A bet from its acceptance to its settlement. */
  const play = async (who = player, direction: 'up' | 'down' = 'up', stake = 10) => {
    const round = await createRound(db)
    const betId = await place(who, round.id, stake, direction)
    await settle(round)
    return betId
  }
  const adjust = (who: TestPlayer, score: number, reason: string) =>
    call(admin, 'POST', `/user/${who.id}`, { score, reason })

  test('a settled bet is a notice by its own row, newest first, and nothing is written for it', async () => {
    expect(await list()).toMatchObject({ notifications: [], next: null, unread: 0 })
    const won = await play()
    const lost = await play(player, 'down')
    const { notifications, unread } = await list()
    expect(notifications).toMatchObject([
      { _id: `bet:${lost}`, kind: 'bet', isRead: false, request: null },
      { _id: `bet:${won}`, kind: 'bet', isRead: false },
    ])
    expect(notifications.map(({ bet }) => bet)).toMatchObject([
      { _id: lost, status: 'LOSE', profit: -0.7, value: 'DOWN', basis: 'PRICE', gameType: '60s' },
      { _id: won, status: 'WIN', profit: 0.7, value: 'UP', voidReason: null },
    ])
    expect(unread).toBe(2)
    expect((await list(other)).notifications).toEqual([])
    expect((await db.query('select 1 from notices')).rowCount).toBe(0)
  })

  test('an open bet is none; a voided one says its reason', async () => {
    const round = await createRound(db)
    await place(player, round.id)
    expect(await kinds()).toEqual([])
    await deleteRound({ db, prices: rising, hints: noHints }, subjectOfPlayer(admin, 'admin'), round.id)
    expect((await list()).notifications).toMatchObject([
      { kind: 'bet', bet: { status: 'VOID', voidReason: 'ROUND_DELETED', profit: 0 } },
    ])
  })

  test('a decided request says by whom and why; one that its owner cancelled is none', async () => {
    await call(player, 'POST', '/bank', { bankNumber: '0123456789', nameBank: 'TEN', nameOwner: 'Vietcombank' })
    const file = async (money: number) =>
      ((await call(player, 'POST', '/transaction', { type: 'DEPOSIT', money })).body.data as { _id: string })._id
    const [accepted, rejected, cancelled] = [await file(20), await file(30), await file(40)]
    expect(await kinds()).toEqual([])
    await call(admin, 'PATCH', `/transaction/${accepted}`, { status: 'ACCEPT' })
    await call(admin, 'PATCH', `/transaction/${rejected}`, { status: 'REJECT', description: 'Sai nội dung' })
    await app.call('DELETE', `/api/v1/transaction/${cancelled}`, { token: bareToken(player) })
    expect((await list()).notifications.map(({ request }) => request)).toMatchObject([
      { _id: rejected, status: 'REJECT', decidedBy: admin.username, rejectionReason: 'Sai nội dung', money: 30 },
      { _id: accepted, type: 'DEPOSIT', status: 'ACCEPT', decidedBy: admin.username, rejectionReason: null },
    ])
  })

  test('an adjustment says how much, why and by whom, and hints at once', async () => {
    const socket = await listen(player)
    await adjust(player, 900, 'Sửa nhầm lẫn')
    await socket.until('account_changed', 1)
    expect((await list()).notifications).toMatchObject([
      {
        kind: 'adjustment',
        adjustment: { walletDelta: -100, balanceAfter: 900, actor: admin.username, note: 'Sửa nhầm lẫn' },
      },
    ])
  })

  test('a result that staff announce is told to who holds a bet in the round, once, and hints', async () => {
    const round = await createRound(db)
    const betId = await place(player, round.id)
    const [mine, theirs] = [await listen(player), await listen(other)]
    const announce = () => call(admin, 'POST', `/game/${round.id}`, { result: 'UP' })
    expect((await announce()).status).toBe(200)
    expect((await announce()).status).toBe(409)
    await mine.until('notices_changed', 1)
    expect((await list()).notifications).toMatchObject([
      { kind: 'round', isRead: false, round: { betId, gameType: '60s', basis: 'PRICE' } },
    ])
    expect(await kinds(other)).toEqual([])
    expect(theirs.told('notices_changed')).toEqual([])
  })

  test('a limit is told when it is used up, once a day, by a stake and by a loss', async () => {
    const limits = { dailyStake: 20, dailyLoss: null, reminderMinutes: null, timeoutUntil: null }
    await call(player, 'PUT', '/user/limits', limits)
    await play()
    expect(await kinds()).toEqual(['bet'])
    const round = await createRound(db)
    await place(player, round.id)
    expect((await list()).notifications[0]).toMatchObject({ kind: 'limit', limit: 'stake' })
    // A voided stake frees the limit, and the next bet uses it up again.
    await deleteRound({ db, prices: rising, hints: noHints }, subjectOfPlayer(admin, 'admin'), round.id)
    await play()
    expect((await kinds()).filter((kind) => kind === 'limit')).toHaveLength(1)

    await call(other, 'PUT', '/user/limits', { ...limits, dailyStake: null, dailyLoss: 0.72 })
    await play(other, 'up')
    await play(other, 'down')
    expect(await kinds(other)).toEqual(['bet', 'bet'])
    await play(other, 'down', 10)
    expect((await list(other)).notifications.find(({ kind }) => kind === 'limit')).toMatchObject({ limit: 'loss' })
  })

  test('care is one notice for a conversation, until its replies are read', async () => {
    const [mine, theirs] = [await listen(player), await listen(admin)]
    const { body } = await call(player, 'POST', '/chat/conversations', { participantId: admin.id })
    const conversationId = (body.data as { _id: string })._id
    const write = (from: ChatClient, content: string) =>
      from.ask('send_message', { conversationId, content, type: 'text', tempId: newId() })
    await write(mine, 'Xin chào')
    expect(await kinds()).toEqual([])
    // Staff see what a player wrote in the same way.
    expect((await list(admin)).notifications).toMatchObject([{ care: { sender: player.username, unreadCount: 1 } }])
    await write(theirs, 'Chào bạn')
    await write(theirs, 'Bạn cần gì?')
    const unread = await list()
    expect(unread.notifications).toMatchObject([
      { kind: 'care', isRead: false, care: { conversationId, sender: admin.username, unreadCount: 2 } },
    ])
    // Marked as read in the list it stays until it is read in the conversation; a further reply is unread again.
    expect(await read(unread.completeTo)).toBe(0)
    expect((await list()).notifications).toMatchObject([{ isRead: true }])
    await write(theirs, 'Bạn còn đó không?')
    expect(await list()).toMatchObject({ unread: 1, notifications: [{ isRead: false, care: { unreadCount: 3 } }] })
    // Who held the conversation and answers nobody any more is told nothing of it: they could not read it.
    await write(mine, 'Cảm ơn')
    expect((await list(admin)).notifications).toMatchObject([{ care: { sender: player.username } }])
    for (const now of ["capabilities = '{money}'", "role = 'player', capabilities = '{}'"]) {
      await db.query(`update users set ${now} where id = $1`, [admin.id])
      expect(await list(admin)).toMatchObject({ unread: 0, notifications: [] })
    }
    await mine.ask('join_room', { conversationId })
    expect(await mine.ask('mark_as_read', { conversationId })).toMatchObject({ ok: true })
    expect(await list()).toMatchObject({ unread: 0, notifications: [] })
  })

  test('one mark is shared by all devices, and only moves forward', async () => {
    const [phone, laptop] = [await listen(player), await listen(player)]
    await play()
    const first = await list()
    await play()
    expect((await list()).unread).toBe(2)
    expect(await read(first.completeTo)).toBe(1)
    await Promise.all([phone.until('notices_changed', 1), laptop.until('notices_changed', 1)])
    const second = await list()
    expect(second.notifications.map(({ isRead }) => isRead)).toEqual([false, true])
    expect(await read(second.completeTo)).toBe(0)
    expect(await read(first.completeTo)).toBe(0)
    expect((await list()).notifications.map(({ isRead }) => isRead)).toEqual([true, true])
    // The second device read an older list: nothing moved, and nobody is hinted.
    await phone.until('notices_changed', 2)
    expect(phone.told('notices_changed')).toHaveLength(2)
    // A mark in the future would hide what is to come.
    expect(await read('2099-01-01T00:00:00.000Z')).toBe(0)
    await play()
    expect((await list()).unread).toBe(1)
  })

  test('pages follow each other without gaps over all kinds, also of one kind', async () => {
    const made: string[] = []
    for (let nth = 0; nth < 3; nth++) {
      made.unshift(`bet:${await play()}`)
      await adjust(player, 500 + nth, 'x')
    }
    const all = (await list()).notifications.map(({ _id }) => _id)
    expect(all).toHaveLength(6)
    const paged: unknown[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: Answer = await list(player, `?limit=2${after === '' ? '' : `&after=${after}`}`)
      paged.push(...page.notifications.map(({ _id }) => _id))
      after = page.next
    }
    expect(paged).toEqual(all)
    expect((await list(player, '?kind=bet')).notifications.map(({ _id }) => _id)).toEqual(made)
    for (const bad of ['?kind=news', '?after=1', '?limit=0', '?limit=101'])
      expect(await call(player, 'GET', `/user/notifications${bad}`)).toMatchObject(refusedWith('BAD_REQUEST'))
  })

  test('every notice is of a whole millisecond, as the marks and the places of pages are', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, nth) => {
        await recordNewDevice(db, player.id, newId())
        await recordFactorChange(db, player.id, 'added', `Khoá ${nth}`)
      }),
    )
    const { rows } = await db.query(
      `select count(*)::int as n from notices where created_at = date_trunc('milliseconds', created_at)`,
    )
    expect(rows).toEqual([{ n: 40 }])
  })

  test('more than a hundred unread are counted up to a hundred', async () => {
    const round = await createRound(db)
    await db.query(
      `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status, profit, settled_at,
           salt)
       select gen_random_uuid(), $1, $2, 'up', 100, 'PRICE', 'PRICE', at, 1, 'won', 5, at, decode(md5('salt'), 'hex')
         from generate_series(clock_timestamp() - interval '1 day', clock_timestamp(), interval '10 minutes') at`,
      [player.id, round.id],
    )
    // What was before there were notices is unread to nobody.
    await db.query(`update notice_start set at = clock_timestamp()`)
    expect((await list()).unread).toBe(0)
    await db.query(`update notice_start set at = at - interval '2 days'`)
    expect((await list()).unread).toBe(100)
  })

  test('after 90 days nothing is shown, and what was written is deleted', async () => {
    const [round, old] = [await createRound(db), new Date(Date.now() - 91 * 86_400_000)]
    await insertBet(db, player.id, round.id, { status: 'won', profitMinor: 5n, acceptedAtMs: old.getTime() })
    await db.query(`insert into notices (id, user_id, kind, ref, created_at) values ($1, $2, 'round', $3, $4)`, [
      newId(),
      player.id,
      round.id,
      old,
    ])
    expect(await list()).toMatchObject({ notifications: [], unread: 0 })
    expect(await forgetOldNotices(db)).toBe(1)
    expect(await forgetOldNotices(db)).toBe(0)
  })
})
