import type { FiguresBucket, OverviewFigures } from '#contract/overview-figures.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import type { RequestKind } from '#domain/cashier/request.ts'
import { midnightBeforeMs, dayOf } from '#domain/day.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { type DurationSummary, summarizeBins } from '#domain/overview/duration-bins.ts'
import { HOURLY_UP_TO } from '#domain/overview/figures.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import {
  type BetCounts,
  type BetFacts,
  HOUR_MS,
  hourOf,
  NO_BETS,
  NO_REQUESTS,
  type OtherFacts,
  readBetFacts,
  readOtherFacts,
  type RequestCounts,
  sumOf,
  type WaitOf,
} from './figure-facts.ts'
import { type FeedState, SLOT_MS } from './note-figures.ts'

const DAY_MS = 24 * HOUR_MS
/** The figures after the last counted block (`Tail`) are reused this long, so that one read serves several admins. */
const TAIL_KEPT_MS = 5_000

type Bucket = OverviewFigures['bucket']

/** A range of whole buckets, Unix ms; `toMs` is excluded. */
export interface FiguresRange {
  readonly bucket: Bucket
  readonly fromMs: number
  readonly toMs: number
}

/** Widens a range (Unix ms) to whole hours or, if it is longer than `HOURLY_UP_TO` hours, to whole days in Vietnam. */
export function rangeOf(fromMs: number, toMs: number): FiguresRange {
  const bucket = toMs - fromMs <= HOURLY_UP_TO * HOUR_MS ? 'hour' : 'day'
  const start = startOf(bucket)
  const last = start(toMs - 1)
  return { bucket, fromMs: start(fromMs), toMs: last + lengthOf(bucket) }
}

const startOf = (bucket: Bucket) => (bucket === 'hour' ? hourOf : midnightBeforeMs)
const lengthOf = (bucket: Bucket): number => (bucket === 'hour' ? HOUR_MS : DAY_MS)
const BUCKET = (bucket: Bucket): string => msSql(`date_bin('1 ${bucket}', hour, timestamptz '2000-01-01 00:00:00+07')`)
const DAY_IN_VIETNAM = (at: string): string => `((${at} at time zone 'UTC') + interval '7 hours')::date`
/** Returns the hour of the day in Vietnam. */
const hourOfDay = (hourMs: number): number => (hourMs / HOUR_MS + 7) % 24

interface MarksRow extends Row {
  countedFromMs: number | null
  countedBeforeMs: number | null
  isWhole: boolean
  refusalsFromMs: number | null
  statesFromMs: number | null
}

/** The figures since the last counted block, computed from bets, requests, users and messages. */
interface Tail {
  readonly beforeMs: number
  readonly nowMs: number
  readonly bets: BetFacts
  readonly others: OtherFacts
  /**
   * One element for each player and each hour in which the player made PRICE bets. `isNewInHour` is true if the element
   * adds 1 to the number of active players of its hour, `isNewInDay` if it adds 1 to that number of its day.
   */
  readonly active: readonly { readonly hourMs: number; readonly isNewInHour: boolean; readonly isNewInDay: boolean }[]
}

async function readTail(q: Queryable, beforeMs: number, nowMs: number): Promise<Tail> {
  const bounds = [new Date(beforeMs), new Date(nowMs + 1)] as const
  const [bets, others, active] = await Promise.all([
    readBetFacts(q, beforeMs, nowMs + 1),
    readOtherFacts(q, beforeMs, nowMs + 1),
    q.query<Tail['active'][number] & Row>(
      `select ${msSql('hour')} as "hourMs",
              coalesce(p.hours & (1 << extract(hour from (hour at time zone 'UTC') + interval '7 hours')::integer), 0)
                = 0 as "isNewInHour",
              p.user_id is null
                and row_number() over (partition by t.user_id, ${DAY_IN_VIETNAM('hour')} order by hour) = 1
                as "isNewInDay"
         from (select distinct date_bin('1 hour', accepted_at, timestamptz 'epoch') as hour, user_id from bets
                where accepted_at >= $1 and accepted_at < $2 and basis = 'PRICE') t
         left join figure_players p on p.user_id = t.user_id and p.day = ${DAY_IN_VIETNAM('hour')}`,
      bounds,
    ),
  ])
  return { beforeMs, nowMs, bets, others, active: active.rows }
}

