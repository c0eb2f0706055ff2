import { hash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { DISPUTES_PER_DAY } from '#domain/disputes/dispute.ts'
import { points } from '#domain/money.ts'
import { auditLedger, verifyLedger } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { callsBelow, refusedWith } from '#testing/app/app.ts'
import { balancesOf, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const complaint = 'Giá ra không giống biểu đồ'

interface WireEntry {
  readonly salt: string
  readonly c: string
  readonly index: number | null
}

interface WireDispute {
  readonly _id: string
  readonly status: string
  readonly text: string
  readonly openedAt: string
  readonly conversationId: string
  readonly bet: Record<string, unknown>
  readonly entry: WireEntry
  readonly answer: null | {
    readonly text: string
    readonly correction: number | null
    readonly by: { readonly username: string }
    readonly entry: WireEntry
  }
}

describe.each(testEngines)('disputes on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)
  const [admin, second] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })
  beforeEach(async () => {
    // The first start's admin is no member of this world.
    await db.query(`update users set is_frozen = true where role = 'admin' and id <> all($1::uuid[])`, [
      [admin.id, second.id],
    ])
  })

  const call = callsBelow(app, '')

  /** A lost bet, settled some days ago. Its round is in the open book unless said otherwise. */
  async function lostBet({
    owner = player,
    daysAgo = 0,
    book = 'open',
    index = 7,
    generation = 1,
  }: { owner?: TestPlayer; daysAgo?: number; book?: string; index?: number | null; generation?: number } = {}) {
    const round = await createRound(db, { goneS: 60, leftS: -1 })
    await db.query(`update rounds set book = $2 where id = $1`, [round.id, book])
    const id = await insertBet(db, owner.id, round.id, {
      ...{ status: 'lost', stakeMinor: 1000n, profitMinor: -70n, settledAtMs: Date.now() - daysAgo * 86_400_000 },
      ...{ entrySecond: 2, entryPrice: 4_000_000, exitPrice: 3_999_000 },
    })
    for (let log = 1; log <= generation; log++)
      await db.query(
        `insert into book_logs (generation, origin, vkey, why) values ($1, $2, 'v', $3) on conflict do nothing`,
        [log, `kim/${log}`, log === 1 ? null : 'RESTORED'],
      )
    await db.query(`insert into book_tips (generation) values ($1) on conflict do nothing`, [generation])
    if (index !== null)
      await db.query(
        `insert into book_places (round_id, generation, index, kind, bet_id, sealed_at_ms) values ($1, 1, $2, 'bet', $3, 1)`,
        [round.id, index, id],
      )
    return { id, round: round.id }
  }

  const open = async (who: TestPlayer, betId: string, text = complaint) => {
    const { status, body, headers } = await call(who, 'POST', `/history/${betId}/dispute`, { text })
    return { status, code: body.code, body, headers, dispute: body.data as WireDispute }
  }
  const answer = (who: TestPlayer, disputeId: string, body: object) =>
    call(who, 'POST', `/disputes/${disputeId}/answer`, body)
  const uphold = { status: 'UPHELD', text: 'Đúng, giá ra ghi sai 5% (C:\\gia). Xin lỗi bạn', correction: 1.4 }
  const reject = { status: 'REJECTED', text: 'Giá ra đúng với nguồn giá' }

  const queued = async () =>
    (
      await db.query<{ kind: string; at_ms: bigint; fields: string }>(
        `select kind, at_ms, fields from book_queue where kind in ('dispute', 'act') order by seq`,
      )
    ).rows.map(({ kind, at_ms: at, fields }) => ({
      kind,
      at: Number(at),
      ...(JSON.parse(`{${fields.slice(1)}`) as object),
    }))
  const messagesOf = async (who: TestPlayer, conversationId: string) =>
    (await call(who, 'GET', `/chat/conversations/${conversationId}/messages`)).rows.toReversed()
  const acts = async () =>
    (
      await db.query<{ act: string; actor: string; reason: string }>(
        `select act, actor, reason from audit_log where act like 'dispute.%' order by seq`,
      )
    ).rows

  test('a player disputes a settled bet: the case stands in customer care, the audit log and the open book', async () => {
    const bet = await lostBet()
    expect((await call(player, 'GET', `/history/${bet.id}/dispute`)).body.data).toBeNull()
    const { status, dispute } = await open(player, bet.id, `  ${complaint}\n`)
    expect([status, dispute.status, dispute.text, dispute.answer]).toEqual([200, 'OPEN', complaint, null])
    expect(dispute.bet).toMatchObject({
      _id: bet.id,
      value: 'UP',
      score: 10,
      status: 'LOSE',
      profit: -0.7,
      entryPrice: 4000,
      exitPrice: 3999,
      sealIndex: 7,
    })
    const c = hash(
      'sha256',
      Buffer.concat([Buffer.from(dispute.entry.salt, 'base64'), Buffer.from(complaint)]),
      'base64',
    )
    expect(dispute.entry).toEqual({ salt: dispute.entry.salt, c, index: null, isWaiting: true })
    expect(Buffer.from(dispute.entry.salt, 'base64')).toHaveLength(16)
    const entries = await queued()
    expect(entries).toEqual([{ kind: 'dispute', at: entries[0]?.at, bet: 7, state: 'opened', c }])

    const [message] = await messagesOf(player, dispute.conversationId)
    expect(message).toMatchObject({
      type: 'text',
      content: complaint,
      disputeId: dispute._id,
      senderId: { _id: player.id },
    })
    expect(await acts()).toEqual([{ act: 'dispute.open', actor: player.id, reason: complaint }])
    expect((await call(player, 'GET', `/history/${bet.id}/dispute`)).body.data).toEqual(dispute)
    expect((await call(admin, 'GET', `/disputes/${dispute._id}`)).body.data).toEqual(dispute)
  })

  test('the entry is found by its line once it is sealed', async () => {
    const bet = await lostBet()
    const { dispute } = await open(player, bet.id)
    const [entry] = await queued()
    const line = `{"k":"dispute","v":1,"at":${entry?.at},"bet":7,"state":"opened","c":"${dispute.entry.c}"}`
    await db.query(
      `insert into book_notable (generation, index, kind, at_ms, line) values (1, 40, 'dispute', $1, $2), (1, 41, 'dispute', $1, '{"k":"dispute","bet":8}')`,
      [BigInt(entry?.at ?? 0), line],
    )
    const read = (await call(player, 'GET', `/disputes/${dispute._id}`)).body.data as WireDispute
    expect(read.entry.index).toBe(40)
  })

  test('the case goes to the latest conversation whose admin still answers, else to the queue', async () => {
    const openWith = async (who: TestPlayer) =>
      (await call(player, 'POST', '/chat/conversations', { participantId: who.id })).body.data as { _id: string }
    const first = await openWith(admin)
    await openWith(second)
    await db.query(`update users set is_frozen = true where id = $1`, [second.id])
    const bet = await lostBet()
    expect((await open(player, bet.id)).dispute.conversationId).toBe(first._id)
    await db.query(`update users set is_frozen = true where id = $1`, [admin.id])
    const next = await lostBet({ index: 8 })
    const { conversationId } = (await open(player, next.id)).dispute
    const { rows } = await db.query(`select holder_id from conversations where id = $1`, [conversationId])
    expect(rows).toEqual([{ holder_id: null }])
  })

  test('upheld: the balance follows by one adjustment, and everybody reads the answer', async () => {
    const bet = await lostBet()
    const { dispute } = await open(player, bet.id)
    const answered = await answer(second, dispute._id, uphold)
    expect(answered.status).toBe(200)
    const read = answered.body.data as WireDispute
    expect([read.status, read.answer?.text, read.answer?.correction, read.answer?.by.username]).toEqual([
      'UPHELD',
      uphold.text,
      1.4,
      second.username,
    ])
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000) + 140n)
    const [newest] = (await call(player, 'GET', '/user/ledger')).rows
    expect(newest).toMatchObject({ reason: 'ADJUSTMENT', walletDelta: 1.4, actor: second.username })
    expect(newest?.['note']).toMatch(/^Khiếu nại phiên 60s #\d+: Đúng, giá ra ghi sai 5% \(C:\\gia\). Xin lỗi bạn$/)
    // What staff write is no pattern. The bets of this test have no acts behind them.
    const { findings } = await auditLedger(db)
    expect(findings.filter((finding) => JSON.stringify(finding).includes('adjust:dispute'))).toEqual([])

    const disputes = (await queued()).filter(({ kind }) => kind === 'dispute')
    expect(disputes).toMatchObject([
      { bet: 7, state: 'opened', c: dispute.entry.c },
      { bet: 7, state: 'upheld', c: read.answer?.entry.c },
    ])
    // The correction is an act, too, and names the bet.
    expect((await queued()).filter(({ kind }) => kind === 'act')).toMatchObject([
      { act: 'balance.adjust', bet: 7, amount: 140, round: null },
    ])
    // The answer is told where the case stands, by whoever answered, holder or not.
    const messages = await messagesOf(player, dispute.conversationId)
    expect(messages.map(({ content, disputeId }) => [content, disputeId])).toEqual([
      [complaint, dispute._id],
      [uphold.text, dispute._id],
    ])
    expect(messages[1]?.['senderId']).toMatchObject({ _id: second.id })
    expect((await acts()).map(({ act, actor }) => [act, actor])).toEqual([
      ['dispute.open', player.id],
      ['dispute.uphold', second.id],
    ])
    expect((await call(player, 'GET', `/history/${bet.id}/dispute`)).body.data).toEqual(read)
  })

  test('the owner is told once: by the dispute, not by its correction or its message, too', async () => {
    const told = async (who: TestPlayer) => {
      const { notifications } = (await call(who, 'GET', '/user/notifications')).body.data as {
        notifications: Array<{ kind: string; dispute: unknown }>
      }
      return notifications.filter(({ kind }) => kind !== 'bet')
    }
    await call(player, 'POST', '/chat/conversations', { participantId: admin.id })
    const bet = await lostBet()
    const { dispute } = await open(player, bet.id)
    expect(await told(player)).toEqual([])
    await answer(admin, dispute._id, uphold)
    expect(await told(player)).toMatchObject([
      {
        kind: 'dispute',
        isRead: false,
        dispute: { betId: bet.id, gameType: '60s', status: 'UPHELD', answer: uphold.text, correction: 1.4 },
      },
    ])
    const next = await open(player, (await lostBet({ index: 8 })).id)
    await answer(second, next.dispute._id, reject)
    expect((await told(player)).map(({ dispute: of }) => of)).toMatchObject([
      { status: 'REJECTED', answer: reject.text, correction: null },
      { status: 'UPHELD' },
    ])
    // Whoever holds the conversation learns of the case as of any message.
    const holders = [...(await told(admin)), ...(await told(second))]
    expect(holders.map(({ kind }) => kind)).toEqual(['care'])
  })

  test('rejected: no points move, also while the books are in doubt, when nothing is upheld', async () => {
    const { dispute } = await open(player, (await lostBet()).id)
    app.ledger.isOk = false
    try {
      expect(await answer(admin, dispute._id, uphold)).toMatchObject(refusedWith('LEDGER_CHECK_FAILED'))
      const read = (await answer(admin, dispute._id, reject)).body.data as WireDispute
      expect([read.status, read.answer?.correction]).toEqual(['REJECTED', null])
    } finally {
      app.ledger.isOk = true
    }
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    expect((await queued()).map((entry) => (entry as { state?: string }).state)).toEqual(['opened', 'rejected'])
  })

  test('two admins at once: one answers, and the other learns who did', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { dispute } = await open(player, (await lostBet({ index: turn })).id)
      const before = (await balancesOf(db, player.id)).wallet
      const answers = await Promise.all([answer(admin, dispute._id, uphold), answer(second, dispute._id, uphold)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const winner = answers[0]?.status === 200 ? admin : second
      const loser = answers.find(({ status }) => status === 409)
      expect([loser?.body.code, loser?.body.details]).toEqual([
        'ALREADY_DECIDED',
        expect.objectContaining({ decidedBy: winner.username, status: 'UPHELD' }),
      ])
      expect((await balancesOf(db, player.id)).wallet).toBe(before + 140n)
    }
    expect((await queued()).filter(({ kind }) => kind === 'dispute')).toHaveLength(10)
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('a bet is disputed once, however many ask at a time; the same sentence again gets the same case', async () => {
    const bet = await lostBet()
    const same = await Promise.all(Array.from({ length: 6 }, () => open(player, bet.id)))
    expect(new Set(same.map(({ dispute }) => dispute._id)).size).toBe(1)
    expect((await open(player, bet.id, 'Khác')).body).toEqual(refusedWith('DISPUTE_EXISTS').body)
    expect(await queued()).toHaveLength(1)
    const { conversationId, _id } = same[0]?.dispute ?? { conversationId: '', _id: '' }
    expect(await messagesOf(player, conversationId)).toHaveLength(1)
    await answer(admin, _id, reject)
    // After the answer, too.
    expect((await open(player, bet.id, 'Khác')).code).toBe('DISPUTE_EXISTS')
  })

  test('what may not be disputed is refused with its reason, and nothing is written', async () => {
    const round = await createRound(db)
    const running = await insertBet(db, player.id, round.id, { status: 'open', stakeMinor: 1000n })
    expect((await open(player, running)).body).toEqual(refusedWith('BET_NOT_SETTLED').body)
    const bet = await lostBet({ index: 8 })
    expect((await open(other, bet.id)).status).toBe(404)
    expect((await open(player, newId())).status).toBe(404)
    expect((await open(player, bet.id, '  ')).body).toEqual(refusedWith('REASON_REQUIRED').body)
    expect((await open(player, bet.id, 'a'.repeat(301))).code).toBe('REASON_REQUIRED')
    expect((await open(player, (await lostBet({ daysAgo: 31, index: 9 })).id)).body).toEqual(
      refusedWith('DISPUTE_TOO_LATE').body,
    )
    expect((await open(player, (await lostBet({ daysAgo: 29.9, index: 10 })).id)).status).toBe(200)
    expect((await open(player, (await lostBet({ index: null })).id)).body).toEqual(refusedWith('NOT_SEALED_YET').body)
    expect(await queued()).toHaveLength(1)
    expect((await db.query('select 1 from disputes')).rowCount).toBe(1)
  })

  test('staff dispute nothing, frozen players wait, and nobody answers their own case', async () => {
    const bet = await lostBet()
    await db.query(`update users set is_frozen = true where id = $1`, [player.id])
    expect((await open(player, bet.id)).code).toBe('ACCOUNT_PAUSED')
    expect((await call(player, 'GET', `/history/${bet.id}/dispute`)).status).toBe(200)
    await db.query(`update users set is_frozen = false where id = $1`, [player.id])
    const { dispute } = await open(player, bet.id)
    const next = await lostBet({ index: 8 })
    await db.query(`update users set role = 'admin', capabilities = '{money,care,rounds,users,owner}' where id = $1`, [
      player.id,
    ])
    expect((await open(player, next.id)).body).toEqual(refusedWith('STAFF_CANNOT_PLAY').body)
    expect(await answer(player, dispute._id, uphold)).toMatchObject(refusedWith('NOT_YOURSELF'))
    expect((await answer(other, dispute._id, uphold)).status).toBe(403)
    // Staff answer what a frozen or deleted account left open.
    await db.query(`update users set role = 'player', is_frozen = true, deleted_at = clock_timestamp() where id = $1`, [
      player.id,
    ])
    expect((await answer(admin, dispute._id, uphold)).status).toBe(200)
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000) + 140n)
  })

  test('ten disputes a day', async () => {
    for (let at = 0; at < DISPUTES_PER_DAY; at++)
      expect((await open(player, (await lostBet({ index: at })).id)).status).toBe(200)
    const bet = await lostBet({ index: 50 })
    const refused = await open(player, bet.id)
    expect(refused).toMatchObject(refusedWith('TOO_MANY_DISPUTES'))
    expect(refused.body.message).toMatch(/ gửi tiếp sau \d\d:\d\d ngày \d\d\/\d\d$/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
    await db.query(`update disputes set opened_at = opened_at - interval '24 hours'`)
    expect((await open(player, bet.id)).status).toBe(200)
  })

  test.each([
    [{ ...uphold, text: ' ' }, 422, 'REASON_REQUIRED'],
    [{ ...uphold, correction: null }, 422, 'AMOUNT_REQUIRED'],
    [{ ...uphold, correction: 0 }, 422, 'AMOUNT_REQUIRED'],
    [{ ...uphold, correction: -1 }, 422, 'AMOUNT_REQUIRED'],
    [{ ...uphold, correction: 10.01 }, 422, 'AMOUNT_LIMIT'],
    [{ ...reject, correction: 1 }, 422, 'AMOUNT_LIMIT'],
    [{ ...uphold, correction: 1.001 }, 400, 'BAD_REQUEST'],
    [{ ...uphold, status: 'OPEN' }, 400, 'BAD_REQUEST'],
    [{ ...uphold, more: 1 }, 400, 'BAD_REQUEST'],
  ])('the answer %j is refused and changes nothing', async (body, status, code) => {
    const { dispute } = await open(player, (await lostBet()).id)
    const refused = await answer(admin, dispute._id, body)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(((await call(player, 'GET', `/disputes/${dispute._id}`)).body.data as WireDispute).status).toBe('OPEN')
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    expect(await queued()).toHaveLength(1)
  })

  test('a bet from before the log, or of a log that was ended, is disputed without an entry', async () => {
    const older = await open(player, (await lostBet({ book: 'out', index: null })).id)
    expect([older.status, older.dispute.bet['sealIndex'], older.dispute.entry.index]).toEqual([200, null, null])
    const ended = await open(player, (await lostBet({ index: 3, generation: 2 })).id)
    expect([ended.status, ended.dispute.bet['sealIndex']]).toEqual([200, null])
    expect((await answer(admin, ended.dispute._id, reject)).status).toBe(200)
    expect(await queued()).toEqual([])
  })

  test('a case that was opened in a log that has ended is answered without an entry in the next one', async () => {
    const { dispute } = await open(player, (await lostBet()).id)
    await db.query(`insert into book_logs (generation, origin, vkey, why) values (2, 'kim/2', 'v', 'RESTORED')`)
    await db.query(`insert into book_tips (generation) values (2)`)
    expect((await answer(admin, dispute._id, reject)).status).toBe(200)
    expect((await queued()).map((entry) => (entry as { state?: string }).state)).toEqual(['opened'])
    const read = (await call(player, 'GET', `/disputes/${dispute._id}`)).body.data as WireDispute
    const none = { index: null, isWaiting: false }
    expect([read.entry, read.answer?.entry]).toMatchObject([none, none])
  })

  test('staff list every case, oldest first, by state, by name and by when it was opened', async () => {
    const mine = await open(player, (await lostBet({ index: 1 })).id)
    const theirs = await open(other, (await lostBet({ owner: other, index: 2 })).id)
    const ids = async (query = '') => (await call(admin, 'GET', `/disputes${query}`)).rows.map(({ _id }) => _id)
    expect(await ids()).toEqual([mine.dispute._id, theirs.dispute._id])
    expect(await ids('?sort=-openedAt&limit=1')).toEqual([theirs.dispute._id])
    expect(await ids(`?username=${other.username}`)).toEqual([theirs.dispute._id])
    await answer(admin, mine.dispute._id, reject)
    expect(await ids('?status=OPEN')).toEqual([theirs.dispute._id])
    expect(await ids('?status=REJECTED')).toEqual([mine.dispute._id])
    expect((await call(admin, 'GET', '/disputes')).body.meta?.total).toBe(2)
    const all = (await call(admin, 'GET', '/disputes')).rows as unknown as WireDispute[]
    const { openedAt } = all[1]!
    for (const [query, isIn] of [
      ['from', (row: WireDispute) => row.openedAt >= openedAt],
      ['to', (row: WireDispute) => row.openedAt < openedAt],
    ] as const) {
      const found = await call(admin, 'GET', `/disputes?${query}=${encodeURIComponent(openedAt)}`)
      const expected = all.filter(isIn).map(({ _id }) => _id)
      expect([found.rows.map(({ _id }) => _id), found.body.meta?.total]).toEqual([expected, expected.length])
    }
    expect((await call(admin, 'GET', '/disputes?sort=text')).status).toBe(400)
    // The salt of the bet itself is its owner's alone.
    expect(JSON.stringify((await call(admin, 'GET', '/disputes')).rows[0]?.['bet'])).not.toContain('salt')
  })

  test('an act that fails leaves nothing behind', async () => {
    const bet = await lostBet()
    await db.query(`alter table book_queue add constraint no_disputes check (kind <> 'dispute')`)
    try {
      expect((await open(player, bet.id)).status).toBe(500)
      expect((await db.query(`select 1 from disputes union all select 1 from messages`)).rowCount).toBe(0)
      expect(await acts()).toEqual([])
    } finally {
      await db.query(`alter table book_queue drop constraint no_disputes`)
    }
    expect((await open(player, bet.id)).status).toBe(200)
  })
})
