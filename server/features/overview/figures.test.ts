import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OverviewFigures } from '#contract/overview-figures.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import { midnightBeforeMs } from '#domain/day.ts'
import { RATE_PERCENT, ROUND_TYPES, type RoundType, windowOf } from '#domain/game/calendar.ts'
import { percentOf, points } from '#domain/money.ts'
import { durationBin, msOfBin } from '#domain/overview/duration-bins.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { insertBet } from '#testing/play/bets.ts'
import { buildTestApp } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { seeded } from '#testing/run/seeded.ts'
import { countFigures, startCountingFigures } from './count-figures.ts'
import { createRefusalCounter, noteState } from './note-figures.ts'
import { createFiguresReader, rangeOf } from './read-figures.ts'

const HOUR_MS = 3_600_000
/** Long enough for several hours and, most of the day, for two days in Vietnam. */
const SPAN_MS = 9 * HOUR_MS

/** The same world in every run. */
function randomFrom(seed: number) {
  const next = seeded(seed)
  const int = (below: number) => Math.floor(next() * below)
  return { next, int, pick: <T>(...of: readonly T[]): T => of[int(of.length)] as T }
}
type Random = ReturnType<typeof randomFrom>

describe.each(testEngines)('the overview’s figures on %s', (engine) => {
  // The application's jobs do not run again: one would count the past while a test is still writing it.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
  const { db, app } = useApp(engine)
  beforeAll(() => void vi.useRealTimers())
  let players: TestPlayer[]
  let admin: TestPlayer
  let nowMs: number
  beforeEach(async () => {
    players = await createPlayers(db, 6)
    ;[admin] = await createPlayers(db, 1, { role: 'admin' })
    nowMs = await readNowMs(db)
    // The first admin of all, and players who came later, one of whom left again.
    await db.query(`update users set created_at = $1`, [new Date(nowMs - SPAN_MS)])
    for (const [at, { id }] of players.entries())
      await db.query(`update users set created_at = $2 where id = $1`, [id, new Date(nowMs - (at / 6) * SPAN_MS)])
    await db.query(`update users set deleted_at = clock_timestamp() where id = $1`, [players[3]?.id ?? ''])
  })

  /** Nobody waits for another one who counts. */
  async function countAll(): Promise<void> {
    while (!(await countFigures(db))) await sleep(1)
  }

  const rounds = new Map<string, string>()
  beforeEach(() => rounds.clear())
  async function roundAt(type: RoundType, atMs: number): Promise<{ id: string; closesAtMs: number }> {
    const { index, opensAtMs, closesAtMs } = windowOf(type, atMs)
    const key = `${type} ${index}`
    const id = rounds.get(key) ?? newId()
    if (!rounds.has(key)) {
      rounds.set(key, id)
      await db.query(
        `insert into rounds (id, type, index, opens_at, locks_at, closes_at, status, price_source)
         values ($1, $2, $3, $4, $5, $5, 'ended', 'simulated')`,
        [id, type, BigInt(index), new Date(opensAtMs), new Date(closesAtMs)],
      )
    }
    return { id, closesAtMs }
  }

  async function addBet(
    random: Random,
    atMs: number,
    status = random.pick<BetStatus>('won', 'lost', 'won', 'lost', 'voided'),
  ) {
    const type = random.pick(...ROUND_TYPES)
    const { id: roundId, closesAtMs } = await roundAt(type, atMs)
    const stakeMinor = points(1 + random.int(500))
    const won = percentOf(stakeMinor, RATE_PERCENT[type])
    const profit = status === 'open' ? null : status === 'won' ? won : status === 'lost' ? -won : 0n
    const entry = Math.min(Math.floor(atMs / 1000) + 1, closesAtMs / 1000 - 1)
    return insertBet(db, random.pick(...players).id, roundId, {
      direction: random.pick('up', 'up', 'down'),
      basis: random.pick('PRICE', 'PRICE', 'PRICE', 'ADMIN', 'SCRIPTED'),
      ...{ stakeMinor, status, acceptedAtMs: atMs, entryFrom: entry, profitMinor: profit, settledAtMs: closesAtMs },
      voidReason: status === 'voided' ? random.pick('TIE', 'NO_TICK', 'ROUND_DELETED') : null,
      entrySecond: status === 'open' || status === 'voided' ? null : entry,
      hiddenAtMs: status !== 'open' && random.int(5) === 0 ? closesAtMs : null,
    })
  }

  async function addRequest(random: Random, filedMs: number, decidedMs: number | null): Promise<void> {
    const owner = random.pick(...players).id
    const status = decidedMs === null ? 'pending' : random.pick('approved', 'rejected', 'rejected')
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name,
         created_at, status, rejection_reason, decided_by, decided_at, hidden_at)
       values ($1, $2, $3, 100, $4, '0123', 'A', 'B', $5, $6, $7, $8, $9, $10)`,
      [
        ...[newId(), owner, random.pick('deposit', 'withdrawal'), newId(), new Date(filedMs), status],
        status === 'rejected' ? 'x' : null,
        decidedMs === null ? null : status === 'rejected' && random.int(2) === 0 ? owner : admin.id,
        decidedMs === null ? null : new Date(decidedMs),
        random.int(4) === 0 ? new Date(nowMs) : null,
      ],
    )
  }

  const conversations = new Map<string, { readonly id: string; seq: number }>()
  beforeEach(() => conversations.clear())
  async function addMessage(random: Random, atMs: number): Promise<void> {
    const { id: playerId } = random.pick(...players)
    let conversation = conversations.get(playerId)
    if (conversation === undefined) {
      conversation = { id: newId(), seq: 0 }
      conversations.set(playerId, conversation)
      await db.query(`insert into conversations (id, player_id, holder_id) values ($1, $2, $3)`, [
        ...[conversation.id, playerId, admin.id],
      ])
    }
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
       values ($1, $2, $3::uuid, $4, ($3::uuid)::text, 'text', 'a', 'a', $5)`,
      [conversation.id, ++conversation.seq, newId(), random.pick(playerId, admin.id), new Date(atMs)],
    )
  }

  /** Everything that the figures count, spread over the span until an instant. */
  async function makeWorld(random: Random, untilMs: number, fromMs = nowMs - SPAN_MS): Promise<void> {
    const within = () => fromMs + random.int(untilMs - fromMs)
    // In clusters: several bets of one round, also in the same second.
    for (let n = 0; n < 25; n++) {
      const atMs = within()
      for (let k = random.int(5); k >= 0; k--) await addBet(random, Math.min(untilMs - 1, atMs + random.int(40_000)))
    }
    for (let n = 0; n < 25; n++) {
      const filedMs = within()
      await addRequest(random, filedMs, random.int(4) === 0 ? null : filedMs + random.int(untilMs - filedMs))
    }
    for (const atMs of Array.from({ length: 60 }, within).toSorted((a, b) => a - b)) await addMessage(random, atMs)
  }

  const hours = () => rangeOf(nowMs - SPAN_MS, nowMs + 1)
  const days = () => ({
    bucket: 'day' as const,
    fromMs: midnightBeforeMs(nowMs - SPAN_MS),
    toMs: midnightBeforeMs(nowMs) + 24 * HOUR_MS,
  })
  const read = (range = hours()) => createFiguresReader(db)(range)

  /** Compares with a recount, but for numbers that rounding of sums leaves a unit apart. */
  async function expectRecounted(range = hours(), fromMs = range.fromMs): Promise<OverviewFigures> {
    const figures = await read(range)
    const seen = figures.buckets.filter((bucket) => bucket.fromMs >= fromMs)
    const recounted = await recount(
      db,
      seen.map((bucket) => [bucket.fromMs, bucket.toMs] as const),
    )
    for (const [at, { deviation, ...rest }] of recounted.buckets.entries()) {
      expect(seen[at]).toMatchObject(rest)
      expect(Math.abs(Number(seen[at]?.deviationMinor) - deviation)).toBeLessThanOrEqual(1)
    }
    if (fromMs === range.fromMs) {
      expect({ byHour: figures.byHour, requests: figures.requests, firstReply: figures.firstReply }).toEqual(
        recounted.total,
      )
      const last = figures.buckets.at(-1)
      expect(last?.netSoFarMinor).toBe(figures.buckets.reduce((sum, { netMinor }) => sum + netMinor, 0n))
      const variance = recounted.buckets.reduce((sum, { deviation }) => sum + deviation ** 2, 0)
      expect(Math.abs(Number(last?.deviationSoFarMinor) - Math.sqrt(variance))).toBeLessThanOrEqual(1)
    }
    return figures
  }

  test.each([1, 2, 3])(
    'are those of a recount, however far counting has come, and by two processes: world %i',
    async (seed) => {
      const random = randomFrom(seed)
      await makeWorld(random, nowMs)
      expect((await read()).completeFromMs).toBe(hours().toMs)
      // Counting is cut off a few times, as by restarts; what it says is complete, is.
      for (let cut = 0; cut < 3; cut++) {
        let steps = 10 + random.int(20)
        await countFigures(db, () => steps-- <= 0)
        for (const range of [hours(), days()]) {
          const { completeFromMs } = await read(range)
          if (cut === 0) expect(completeFromMs).not.toBeNull()
          await expectRecounted(range, completeFromMs ?? range.fromMs)
        }
      }
      await Promise.all([countAll(), countAll()])
      for (const range of [hours(), days()]) expect((await expectRecounted(range)).completeFromMs).toBeNull()
      // What happens from now on, and a bet that is open.
      const open = await addBet(random, nowMs - 10_000, 'open')
      // What is a minute old may have been counted meanwhile.
      await makeWorld(random, nowMs, (await readNowMs(db)) - 60_000)
      for (const range of [hours(), days()]) await expectRecounted(range)
      await db.query(
        `update bets set status = 'voided', void_reason = 'ROUND_DELETED', profit = 0, settled_at = clock_timestamp() where id = $1`,
        [open],
      )
      await countAll()
      for (const range of [hours(), days()]) await expectRecounted(range)
    },
  )

  // The embedded engine has one connection: there nobody holds a lock while another one asks.
  test.skipIf(engine === 'embedded')('nobody waits for a process that counts (PostgreSQL only)', async () => {
    const counting = await holdOpen(db, (tx) => tx.query('select 1 from figure_marks for update'))
    const beganMs = performance.now()
    await Promise.all([countFigures(db), noteState(db, 'open', true)])
    expect(performance.now() - beganMs).toBeLessThan(400)
    await counting.commit()
    expect((await db.query('select 1 from figure_states')).rows).toEqual([])
    await noteState(db, 'open', true)
    expect((await db.query('select 1 from figure_states')).rows).toHaveLength(1)
  })

  // Before all tests with refused calls: what the shared application counts of theirs is written seconds later.
  test('a refused call is counted once it is answered', async () => {
    const before = await read(rangeOf(nowMs, nowMs + 1))
    expect(before.refusals).toEqual([])
    const own = await buildTestApp(db)
    await own.call('GET', '/api/v1/overview', { token: players[1]?.bearer.slice('Bearer '.length) })
    await own.call('GET', '/api/v1/overview', {})
    await own.call('GET', '/api/v1/overview', { token: admin.bearer.slice('Bearer '.length) })
    // What is in memory is written before the process ends.
    await own.close()
    expect((await read(rangeOf(nowMs, (await readNowMs(db)) + 1))).refusals).toEqual([
      { code: 'FORBIDDEN', sentence: 'Bạn không có quyền thực hiện thao tác này', times: 1 },
      {
        code: 'UNAUTHORIZED',
        sentence: 'Lần đăng nhập này không còn hiệu lực. Vui lòng đăng nhập lại',
        times: 1,
      },
    ])
  })

  test('nothing is counted after the first bet that is open, and it is told all the same', async () => {
    const random = randomFrom(4)
    const open = await addBet(random, nowMs - 3 * HOUR_MS, 'open')
    await makeWorld(random, nowMs)
    await countAll()
    const { rows } = await db.query<{ counted_before: Date }>(`select counted_before from figure_marks`)
    expect(rows[0]?.counted_before.getTime()).toBeLessThanOrEqual(nowMs - 3 * HOUR_MS)
    await expectRecounted()
    await db.query(
      `update bets set status = 'lost', profit = -5, entry_second = entry_from, settled_at = clock_timestamp() where id = $1`,
      [open],
    )
    await expectRecounted()
    await countAll()
    await expectRecounted()
    await expectRecounted(days())
  })

  test.runIf(engine === 'native')(
    'a start beside a process that counts warns of nothing (PostgreSQL only)',
    async () => {
      const lines: string[] = []
      const counting = await holdOpen(db, (tx) => tx.query('select 1 from figure_marks for update'))
      await startCountingFigures(db, createLog('warn', { write: (line) => void lines.push(line) }))()
      await counting.commit()
      expect(lines).toEqual([])
    },
  )

  test('an hour is counted again after it is over, and has what came late into it', async () => {
    const random = randomFrom(5)
    await makeWorld(random, nowMs)
    await countAll()
    // As if counting had begun four hours ago.
    await db.query(`update figure_marks set checked_before = $1`, [
      new Date(rangeOf(nowMs - 4 * HOUR_MS, nowMs).fromMs),
    ])
    for (const ago of [3.5, 2.5]) {
      await addBet(random, nowMs - ago * HOUR_MS)
      await addRequest(random, nowMs - ago * HOUR_MS, nowMs - ago * HOUR_MS + 60_000)
    }
    await countAll()
    await expectRecounted()
    await expectRecounted(days())
  })

  test('the call tells staff, in hours and in days, and refuses a range that is none', async () => {
    await makeWorld(randomFrom(6), nowMs)
    await countAll()
    const iso = (ms: number) => new Date(ms).toISOString()
    const token = admin.bearer.slice('Bearer '.length)
    const get = (fromMs: number, toMs: number, who = token) =>
      app.call('GET', `/api/v1/overview/figures?from=${iso(fromMs)}&to=${iso(toMs)}`, { token: who })
    const dayMs = 24 * HOUR_MS
    const short = await get(nowMs - dayMs, nowMs)
    expect(short.status).toBe(200)
    expect(short.body.data).toMatchObject({ bucket: 'hour', completeFrom: null })
    const figures = await read()
    const sum = (data: unknown) =>
      (data as { buckets: Array<{ bets: number }> }).buckets.reduce((all, { bets }) => all + bets, 0)
    const bets = figures.buckets.reduce((all, bucket) => all + bucket.bets, 0)
    expect(bets).toBeGreaterThan(20)
    expect(sum(short.body.data)).toBe(bets)
    const long = await get(nowMs - 30 * dayMs, nowMs)
    expect(long.body.data).toMatchObject({ bucket: 'day', from: iso(midnightBeforeMs(nowMs - 30 * dayMs)) })
    expect(sum(long.body.data)).toBe(bets)
    expect(await get(nowMs, nowMs - 1)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: { fields: [{ path: 'to', message: expect.stringContaining('sau') }] } },
    })
    expect((await get(nowMs - 400 * dayMs, nowMs)).body.details?.fields?.[0]?.message).toContain('366 ngày')
    expect((await get(nowMs - dayMs, nowMs, players[1]?.bearer.slice('Bearer '.length))).status).toBe(403)
  })

  test('refused calls are counted by code, those of two processes together', async () => {
    const counters = [createRefusalCounter(db), createRefusalCounter(db)]
    for (const counter of counters) {
      counter.note('STALE')
      counter.note('BAD_REQUEST')
      counter.note('STALE')
    }
    await Promise.all(counters.map((counter) => counter.write()))
    await counters[0]?.write()
    const figures = await read(rangeOf(nowMs, (await readNowMs(db)) + 1))
    expect(figures.refusals).toEqual([
      {
        code: 'STALE',
        sentence: 'Dữ liệu đã thay đổi kể từ khi bạn mở. Vui lòng tải lại rồi thử lại',
        times: 4,
      },
      { code: 'BAD_REQUEST', sentence: 'Dữ liệu gửi lên không hợp lệ', times: 2 },
    ])
    expect(figures.buckets.reduce((sum, { refused }) => sum + refused, 0)).toBe(6)
    expect(figures.refusalsFromMs).not.toBeNull()
  })

  test('the state is noted once in ten seconds, and where nobody noted it no server ran', async () => {
    const untilNextMs = 10_000 - ((await readNowMs(db)) % 10_000)
    // Three notes within one slot of the database's clock.
    if (untilNextMs < 2_000) await new Promise((done) => setTimeout(done, untilNextMs + 50))
    await Promise.all([noteState(db, 'silent', false), noteState(db, 'open', true), noteState(db, 'open', true)])
    const { rows } = await db.query<{ slots: number }>(`select sum(slots)::integer as slots from figure_states`)
    expect(rows).toEqual([{ slots: 1 }])
    await db.query(`truncate figure_states`)
    const hourMs = rangeOf(nowMs - 2 * HOUR_MS, nowMs - 2 * HOUR_MS + 1).fromMs
    await db.query(`update figure_marks set states_from = $1`, [new Date(hourMs + 600_000)])
    await db.query(
      `insert into figure_states (hour, feed, is_ledger_open, slots) values ($1, 'open', true, 200), ($1, 'silent', true, 30),
         ($1, 'closed', false, 20), ($1, 'unsure', false, 10)`,
      [new Date(hourMs)],
    )
    const { buckets } = await read(rangeOf(hourMs - HOUR_MS, hourMs + HOUR_MS))
    expect(buckets.map(({ states }) => states)).toEqual([
      { openMs: 0, silentMs: 0, closedMs: 0, unsureMs: 0, offMs: 0, ledgerClosedMs: 0 },
      // Fifty minutes are 300 slots, of which 260 were noted.
      {
        ...{ openMs: 2_000_000, silentMs: 300_000, closedMs: 200_000, unsureMs: 100_000 },
        ...{ offMs: 400_000, ledgerClosedMs: 300_000 },
      },
    ])
  })
})