const noSums = () => ({
  ...{ active: 0, joined: 0, variance: 0, refused: 0 },
  bets: NO_BETS as BetCounts,
  slots: { open: 0, silent: 0, closed: 0, unsure: 0, ledgerClosed: 0 },
  requests: { deposit: NO_REQUESTS, withdrawal: NO_REQUESTS } as Record<RequestKind, RequestCounts>,
  waits: { deposit: new Map(), withdrawal: new Map(), reply: new Map() } as Record<WaitOf, Map<number, number>>,
})
type Sums = ReturnType<typeof noSums>

function addRequests({ requests }: Sums, row: RequestCounts & { readonly kind: RequestKind }): void {
  requests[row.kind] = sumOf(requests[row.kind], row)
}

function addWaits(waits: Sums['waits'], what: WaitOf, bin: number, n: number): void {
  waits[what].set(bin, (waits[what].get(bin) ?? 0) + n)
}

function together(...counts: ReadonlyMap<number, number>[]): DurationSummary {
  const all = new Map<number, number>()
  for (const [bin, n] of counts.flatMap((bins) => [...bins])) all.set(bin, (all.get(bin) ?? 0) + n)
  return summarizeBins(all)
}

async function readStored(q: Queryable, { bucket, fromMs, toMs }: FiguresRange) {
  const bounds = [new Date(fromMs), new Date(toMs)] as const
  const byBucket = (columns: string, table: string, keys = '') =>
    `select ${BUCKET(bucket)} as "atMs", ${columns} from ${table} where hour >= $1 and hour < $2 group by 1${keys}`
  const sum = (column: string, type = 'integer', name = column) => `sum(${column})::${type} as "${name}"`
  const [bets, byHour, hours, days, requests, waits, refusals, refused, states, admins] = await Promise.all([
    q.query<BetCounts & { readonly atMs: number }>(
      byBucket(
        [
          ...[sum('bets'), sum('staked', 'bigint', 'stakedMinor'), sum('decided'), sum('net', 'bigint', 'netMinor')],
          ...[sum('tie'), sum('no_tick', 'integer', 'noTick'), sum('round_deleted', 'integer', 'roundDeleted')],
          sum('left_out', 'integer', 'leftOut'),
        ].join(', '),
        'figure_bets',
      ),
      bounds,
    ),
    q.query<{ type: RoundType; hour_of_day: number; bets: number; staked: bigint }>(
      `select type, extract(hour from (hour at time zone 'UTC') + interval '7 hours')::integer as hour_of_day,
              ${sum('bets')}, ${sum('staked', 'bigint')}
         from figure_bets where hour >= $1 and hour < $2 group by 1, 2`,
      bounds,
    ),
    q.query<{ atMs: number; variance: number; active: number; accounts: number }>(
      byBucket(`sum(variance) as variance, ${sum('active')}, ${sum('accounts')}`, 'figure_hours'),
      bounds,
    ),
    q.query<{ atMs: number; active: number }>(
      `select ${msSql("(day::timestamp - interval '7 hours') at time zone 'UTC'")} as "atMs", active from figure_days
        where day >= $1::date and day < $2::date`,
      [dayOf(fromMs), dayOf(toMs)],
    ),
    q.query<{ atMs: number; kind: RequestKind } & RequestCounts>(
      byBucket(
        `kind, ${['filed', 'approved', 'rejected', 'cancelled'].map((of) => sum(of)).join(', ')}`,
        'figure_requests',
        ', kind',
      ),
      bounds,
    ),
    q.query<{ atMs: number; what: WaitOf; bin: number; n: number }>(
      byBucket(`what, bin, ${sum('n')}`, 'figure_waits', ', what, bin'),
      bounds,
    ),
    q.query<{ code: string; n: bigint }>(
      `select code, ${sum('n', 'bigint')} from figure_refusals where hour >= $1 and hour < $2 group by code`,
      bounds,
    ),
    q.query<{ atMs: number; n: bigint }>(byBucket(sum('n', 'bigint'), 'figure_refusals'), bounds),
    q.query<{ atMs: number; feed: FeedState; is_ledger_open: boolean; slots: number }>(
      byBucket(`feed, is_ledger_open, ${sum('slots')}`, 'figure_states', ', feed, is_ledger_open'),
      bounds,
    ),
    // Deleted users are read apart from others, since each group has an index of its own.
    q.query<{ atMs: number }>(
      `select ${msSql('created_at')} as "atMs" from users
        where deleted_at is null and role = 'admin' and created_at >= $1 and created_at < $2
       union all
       select ${msSql('created_at')} from users
        where deleted_at is not null and role = 'admin' and created_at >= $1 and created_at < $2`,
      bounds,
    ),
  ])
  return { bets, byHour, hours, days, requests, waits, refusals, refused, states, admins }
}

