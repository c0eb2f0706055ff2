import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Basis, BetStatus, VoidReason } from '#domain/game/bet.ts'
import { DURATION_S, ROUND_TYPES } from '#domain/game/calendar.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { insertBet } from '#testing/play/bets.ts'
import type { WireData } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

/** Random filters are asked for so often; each is one list, one sum and a recount of the whole world. */
const RUNS = inject('isFull') ? 60 : 15
const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('2026-02-01T00:00:00.000Z')
const DAYS = 6

/** An id of an instant, as the server makes them (RFC 9562 v7). */
const idAt = (atMs: number, n: number): string => {
  const hex = `${atMs.toString(16).padStart(12, '0')}7${n.toString(16).padStart(3, '0')}8${n.toString(16).padStart(15, '0')}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A list that looks scattered and is the same each time. */
const pick = <T>(from: readonly T[], n: number, step: number): T => from[(n * step) % from.length] as T

describe.each(testEngines)('filters of the staff lists on %s', (engine) => {
  const { db, app } = useApp(engine, {}, { areReset: false })
  let players: TestPlayer[]
  let admins: TestPlayer[]
  const nameOf = (users: readonly TestPlayer[], id: unknown) => users.find((user) => user.id === id)?.username

  interface MadeRound {
    readonly id: string
    readonly type: string
    readonly opensAtMs: number
    readonly announcedBy: string | null
    readonly deletedBy: string | null
  }
  const rounds: MadeRound[] = []
  interface MadeBet {
    readonly owner: TestPlayer
    readonly round: MadeRound
    readonly acceptedAtMs: number
    readonly stake: number
    readonly status: BetStatus
    readonly basis: Basis
    readonly voidReason: VoidReason | null
    readonly profit: number | null
    readonly isHidden: boolean
  }
  const bets: MadeBet[] = []
  interface MadeRequest {
    readonly owner: TestPlayer
    readonly kind: 'DEPOSIT' | 'WITHDRAW'
    readonly status: 'IN_PROGRESS' | 'ACCEPT' | 'REJECT'
    readonly amount: number
    readonly bankName: string
    readonly number: string
    readonly decidedBy: string | null
    readonly createdAtMs: number
    readonly isHidden: boolean
  }
  const requests: MadeRequest[] = []

  const get = async (path: string, query: Readonly<Record<string, string>>) => {
    const token = admins[0]!.bearer.slice('Bearer '.length)
    const reply = await app.call('GET', `/api/v1${path}?${new URLSearchParams(query).toString()}`, { token })
    expect(reply).toMatchObject({ status: 200 })
    return reply
  }
  /** Every row of a list, page after page, as the export reads them. */
  const everyRow = async (path: string, query: Readonly<Record<string, string>>): Promise<readonly WireData[]> => {
    const rows: WireData[] = []
    for (let page = 1; ; page++) {
      const reply = await get(path, { ...query, page: String(page), limit: '100' })
      rows.push(...reply.rows)
      if (reply.body.meta?.hasMore !== true) {
        expect(reply.body.meta?.total).toBe(rows.length)
        return rows
      }
    }
  }

  beforeAll(async () => {
    players = await createPlayers(db, 3, { prefix: 'nguoiloc' })
    admins = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0, prefix: 'quantriloc' })
    for (let n = 0; n < 40; n++) {
      const type = pick(ROUND_TYPES, n, 1)
      const round: MadeRound = {
        id: idAt(FIRST_MS + n, n),
        type,
        opensAtMs: FIRST_MS + Math.floor((n * DAYS * DAY_MS) / 40),
        announcedBy: n % 7 === 3 ? pick(admins, n, 1).id : null,
        deletedBy: n % 11 === 5 ? pick(admins, n, 1).id : null,
      }
      rounds.push(round)
      await db.query(
        `insert into rounds (id, type, index, opens_at, locks_at, closes_at, status, price_source, announced_by, announced_at,
           staff_direction, staff_nonce, staff_commitment, deleted_by, deleted_at)
         values ($1, $2, $3, $4, $5, $5, 'ended', 'simulated', $6, $7, $8, $9, $9, $10, $11)`,
        [
          round.id,
          type,
          BigInt(70_000_000 + n),
          new Date(round.opensAtMs),
          new Date(round.opensAtMs + DURATION_S[pick(ROUND_TYPES, n, 1)] * 1000),
          round.announcedBy,
          round.announcedBy && new Date(round.opensAtMs),
          round.announcedBy && 'up',
          round.announcedBy && new Uint8Array(32),
          round.deletedBy,
          round.deletedBy && new Date(round.opensAtMs),
        ],
      )
    }
    for (let n = 0; n < 150; n++) {
      const round = pick(rounds, n, 7)
      const isDeleted = round.deletedBy !== null
      const status: BetStatus = isDeleted ? 'voided' : pick(['won', 'lost', 'voided', 'won', 'lost'] as const, n, 1)
      const basis: Basis = round.announcedBy !== null && n % 2 === 0 ? 'ADMIN' : n % 13 === 6 ? 'SCRIPTED' : 'PRICE'
      const stake = pick([10, 20, 50, 100, 250, 1_000], n, 5)
      const bet: MadeBet = {
        owner: pick(players, n, 2),
        round,
        acceptedAtMs: round.opensAtMs + 1_000 + (n % 9) * 1_000,
        stake,
        status,
        basis,
        voidReason: status !== 'voided' ? null : isDeleted ? 'ROUND_DELETED' : pick(['TIE', 'NO_TICK'] as const, n, 1),
        profit: status === 'won' ? stake / 10 : status === 'lost' ? -stake / 10 : 0,
        isHidden: n % 17 === 4,
      }
      bets.push(bet)
      await insertBet(db, bet.owner.id, round.id, {
        id: idAt(bet.acceptedAtMs, n),
        ...{ basis, status, acceptedAtMs: bet.acceptedAtMs, voidReason: bet.voidReason },
        ...{ stakeMinor: BigInt(stake * 100), profitMinor: BigInt(Math.round((bet.profit ?? 0) * 100)) },
        hiddenAtMs: bet.isHidden ? bet.acceptedAtMs : null,
      })
    }
    for (let n = 0; n < 120; n++) {
      const status = pick(['IN_PROGRESS', 'ACCEPT', 'REJECT', 'ACCEPT'] as const, n, 1)
      const request: MadeRequest = {
        owner: pick(players, n, 2),
        kind: n % 3 === 0 ? 'WITHDRAW' : 'DEPOSIT',
        status,
        amount: pick([10, 20.5, 50, 100, 5_000], n, 3),
        bankName: pick(['Vietcombank', 'VIETCOMBANK', 'VietinBank', 'MB', '100%_bank'], n, 3),
        number: String(1_000_000 + n * 7_919),
        decidedBy: status === 'IN_PROGRESS' ? null : pick(admins, Math.floor(n / 2), 1).id,
        createdAtMs: FIRST_MS + Math.floor((n * DAYS * DAY_MS) / 120),
        isHidden: n % 19 === 7,
      }
      requests.push(request)
      await db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, status,
           rejection_reason, decided_by, decided_at, created_at, hidden_at)
         values ($1, $2, $3, $4, $1, $5, 'A', $6, $7, $8, $9, $10, $11, $12)`,
        [
          idAt(request.createdAtMs, n),
          request.owner.id,
          request.kind === 'DEPOSIT' ? 'deposit' : 'withdrawal',
          BigInt(Math.round(request.amount * 100)),
          request.number,
          request.bankName,
          { IN_PROGRESS: 'pending', ACCEPT: 'approved', REJECT: 'rejected' }[status],
          status === 'REJECT' ? 'Sai' : null,
          request.decidedBy,
          request.decidedBy && new Date(request.createdAtMs + 1_000),
          new Date(request.createdAtMs),
          request.isHidden ? new Date(request.createdAtMs) : null,
        ],
      )
    }
  })

  /** Absent more often than not, so that several filters together still find something. */
  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
  const instants = fc
    .integer({ min: -4, max: DAYS * 24 + 4 })
    .map((hours) => new Date(FIRST_MS + hours * 3_600_000).toISOString())
  const timeAndAmount = {
    from: some(instants),
    to: some(instants),
    min: some(fc.constantFrom('0', '10', '20', '21', '100', '5000')),
    max: some(fc.constantFrom('9', '20', '50', '1000', '999999999999')),
  }
  const admin = fc.constantFrom(0, 1, 2).map((n) => admins[n]?.username.toUpperCase() ?? 'khongai')
  type Asked = Readonly<Record<string, string | undefined>>
  const queryOf = (asked: Asked): Record<string, string> =>
    Object.fromEntries(Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined))
  const isIn = (asked: Asked, atMs: number): boolean =>
    (asked['from'] === undefined || atMs >= Date.parse(asked['from'])) &&
    (asked['to'] === undefined || atMs < Date.parse(asked['to']))
  const isBetween = (asked: Asked, points: number): boolean =>
    (asked['min'] === undefined || points >= Number(asked['min'])) &&
    (asked['max'] === undefined || points <= Number(asked['max']))
  const isBy = (asked: Asked, ids: ReadonlyArray<string | null>): boolean =>
    asked['by'] === undefined || ids.some((id) => id !== null && nameOf(admins, id) === asked['by']?.toLowerCase())
  const sum = (numbers: readonly number[]) => Math.round(numbers.reduce((all, one) => all + one, 0) * 100) / 100

  test('requests: a random filter finds the rows of a recount, and its totals are their sums', async () => {
    const filters = fc.record({
      ...timeAndAmount,
      bank: some(fc.constantFrom('vietcom', 'VIET', 'mb', '100%', '%', '_', '9', '19', '7919', '1 007.919', 'zzz')),
      by: some(admin),
      status: some(fc.constantFrom('IN_PROGRESS', 'ACCEPT', 'REJECT')),
      type: some(fc.constantFrom('DEPOSIT', 'WITHDRAW')),
      username: some(fc.constantFrom('nguoiloc', 'ai')),
      userId: some(fc.constantFrom(0, 1).map((n) => players[n]!.id)),
    })
    const isBank = (bank: string | undefined, { bankName, number }: MadeRequest): boolean => {
      if (bank === undefined) return true
      const digits = bank.replaceAll(/[\s.-]/g, '')
      return /^\d+$/.test(digits) ? number.endsWith(digits) : bankName.toLowerCase().startsWith(bank.toLowerCase())
    }
    await fc.assert(
      fc.asyncProperty(filters, async (asked) => {
        const wanted = requests.filter(
          (one) =>
            !one.isHidden &&
            isIn(asked, one.createdAtMs) &&
            isBetween(asked, one.amount) &&
            isBy(asked, [one.decidedBy]) &&
            isBank(asked.bank, one) &&
            (asked.status === undefined || one.status === asked.status) &&
            (asked.type === undefined || one.kind === asked.type) &&
            (asked.userId === undefined || one.owner.id === asked.userId) &&
            (asked.username === undefined || one.owner.username.startsWith(asked.username)),
        )
        const query = queryOf(asked)
        const rows = await everyRow('/transaction', query)
        expect(rows.map(({ createdAt }) => Date.parse(String(createdAt)))).toEqual(
          wanted.map(({ createdAtMs }) => createdAtMs).toSorted((a, b) => b - a),
        )
        const totals = (await get('/transaction/totals', query)).body.data as {
          groups: ReadonlyArray<Record<string, unknown>>
        }
        const groups = ['DEPOSIT', 'WITHDRAW'].flatMap((type) =>
          ['IN_PROGRESS', 'ACCEPT', 'REJECT'].flatMap((status) => {
            const of = rows.filter((row) => row['type'] === type && row['status'] === status)
            return of.length === 0
              ? []
              : [{ type, status, requests: of.length, money: sum(of.map(({ money }) => Number(money))) }]
          }),
        )
        expect(totals).toEqual({ groups: expect.any(Array), isCapped: false })
        expect(totals.groups).toHaveLength(groups.length)
        expect(totals.groups).toEqual(expect.arrayContaining(groups))
      }),
      { numRuns: RUNS },
    )
  })

  test('bets: a random filter finds the rows of a recount, and its totals are their sums', async () => {
    const wire = { open: 'PROGRESS', won: 'WIN', lost: 'LOSE', voided: 'VOID' } as const
    const filters = fc.record({
      ...timeAndAmount,
      by: some(admin),
      basis: some(fc.constantFrom('PRICE', 'ADMIN', 'SCRIPTED')),
      voidReason: some(fc.constantFrom('TIE', 'NO_TICK', 'ROUND_DELETED')),
      status: some(fc.constantFrom('WIN', 'LOSE', 'VOID')),
      type: some(fc.constantFrom(...ROUND_TYPES)),
      roundId: some(fc.constantFrom(0, 3, 5, 10).map((n) => rounds[n]!.id)),
      username: some(fc.constantFrom('nguoiloc', 'ai')),
      userId: some(fc.constantFrom(0, 1).map((n) => players[n]!.id)),
    })
    const anything = {
      ...{ from: undefined, to: undefined, min: undefined, max: undefined, by: undefined, basis: undefined },
      ...{ voidReason: undefined, status: undefined, type: undefined, roundId: undefined },
      ...{ username: undefined, userId: undefined },
    }
    await fc.assert(
      fc.asyncProperty(filters, async (asked) => {
        const wanted = bets.filter(
          (one) =>
            !one.isHidden &&
            isIn(asked, one.acceptedAtMs) &&
            isBetween(asked, one.stake) &&
            isBy(asked, [
              one.basis === 'ADMIN' ? one.round.announcedBy : null,
              one.voidReason === 'ROUND_DELETED' ? one.round.deletedBy : null,
            ]) &&
            (asked.basis === undefined || one.basis === asked.basis) &&
            (asked.voidReason === undefined || one.voidReason === asked.voidReason) &&
            (asked.status === undefined || wire[one.status] === asked.status) &&
            (asked.type === undefined || one.round.type === asked.type) &&
            (asked.roundId === undefined || one.round.id === asked.roundId) &&
            (asked.userId === undefined || one.owner.id === asked.userId) &&
            // An id stands in place of a name.
            (asked.username === undefined ||
              asked.userId !== undefined ||
              one.owner.username.startsWith(asked.username)),
        )
        const query = queryOf(asked)
        const rows = await everyRow('/history', query)
        expect(rows.map(({ createdAt }) => Date.parse(String(createdAt)))).toEqual(
          wanted.map(({ acceptedAtMs }) => acceptedAtMs).toSorted((a, b) => b - a),
        )
        const byPrice = rows.filter(({ basis }) => basis === 'PRICE')
        const countOf = (status: string) => byPrice.filter((row) => row['status'] === status).length
        expect((await get('/history/counts', query)).body.data).toEqual({
          progress: 0,
          win: countOf('WIN'),
          lose: countOf('LOSE'),
          void: countOf('VOID'),
          leftOut: rows.length - byPrice.length,
          staked: sum(rows.map(({ score }) => Number(score))),
          returned: sum(rows.filter(({ status }) => status === 'VOID').map(({ score }) => Number(score))),
          net: sum(byPrice.map(({ profit }) => -Number(profit))),
          isCapped: false,
        })
      }),
      // By stakes alone the count is another statement than the sums.
      { numRuns: RUNS, examples: [[{ ...anything, min: '20' }]] },
    )
  })

  test('rounds: a random filter finds the rows of a recount, and its totals are their sums', async () => {
    const filters = fc.record({
      from: timeAndAmount.from,
      to: timeAndAmount.to,
      by: some(admin),
      voids: some(fc.constant('yes')),
      type: some(fc.constantFrom(...ROUND_TYPES)),
    })
    await fc.assert(
      fc.asyncProperty(filters, async (asked) => {
        const wanted = rounds.filter(
          (one) =>
            isIn(asked, one.opensAtMs) &&
            isBy(asked, [one.announcedBy, one.deletedBy]) &&
            (asked.type === undefined || one.type === asked.type) &&
            (asked.voids === undefined || bets.some(({ round, status }) => round === one && status === 'voided')),
        )
        const { type, ...others } = queryOf(asked)
        const rows = await everyRow(type === undefined ? '/game/list-all' : `/game/by-type/${type}`, others)
        expect(rows.map(({ _id }) => _id)).toEqual(
          wanted.toSorted((a, b) => b.opensAtMs - a.opensAtMs).map(({ id }) => id),
        )
        const figures = rows.map((row) => row['figures'] as Record<string, number>)
        const of = (name: string) => sum(figures.map((one) => one[name] ?? Number.NaN))
        expect((await get('/game/totals', queryOf(asked))).body.data).toEqual({
          rounds: rows.length,
          bets: of('bets'),
          staked: of('staked'),
          void: of('void'),
          net: of('net'),
          leftOut: of('leftOut'),
          isCapped: false,
        })
      }),
      { numRuns: RUNS },
    )
    // What is summed above is not nothing.
    expect((await get('/game/totals', {})).body.data).toMatchObject({ rounds: 40, bets: 150 })
  })

  test('the audit log between two instants', async () => {
    for (let n = 0; n < 6; n++) {
      const actor = pick(admins, n, 1).id
      await db.tx((tx) => recordAct(tx, actor, 'chat.read', `user:${players[0]!.id}`))
    }
    const all = await everyRow('/audit-log', {})
    const times = all.map(({ createdAt }) => Date.parse(String(createdAt)))
    const edges = [...times, Math.min(...times) - 1, Math.max(...times) + 1]
    for (const from of edges)
      for (const to of edges) {
        const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        const found = await everyRow('/audit-log', { ...query, actor: admins[0]!.username })
        expect(found).toEqual(
          all.filter(({ actor }, at) => actor === admins[0]!.username && times[at]! >= from && times[at]! < to),
        )
      }
  })

  test('a player’s own requests follow the dates and amounts, and nobody’s name', async () => {
    const [player] = players as [TestPlayer]
    const token = player.bearer.slice('Bearer '.length)
    const own = async (query: string) => (await app.call('GET', `/api/v1/transaction?${query}`, { token })).rows
    const mine = requests.filter(({ owner }) => owner === player)
    expect(await own('min=50&limit=100')).toHaveLength(mine.filter(({ amount }) => amount >= 50).length)
    expect(await own('by=khongai&bank=zzz&limit=100')).toHaveLength(mine.length)
    expect((await app.call('GET', '/api/v1/transaction/totals', { token })).body.code).toBe('FORBIDDEN')
    const rounds = async (query: string) =>
      (await app.call('GET', `/api/v1/game/list-all?limit=100&${query}`, { token })).rows.length
    expect(await rounds('by=khongai&voids=yes')).toBe(await rounds(''))
  })

  test('what can’t be read is refused with its field', async () => {
    const token = admins[0]!.bearer.slice('Bearer '.length)
    for (const [path, field] of [
      ['/transaction?from=2026-01-01', 'from'],
      ['/history?min=-1', 'min'],
      ['/history/counts?max=1.5', 'max'],
      ['/history?voidReason=X', 'voidReason'],
      ['/game/list-all?voids=no', 'voids'],
      [`/transaction/totals?bank=${'x'.repeat(81)}`, 'bank'],
      ['/audit-log?to=heute', 'to'],
    ] as const) {
      const { status, body } = await app.call('GET', `/api/v1${path}`, { token })
      expect({ path, status, fields: body.details?.fields?.map((one) => one.path) }).toEqual({
        path,
        status: 400,
        fields: [field],
      })
    }
  })
})