/** The figures as a person would count them, row by row, from the tables themselves. */
async function recount(db: Database, buckets: ReadonlyArray<readonly [fromMs: number, toMs: number]>) {
  const { rows: bets } = await db.query<{
    user_id: string
    type: RoundType
    direction: string
    stake: bigint
    basis: string
    at: Date
    entry: bigint | null
    closes_at: Date
    status: string
    void_reason: string | null
    profit: bigint | null
  }>(
    `select b.user_id, r.type, b.direction, b.stake, b.basis, b.accepted_at as at, b.entry_second as entry, r.closes_at,
            b.status, b.void_reason, b.profit from bets b join rounds r on r.id = b.round_id`,
  )
  const { rows: users } = await db.query<{ at: Date; role: string }>(`select created_at as at, role from users`)
  const { rows: requests } = await db.query<{
    kind: 'deposit' | 'withdrawal'
    status: string
    at: Date
    decided_at: Date | null
    decided_by: string | null
    owner_id: string
  }>(`select kind, status, created_at as at, decided_at, decided_by, owner_id from cash_requests`)
  const { rows: messages } = await db.query<{ conversation_id: string; is_players: boolean; at: Date }>(
    `select m.conversation_id, m.sender_id = c.player_id as is_players, m.sent_at as at
       from messages m join conversations c on c.id = m.conversation_id order by m.conversation_id, m.seq`,
  )
  const replies: Array<{ readonly at: Date; readonly waitedMs: number }> = []
  const waitsSince = new Map<string, Date>()
  for (const { conversation_id: id, is_players: isPlayers, at } of messages) {
    const since = waitsSince.get(id)
    if (isPlayers && since === undefined) waitsSince.set(id, at)
    if (isPlayers || since === undefined) continue
    replies.push({ at, waitedMs: at.getTime() - since.getTime() })
    waitsSince.delete(id)
  }

  const range = [buckets[0]?.[0] ?? 0, buckets.at(-1)?.[1] ?? 0] as const
  const within = (at: Date | null, [fromMs, toMs]: readonly [number, number]) =>
    at !== null && at.getTime() >= fromMs && at.getTime() < toMs
  const summary = (waits: readonly number[]) => {
    const sorted = waits.toSorted((a, b) => a - b)
    const rank = (share: number) => {
      const ms = sorted[Math.ceil(share * sorted.length) - 1]
      return ms === undefined ? null : msOfBin(durationBin(ms))
    }
    return { count: sorted.length, medianMs: rank(0.5), p90Ms: rank(0.9) }
  }
  const isByOwner = (request: (typeof requests)[number]) => request.decided_by === request.owner_id
  const ofKind = (kind: string, time: readonly [number, number]) => {
    const decided = requests.filter((request) => request.kind === kind && within(request.decided_at, time))
    return {
      filed: requests.filter((request) => request.kind === kind && within(request.at, time)).length,
      approved: decided.filter(({ status }) => status === 'approved').length,
      rejected: decided.filter((request) => request.status === 'rejected' && !isByOwner(request)).length,
      cancelled: decided.filter(isByOwner).length,
    }
  }
  const waitsOf = (time: readonly [number, number], kind?: string) =>
    requests
      .filter((request) => within(request.decided_at, time) && !isByOwner(request))
      .filter((request) => kind === undefined || request.kind === kind)
      .map(({ at, decided_at: decidedAt }) => (decidedAt?.getTime() ?? 0) - at.getTime())
  const repliesIn = (time: readonly [number, number]) =>
    summary(replies.filter(({ at }) => within(at, time)).map(({ waitedMs }) => waitedMs))
  const priced = (time: readonly [number, number]) =>
    bets.filter(({ at, basis }) => basis === 'PRICE' && within(at, time))

  return {
    buckets: buckets.map((time) => {
      const mine = priced(time)
      const decided = mine.filter(({ status }) => status === 'won' || status === 'lost')
      // Every pair of bets, each with what it wins when the price rises.
      let variance = 0
      for (const a of decided)
        for (const b of decided) {
          const [fromA, toA] = [Number(a.entry), a.closes_at.getTime() / 1000]
          const [fromB, toB] = [Number(b.entry), b.closes_at.getTime() / 1000]
          const shared = Math.max(0, Math.min(toA, toB) - Math.max(fromA, fromB))
          const likeness = (2 / Math.PI) * Math.asin(Math.min(1, shared / Math.sqrt((toA - fromA) * (toB - fromB))))
          const size = (bet: typeof a) => Math.abs(Number(bet.profit)) * (bet.direction === 'up' ? 1 : -1)
          variance += likeness * size(a) * size(b)
        }
      const voids = (reason: string) => mine.filter(({ void_reason: why }) => why === reason).length
      return {
        active: new Set(mine.map(({ user_id: userId }) => userId)).size,
        joined: users.filter(({ at, role }) => role === 'player' && within(at, time)).length,
        bets: mine.length,
        stakedMinor: mine.reduce((sum, { stake }) => sum + stake, 0n),
        decided: decided.length,
        netMinor: decided.reduce((sum, { profit }) => sum - (profit ?? 0n), 0n),
        voids: { tie: voids('TIE'), noTick: voids('NO_TICK'), roundDeleted: voids('ROUND_DELETED') },
        leftOut: bets.filter(({ at, basis }) => basis !== 'PRICE' && within(at, time)).length,
        deposits: ofKind('deposit', time),
        withdrawals: ofKind('withdrawal', time),
        waiting: summary(waitsOf(time)),
        firstReply: repliesIn(time),
        deviation: Math.sqrt(Math.max(0, variance)),
      }
    }),
    total: {
      byHour: ROUND_TYPES.flatMap((type) =>
        Array.from({ length: 24 }, (_, hour) => {
          const mine = priced(range).filter(
            (bet) => bet.type === type && new Date(bet.at.getTime() + 7 * HOUR_MS).getUTCHours() === hour,
          )
          return { type, hour, bets: mine.length, stakedMinor: mine.reduce((sum, { stake }) => sum + stake, 0n) }
        }).filter(({ bets: n }) => n > 0),
      ),
      requests: (['deposit', 'withdrawal'] as const).map((kind) => ({
        kind,
        ...ofKind(kind, range),
        waiting: summary(waitsOf(range, kind)),
      })),
      firstReply: repliesIn(range),
    },
  }
}