export function createFiguresReader(db: Database): (range: FiguresRange) => Promise<OverviewFigures> {
  let kept: { readonly atMs: number; readonly tail: Tail } | null = null

  return (range) =>
    db.tx(
      async (q) => {
        const marks = onlyRow(
          await q.query<MarksRow>(
            `select ${msSql('counted_from')} as "countedFromMs", ${msSql('counted_before')} as "countedBeforeMs",
                    is_whole as "isWhole", ${msSql('refusals_from')} as "refusalsFromMs",
                    ${msSql('states_from')} as "statesFromMs" from figure_marks`,
          ),
        )
        const nowMs = await readNowMs(q)
        const stored = await readStored(q, range)
        const beforeMs = marks.countedBeforeMs
        let tail: Tail | null = null
        // A kept `Tail` fits the stored counts as long as no further block was counted since the `Tail` was read.
        if (beforeMs !== null && range.toMs > beforeMs) {
          const isKept = kept !== null && kept.tail.beforeMs === beforeMs && Math.abs(nowMs - kept.atMs) < TAIL_KEPT_MS
          if (!isKept) kept = { atMs: nowMs, tail: await readTail(q, beforeMs, nowMs) }
          tail = kept?.tail ?? null
        }
        return assemble(range, marks, stored, tail, nowMs)
      },
      { isolation: 'repeatable read', readOnly: true },
    )
}

/** Makes empty sums for those buckets of a range that have begun, and functions that add figures to these sums. */
function createSums({ bucket, fromMs, toMs }: FiguresRange, nowMs: number) {
  const start = startOf(bucket)
  const buckets = new Map<number, Sums>()
  for (let atMs = fromMs; atMs < Math.min(toMs, nowMs + 1); atMs += lengthOf(bucket)) buckets.set(atMs, noSums())
  const total = noSums()
  const heat = new Map<string, OverviewFigures['byHour'][number]>()
  const has = (atMs: number): boolean => buckets.has(start(atMs))
  const add = (atMs: number, change: (sums: Sums) => void): void => {
    const sums = buckets.get(start(atMs))
    if (sums === undefined) return
    change(sums)
    change(total)
  }
  const addHeat = (type: RoundType, hour: number, bets: number, stakedMinor: bigint): void => {
    const was = heat.get(`${type} ${hour}`)
    heat.set(`${type} ${hour}`, {
      ...{ type, hour, bets: bets + (was?.bets ?? 0) },
      stakedMinor: stakedMinor + (was?.stakedMinor ?? 0n),
    })
  }
  return { bucket, buckets, total, heat, has, add, addHeat }
}
type RangeSums = ReturnType<typeof createSums>
type Stored = Awaited<ReturnType<typeof readStored>>

function addStored({ bucket, add, addHeat }: RangeSums, stored: Stored): void {
  for (const row of stored.bets.rows) add(row.atMs, (sums) => void (sums.bets = sumOf(sums.bets, row)))
  for (const row of stored.byHour.rows) addHeat(row.type, row.hour_of_day, row.bets, row.staked)
  for (const row of stored.hours.rows)
    add(row.atMs, (sums) => {
      sums.variance += row.variance
      sums.joined += row.accounts
      if (bucket === 'hour') sums.active += row.active
    })
  if (bucket === 'day') for (const row of stored.days.rows) add(row.atMs, (sums) => void (sums.active += row.active))
  for (const row of stored.requests.rows) add(row.atMs, (sums) => addRequests(sums, row))
  for (const { atMs, what, bin, n } of stored.waits.rows) add(atMs, ({ waits }) => addWaits(waits, what, bin, n))
  for (const { atMs, n } of stored.refused.rows) add(atMs, (sums) => void (sums.refused += Number(n)))
  for (const row of stored.states.rows)
    add(row.atMs, ({ slots }) => {
      slots[row.feed] += row.slots
      if (!row.is_ledger_open) slots.ledgerClosed += row.slots
    })
}

function addTail({ bucket, has, add, addHeat }: RangeSums, { bets, others, active }: Tail): void {
  for (const row of bets.bets) {
    add(row.hourMs, (sums) => void (sums.bets = sumOf(sums.bets, row)))
    if (has(row.hourMs)) addHeat(row.type, hourOfDay(row.hourMs), row.bets, row.stakedMinor)
  }
  for (const row of bets.variances) add(row.hourMs, (sums) => void (sums.variance += row.variance))
  for (const row of others.accounts) add(row.hourMs, (sums) => void (sums.joined += row.accounts))
  for (const row of others.requests) add(row.hourMs, (sums) => addRequests(sums, row))
  for (const { hourMs, what, bin, n } of others.waits) add(hourMs, ({ waits }) => addWaits(waits, what, bin, n))
  for (const row of active)
    if (bucket === 'hour' ? row.isNewInHour : row.isNewInDay) add(row.hourMs, (sums) => void sums.active++)
}

