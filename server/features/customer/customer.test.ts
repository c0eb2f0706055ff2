import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { ALL_TIMELINE_KINDS } from '#domain/customer/timeline.ts'
import { closeBetTransfers, stakeTransfer, type Transfer } from '#domain/ledger/transfers.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { refusedWith, type WireData } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const DAY_MS = 86_400_000
const SECRET_NOTE = 'Khách nói đã đổi số, GHI CHÚ KÍN 4711'

describe.each(testEngines)('the page of a customer on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)
  const [admin, second] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })

  const get = (path: string, who: TestPlayer = admin) =>
    app.call('GET', `/api/v1/customers/${path}`, { token: bareToken(who) })
  const addNote = (text: string, who: TestPlayer = admin, noteId = newId(), userId = player.id) =>
    app.call('POST', `/api/v1/customers/${userId}/notes`, { token: bareToken(who), body: { noteId, text } })
  const link = (owner: TestPlayer, number: string) =>
    db.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, $3, 'A', 'VCB')`,
      [newId(), owner.id, number],
    )
  const actsOf = async (act: string) =>
    (
      await db.query<{ actor: string; target: string; after: unknown }>(
        `select actor, target, after from audit_log where act = $1 order by seq`,
        [act],
      )
    ).rows
  /** A settled bet at an instant, with its transfers. */
  const bet = async (owner: TestPlayer, atMs: number, profitMinor = 50n) => {
    const [id, round] = [newId(), await createRound(db)]
    await db.tx(async (tx) => {
      const prices = { entryPrice: 1, exitPrice: 2 }
      const made = { id, status: 'won', stakeMinor: 1000n, acceptedAtMs: atMs, profitMinor, ...prices } as const
      await insertBet(tx, owner.id, round.id, made)
      const transfers: Transfer[] = [
        stakeTransfer(id, owner.id, 1000n),
        ...closeBetTransfers(id, owner.id, 1000n, profitMinor),
      ]
      await postTransfers(tx, transfers, atMs)
    })
    return id
  }

  test('its head: the account, the three balances, devices and the last sight of them', async () => {
    await db.query(`update sessions set user_agent = 'Firefox/133', ip = '10.1.2.3' where user_id = $1`, [player.id])
    await db.query(
      `insert into sessions (id, user_id, secret_hash, expires_at, ended_at, end_reason)
       values ($1, $2, '', clock_timestamp() + interval '1 day', clock_timestamp(), 'logout')`,
      [newId(), player.id],
    )
    await db.tx((tx) => postTransfers(tx, [stakeTransfer(newId(), player.id, 30_00n)], Date.now()))
    const { status, body } = await get(player.id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      user: { _id: player.id, username: player.username, score: 970, deletedAt: null },
      staked: 30,
      reserved: 0,
      isOnline: false,
      lastSeen: expect.any(String),
      deviceCount: 1,
      devices: [{ userAgent: 'Firefox/133', ip: '10.1.2.3' }],
    })
    expect(await get(newId())).toMatchObject(refusedWith('NOT_FOUND'))
    expect((await get('not-an-id')).status).toBe(400)
  })

  test('a look is in the audit log once an hour for an admin and a customer, however many parts are read', async () => {
    const parts = ['', '/ledger', '/banks', '/limits', '/conversations', '/timeline', '/notes']
    const replies = await Promise.all(parts.map((part) => get(player.id + part)))
    expect(replies.map(({ status }) => status)).toEqual(parts.map(() => 200))
    await get(player.id, second)
    await get(other.id)
    await get(newId())
    const looks = [
      { actor: admin.id, target: `user:${player.id}` },
      { actor: second.id, target: `user:${player.id}` },
      { actor: admin.id, target: `user:${other.id}` },
    ]
    expect(await actsOf('user.view')).toMatchObject(looks)
    expect(await actsOf('user.view')).toHaveLength(3)
    // An hour later it is another look.
    await tamperWith(db, `update audit_log set at = at - interval '61 minutes' where act = 'user.view'`)
    await get(player.id)
    expect(await actsOf('user.view')).toHaveLength(4)
  })

  test('the ledger: by reason and by day, with the running balance, and without what opens an entry of the open book', async () => {
    const now = Date.now()
    for (const daysAgo of [5, 4, 3, 2]) await bet(player, now - daysAgo * DAY_MS, BigInt(daysAgo))
    const day = (daysAgo: number) => new Date(now - daysAgo * DAY_MS - 1_000).toISOString()
    const rowsOf = async (search: string) => {
      const { rows, body } = await get(`${player.id}/ledger?limit=100${search}`)
      expect(body.meta?.total).toBe(rows.length)
      return rows
    }
    const all = await rowsOf('')
    expect(all).toHaveLength(13)
    expect(all[0]).toMatchObject({ position: 13, balanceAfter: 1000.14 })
    let balance = 0
    for (const row of all.toReversed()) {
      balance = Math.round(balance * 100 + Number(row['walletDelta']) * 100) / 100
      expect(row['balanceAfter']).toBe(balance)
    }
    expect((await rowsOf('&reason=BET_PROFIT')).map(({ walletDelta }) => walletDelta)).toEqual([0.02, 0.03, 0.04, 0.05])
    // The welcome was posted now, before the bets of the days before it.
    const positions = async (search: string) => (await rowsOf(search)).map(({ position }) => position)
    await tamperWith(db, [
      `update ledger_transfers set created_at = $1 where reason = 'WELCOME'`,
      [new Date(now - 9 * DAY_MS)],
    ])
    expect(await positions(`&from=${day(4)}&to=${day(2)}`)).toEqual([10, 9, 8, 7, 6, 5])
    expect(await positions(`&from=${day(2)}`)).toEqual([13, 12, 11])
    expect(await positions(`&to=${day(5)}`)).toEqual([1])
    expect(await positions(`&from=${day(4)}&to=${day(2)}&reason=BET_STAKE`)).toEqual([8, 5])
    expect(await positions(`&from=${day(0)}`)).toEqual([])
    expect(await positions(`&to=${day(20)}`)).toEqual([])
    const pageOf = async (search: string) => {
      const { rows, body } = await get(`${player.id}/ledger?limit=4${search}`)
      return { total: body.meta?.total, hasMore: body.meta?.hasMore, positions: rows.map(({ position }) => position) }
    }
    expect(await pageOf('&page=3')).toEqual({ total: 13, hasMore: true, positions: [5, 4, 3, 2] })
    expect(await pageOf('&page=4')).toEqual({ total: 13, hasMore: false, positions: [1] })
    expect(await pageOf('&page=5')).toEqual({ total: 13, hasMore: false, positions: [] })
    expect(await pageOf(`&page=2&from=${day(4)}&to=${day(2)}`)).toEqual({ total: 6, hasMore: false, positions: [6, 5] })
    const returned = all.filter(({ reason }) => reason === 'BET_RETURN').map(({ position }) => position)
    expect(await pageOf('&reason=BET_RETURN')).toEqual({ total: 4, hasMore: false, positions: returned })
    expect((await pageOf('&reason=BET_RETURN&page=2')).positions).toEqual([])
    expect(all.every(({ noteSalt }) => noteSalt === null)).toBe(true)
  })

  test('banks with the other accounts that linked the same number, deleted ones marked', async () => {
    await link(player, '0011223344')
    // The embedded engine's clock counts milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await link(player, '9999888877')
    await link(other, '0011223344')
    await link(other, '0011223344')
    await link(second, '0011223344')
    await db.query(`update users set deleted_at = clock_timestamp() where id = $1`, [second.id])
    const { body } = await get(`${player.id}/banks`)
    const sharers = [
      { _id: other.id, username: other.username, isDeleted: false },
      { _id: second.id, username: second.username, isDeleted: true },
    ].toSorted((a, b) => a.username.localeCompare(b.username))
    expect(body.data).toMatchObject([
      { bankNumber: '0011223344', sharedCount: 2, sharedWith: sharers },
      { bankNumber: '9999888877', sharedCount: 0, sharedWith: [] },
    ])
  })

  test('conversations without a word of what was said', async () => {
    const conversation = newId()
    await db.query(`insert into conversations (id, player_id, holder_id, last_seq) values ($1, $2, $3, 1)`, [
      conversation,
      player.id,
      second.id,
    ])
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key)
       values ($1, 1, $2, $3, 'x', 'text', 'LOI KIN', 'loi kin')`,
      [conversation, newId(), player.id],
    )
    const { body } = await get(`${player.id}/conversations`)
    expect(body.data).toMatchObject([{ _id: conversation, holder: { username: second.username }, messages: 1 }])
    expect(JSON.stringify([body, (await get(`${player.id}/timeline`)).body])).not.toContain('LOI KIN')
  })

  /** One of everything that the time line tells of, several of them within the same microsecond. */
  const live = async () => {
    const at = new Date(Date.now() - 1_000)
    await bet(player, at.getTime())
    await bet(player, at.getTime())
    await link(player, '0123')
    const conversation = newId()
    await db.query(
      `insert into conversations (id, player_id, holder_id, last_seq, created_at) values ($1, $2, $3, 1, $4)`,
      [conversation, player.id, second.id, at],
    )
    const request = (status: 'pending' | 'approved' | 'rejected', isHidden = false) =>
      db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, status,
           decided_by, decided_at, rejection_reason, created_at, hidden_at)
         values ($1, $2, 'deposit', 100, $1, '0123', 'A', 'VCB', $3, $4, $5, $6, $7, $8)`,
        [
          newId(),
          player.id,
          status,
          status === 'pending' ? null : admin.id,
          status === 'pending' ? null : at,
          status === 'rejected' ? 'Sai số' : null,
          at,
          isHidden ? at : null,
        ],
      )
    await request('pending')
    await request('approved')
    await request('rejected')
    await request('rejected', true)
    await db.query(
      `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at, status, answer, answer_salt,
         answered_by, answered_at) values ($1, $2, $3, $4, 'gia sai', decode(repeat('01', 16), 'hex'), $5, 'rejected',
         'gia dung', decode(repeat('02', 16), 'hex'), $6, $5)`,
      [newId(), newId(), player.id, conversation, at, admin.id],
    )
    await db.query(`insert into player_limits (user_id, daily_stake) values ($1, 100)`, [player.id])
    await addNote(SECRET_NOTE)
    const { version } = ((await get(player.id)).body.data as { user: { version: string } }).user
    const edited = await app.call('POST', `/api/v1/user/${player.id}`, {
      token: bareToken(admin),
      body: { creditScore: 80, version },
      headers: { 'idempotency-key': newId() },
    })
    expect(edited.status).toBe(200)
  }
  const pagesOf = async (limit: number, search = '', who: TestPlayer = admin) => {
    const entries: WireData[] = []
    for (let pages = 0; pages < 50; pages++) {
      const before = entries.at(-1)?.['_id'] as string | undefined
      const path = `${player.id}/timeline?limit=${limit}${search}${before === undefined ? '' : `&before=${before}`}`
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
      const { status, body } = await get(path, who)
      expect(status).toBe(200)
      const page = body.data as { entries: WireData[]; hasMore: boolean }
      entries.push(...page.entries)
      if (!page.hasMore) return entries
    }
    throw new Error('The time line does not end.')
  }

  test('its head says what came of the account so far: approved requests, open disputes, the newest note', async () => {
    await live()
    const { status, body } = await get(player.id)
    expect(status).toBe(200)
    expect((body.data as WireData)['record']).toEqual({
      ...{ deposited: 1, withdrawn: 0, openDisputes: 0, balances: expect.any(Array) },
      newestNote: expect.objectContaining({ text: SECRET_NOTE, author: { _id: admin.id, username: admin.username } }),
    })
    await db.query(
      `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at)
       values ($1, $1, $2, $1, 'gia sai', decode(repeat('01', 16), 'hex'), clock_timestamp())`,
      [newId(), player.id],
    )
    expect((await get(player.id)).body.data).toMatchObject({ record: { openDisputes: 1 } })
    // Nobody reads what was noted about themselves.
    await addNote('về quản lý', second, newId(), admin.id)
    expect((await get(admin.id)).body.data).toMatchObject({ record: { newestNote: null } })
  })

  test('its head has the balance at the end of each of the last days, whatever was booked in them', async () => {
    const balances = async () =>
      ((await get(player.id)).body.data as { record: { balances: ReadonlyArray<number | null> } }).record.balances
    expect(await balances()).toEqual(Array.from({ length: 29 }, () => null))
    const before = (days: number) => `clock_timestamp() - interval '${days} days'`
    await tamperWith(
      db,
      `update ledger_transfers set created_at = ${before(5)} where wallet_account =
         (select id from ledger_accounts where owner_id = '${player.id}' and kind = 'wallet')`,
    )
    await bet(player, Date.now() - 3 * DAY_MS, 50n)
    await bet(player, Date.now() - 3 * DAY_MS, 70n)
    await bet(player, Date.now(), 900n)
    // Five days ago its end has the welcome, three days ago its end both bets; what happens today is the balance itself.
    expect(await balances()).toEqual([
      ...Array.from({ length: 24 }, () => null),
      1_000,
      1_000,
      1_001.2,
      1_001.2,
      1_001.2,
    ])
  })

  test('the time line has everything once, newest first, whatever the size of its pages', async () => {
    await live()
    const whole = await pagesOf(100)
    // 2 bets, 3 requests, 2 decisions, and one of each other kind: of the acts, the edit.
    expect(whole.map(({ type }) => type).toSorted()).toEqual(
      [...ALL_TIMELINE_KINDS, 'bet', 'request', 'request', 'decision'].toSorted(),
    )
    expect(new Set(whole.map(({ _id }) => _id)).size).toBe(whole.length)
    const times = whole.map(({ at }) => String(at))
    expect(times).toEqual(times.toSorted().toReversed())
    for (const limit of [1, 2, 3, 5]) expect(await pagesOf(limit)).toEqual(whole)
    const note = whole.find(({ type }) => type === 'note')
    expect(note).toMatchObject({ text: SECRET_NOTE, actor: admin.username })
    expect(whole.find(({ type }) => type === 'bet')).toMatchObject({
      amount: 10,
      profit: 0.5,
      status: 'won',
      word: 'up',
    })
    expect(whole.find(({ word }) => word === 'user.update')).toMatchObject({
      before: { creditScore: 100 },
      after: { creditScore: 80 },
    })
    const only = async (name: string) => new Set((await pagesOf(2, `&only=${name}`)).map(({ type }) => type))
    expect(await only('points')).toEqual(new Set(['request', 'decision', 'transfer', 'bank']))
    expect(await only('play')).toEqual(new Set(['bet', 'limits']))
    expect(await only('care')).toEqual(new Set(['conversation', 'dispute', 'answer']))
    expect(await only('staff')).toEqual(new Set(['act', 'note']))
    expect(await only('account')).toEqual(new Set(['account', 'session']))
    expect((await get(`${player.id}/timeline?before=1~bet:' or true`)).status).toBe(400)
  })

  test('stands with its history after the account was deleted', async () => {
    await live()
    await db.query(`update users set deleted_at = clock_timestamp() where id = $1`, [player.id])
    const { status, body } = await get(player.id)
    expect([status, (body.data as { user: WireData }).user['deletedAt']]).toEqual([200, expect.any(String)])
    expect(await pagesOf(100)).not.toHaveLength(0)
    expect((await get(`${player.id}/ledger`)).rows).not.toHaveLength(0)
    expect((await get(`${player.id}/notes`)).rows).toHaveLength(1)
    expect((await addNote('sau khi xoá')).status).toBe(200)
  })

  describe('notes', () => {
    test('are read by every admin, with author and time, newest first', async () => {
      await addNote('một')
      await addNote('  hai\r\nba ', second)
      const { rows, body } = await get(`${player.id}/notes`, second)
      expect(rows).toMatchObject([
        { text: 'hai\nba', author: { _id: second.id, username: second.username }, createdAt: expect.any(String) },
        { text: 'một', author: { username: admin.username } },
      ])
      expect(body.meta).toMatchObject({ total: 2, hasMore: false })
      expect((await get(`${other.id}/notes`)).rows).toEqual([])
      // That it was written, not what.
      expect(await actsOf('user.note')).toEqual([
        { actor: admin.id, target: `user:${player.id}`, after: null },
        { actor: second.id, target: `user:${player.id}`, after: null },
      ])
    })

    test('are neither changed nor deleted, not even in the database', async () => {
      await addNote('một')
      for (const change of [`update staff_notes set text = 'x'`, 'delete from staff_notes', 'truncate staff_notes'])
        await expect(db.query(change)).rejects.toThrow(/append-only/)
    })

    test('sent again are the same note; another text or author under its id is refused', async () => {
      const noteId = newId()
      const sent = await Promise.all([addNote('một', admin, noteId), addNote('một', admin, noteId)])
      expect(sent[0]?.body.data).toEqual(sent[1]?.body.data)
      expect((await get(`${player.id}/notes`)).rows).toHaveLength(1)
      expect(await actsOf('user.note')).toHaveLength(1)
      expect(await addNote('hai', admin, noteId)).toMatchObject(refusedWith('KEY_REUSED'))
      expect(await addNote('một', second, noteId)).toMatchObject(refusedWith('KEY_REUSED'))
      expect(await addNote('một', admin, noteId, other.id)).toMatchObject(refusedWith('KEY_REUSED'))
    })

    test('of nothing, of too much, about oneself and about nobody are refused', async () => {
      expect(await addNote('  \n ')).toMatchObject(refusedWith('NOTE_INVALID'))
      expect(await addNote('x'.repeat(2_001))).toMatchObject(refusedWith('NOTE_INVALID'))
      expect(await addNote('một', admin, newId(), admin.id)).toMatchObject(refusedWith('NOT_YOURSELF'))
      expect(await addNote('một', admin, newId(), newId())).toMatchObject(refusedWith('NOT_FOUND'))
      const { rows } = await db.query(`select 1 from staff_notes`)
      expect(rows).toEqual([])
    })

    test('are read, and not written, by an admin without a capability', async () => {
      await addNote('một')
      await db.query(`update users set capabilities = '{}' where id = $1`, [second.id])
      expect((await get(`${player.id}/notes`, second)).rows).toMatchObject([{ text: 'một' }])
      expect(await addNote('hai', second)).toMatchObject(refusedWith('CAPABILITY_MISSING'))
      await db.query(`update users set capabilities = '{care}' where id = $1`, [second.id])
      expect((await addNote('hai', second)).status).toBe(200)
    })

    test('about an admin are not read by that admin, on no part of their page', async () => {
      await addNote(SECRET_NOTE, admin, newId(), second.id)
      expect(await get(`${second.id}/notes`, second)).toMatchObject(refusedWith('NOT_YOURSELF'))
      expect(JSON.stringify((await get(`${second.id}/timeline`, second)).body)).not.toContain(SECRET_NOTE)
      expect(JSON.stringify((await get(`${second.id}/timeline`)).body)).toContain(SECRET_NOTE)
    })

    test('never reach the player, by no call that there is', async () => {
      await live()
      const { rows } = await db.query<{ id: string }>(`select id from staff_notes`)
      const noteId = rows[0]?.id ?? ''
      const read: string[] = []
      for (const { method, path } of Object.values(endpoints)) {
        // Ending the own session, or the account, would hide what the calls after it answer.
        if (/\/auth\/|\/user\/sessions$/.test(path) || path.endsWith('/data-export')) continue
        for (const id of [player.id, noteId]) {
          const url = path.replaceAll(/\{\w+\}/g, id)
          // oxlint-disable-next-line no-await-in-loop -- one call after the other, as a curious player makes them
          const { rawPayload, statusCode } = await app.http.inject({
            method,
            url,
            headers: { authorization: player.bearer, 'accept-encoding': 'identity', 'idempotency-key': newId() },
            ...(method === 'GET' || method === 'DELETE' ? {} : { payload: {} }),
          })
          const text = rawPayload.toString('utf8')
          if (text.includes('4711') || (id !== noteId && text.includes(noteId)))
            read.push(`${method} ${url}: ${statusCode}`)
          if (path.startsWith('/api/v1/customers') && statusCode !== 403) read.push(`${method} ${url}: ${statusCode}`)
        }
      }
      expect(read).toEqual([])
    })
  })
})