function assemble(range: FiguresRange, marks: MarksRow, stored: Stored, tail: Tail | null, nowMs: number) {
  const sums = createSums(range, nowMs)
  addStored(sums, stored)
  if (tail !== null) addTail(sums, tail)
  const isCounted = (atMs: number): boolean =>
    marks.countedFromMs !== null && (marks.isWhole || atMs >= marks.countedFromMs)
  for (const { atMs } of stored.admins.rows) if (isCounted(atMs)) sums.add(atMs, (one) => void one.joined--)

  const { total } = sums
  const { refusalsFromMs, statesFromMs } = marks
  return {
    ...range,
    completeFromMs: completeFrom(marks, range),
    refusalsFromMs,
    statesFromMs,
    buckets: toBuckets(sums, statesFromMs, nowMs),
    byHour: [...sums.heat.values()]
      .filter(({ bets }) => bets > 0)
      .toSorted((a, b) => ROUND_TYPES.indexOf(a.type) - ROUND_TYPES.indexOf(b.type) || a.hour - b.hour),
    requests: (['deposit', 'withdrawal'] as const).map((kind) => ({
      kind,
      ...total.requests[kind],
      waiting: summarizeBins(total.waits[kind]),
    })),
    firstReply: summarizeBins(total.waits.reply),
    refusals: stored.refusals.rows
      .map(({ code, n }) => ({ code, sentence: sentenceOf(code), times: Number(n) }))
      .toSorted((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1)),
    serverTimeMs: nowMs,
  }
}

function toBuckets({ bucket, buckets }: RangeSums, statesFromMs: number | null, nowMs: number): FiguresBucket[] {
  let [netSoFarMinor, varianceSoFar] = [0n, 0]
  return [...buckets].map(([fromMs, sums]) => {
    const toMs = fromMs + lengthOf(bucket)
    const { netMinor, tie, noTick, roundDeleted, ...bets } = sums.bets
    netSoFarMinor += netMinor
    varianceSoFar += sums.variance
    return {
      fromMs,
      toMs,
      active: sums.active,
      joined: sums.joined,
      ...bets,
      netMinor,
      expectedMinor: 0n,
      deviationMinor: deviationOf(sums.variance),
      netSoFarMinor,
      expectedSoFarMinor: 0n,
      deviationSoFarMinor: deviationOf(varianceSoFar),
      voids: { tie, noTick, roundDeleted },
      deposits: sums.requests.deposit,
      withdrawals: sums.requests.withdrawal,
      waiting: together(sums.waits.deposit, sums.waits.withdrawal),
      firstReply: summarizeBins(sums.waits.reply),
      refused: sums.refused,
      states: statesOf(sums.slots, fromMs, toMs, statesFromMs, nowMs),
    }
  })
}

/** Returns the sentence of a refusal; the code itself if this version of the server does not know the code. */
const sentenceOf = (code: string): string =>
  Object.hasOwn(refusals, code) ? refusals[code as RefusalCode].message : code

const deviationOf = (variance: number): bigint => BigInt(Math.round(Math.sqrt(variance)))

/** Returns the start of the first bucket that is counted completely; null if all are, the range's end if none is. */
function completeFrom({ countedFromMs: atMs, isWhole }: MarksRow, range: FiguresRange): number | null {
  if (atMs === null) return range.toMs
  if (isWhole || atMs <= range.fromMs) return null
  const bucketMs = startOf(range.bucket)(atMs)
  return Math.min(range.toMs, bucketMs === atMs ? atMs : bucketMs + lengthOf(range.bucket))
}

function statesOf(slots: Sums['slots'], fromMs: number, toMs: number, statesFromMs: number | null, nowMs: number) {
  const noted = slots.open + slots.silent + slots.closed + slots.unsure
  const passedMs = statesFromMs === null ? 0 : Math.min(toMs, nowMs) - Math.max(fromMs, statesFromMs)
  return {
    openMs: slots.open * SLOT_MS,
    silentMs: slots.silent * SLOT_MS,
    closedMs: slots.closed * SLOT_MS,
    unsureMs: slots.unsure * SLOT_MS,
    offMs: Math.max(0, Math.floor(passedMs / SLOT_MS) - noted) * SLOT_MS,
    ledgerClosedMs: slots.ledgerClosed * SLOT_MS,
  }
}
