import { randomBytes } from 'node:crypto'
import type { Basis, BetStatus, Direction } from '#domain/game/bet.ts'
import { DURATION_S, RATE_PERCENT, type RoundType } from '#domain/game/calendar.ts'
import { percentOf, points } from '#domain/money.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'

/** A bet of a made-up history. */
export interface MadeBet {
  readonly type: RoundType
  readonly basis: Basis
  readonly status: BetStatus
  readonly stakePoints: number
  readonly acceptedAtMs: number
  /** From the acceptance to the end of the round, ms. */
  readonly lastsMs: number
  readonly settledAtMs: number
}

/** Rounds of made-up bets have windows of their own: far from the calendar's, each with another number. */
let nextIndex = 50_000_000

/**
 * Inserts bets as if they had been placed and settled at those times, each in a round of its own, without transfers:
 * for readers of histories. Returns their ids.
 */
export async function makeHistory(db: Database, userId: string, bets: readonly MadeBet[]): Promise<string[]> {
  const ids = bets.map(() => newId())
  const rounds = bets.map(() => newId())
  const isOpen = (bet: MadeBet) => bet.status === 'open'
  const profit = ({ status, type, stakePoints }: MadeBet): bigint | null => {
    if (status === 'open') return null
    const won = percentOf(points(stakePoints), RATE_PERCENT[type])
    return status === 'won' ? won : status === 'lost' ? -won : 0n
  }
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, status, price_source)
     select id, type, index, closes_at - seconds * interval '1 second', closes_at - interval '1 second', closes_at,
         'ended', 'simulated'
       from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::int[])
         as r (id, type, index, closes_at, seconds)`,
    [
      rounds,
      bets.map(({ type }) => type),
      bets.map(() => BigInt(nextIndex++)),
      bets.map(({ acceptedAtMs, lastsMs }) => new Date(acceptedAtMs + lastsMs)),
      bets.map(({ type }) => DURATION_S[type]),
    ],
  )
  await db.query(
    `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status,
       void_reason, profit, settled_at, salt)
     select id, $1, round_id, 'up', stake, basis, basis, accepted_at, extract(epoch from accepted_at)::bigint + 1, status,
         case when status = 'voided' then 'TIE' end, profit, settled_at, decode(md5(id::text), 'hex')
       from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::timestamptz[], $7::text[], $8::bigint[],
         $9::timestamptz[]) as b (id, round_id, stake, basis, accepted_at, status, profit, settled_at)`,
    [
      userId,
      ids,
      rounds,
      bets.map(({ stakePoints }) => points(stakePoints)),
      bets.map(({ basis }) => basis),
      bets.map(({ acceptedAtMs }) => new Date(acceptedAtMs)),
      bets.map(({ status }) => status),
      bets.map(profit),
      bets.map((bet) => (isOpen(bet) ? null : new Date(bet.settledAtMs))),
    ],
  )
  return ids
}

/** The row of one bet; the defaults are those of a bet of a point, accepted now and returned for a tie. */
interface BetRow {
  readonly id?: string
  readonly direction?: Direction
  readonly stakeMinor?: bigint
  readonly basis?: Basis
  readonly status?: BetStatus
  readonly voidReason?: string | null
  readonly profitMinor?: bigint | null
  /** Unix ms, as the other times. */
  readonly acceptedAtMs?: number
  /** When the bet was accepted unless it is named. An open bet has none. */
  readonly settledAtMs?: number
  readonly hiddenAtMs?: number | null
  /** Unix seconds. */
  readonly entryFrom?: number
  readonly entrySecond?: number | null
  /** Thousandths of a dollar. */
  readonly entryPrice?: number | null
  readonly exitPrice?: number | null
}

/** Inserts it, without transfers. Returns its id. */
export async function insertBet(tx: Pick<Tx, 'query'>, ownerId: string, roundId: string, row: BetRow = {}) {
  const { id = newId(), status = 'voided', acceptedAtMs = null, settledAtMs = acceptedAtMs, hiddenAtMs = null } = row
  const profit = row.profitMinor ?? (status === 'open' ? null : 0n)
  const date = (ms: number | null) => (ms === null ? null : new Date(ms))
  await tx.query(
    `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status,
       void_reason, entry_second, entry_price, exit_price, profit, settled_at, hidden_at, salt)
     values ($1, $2, $3, $4, $5, $6, $6, coalesce($7, clock_timestamp()), $8, $9, $10, $11, $12, $13, $14,
       case $9 when 'open' then null else coalesce($15, clock_timestamp()) end, $16, $17)`,
    [
      ...[
        id,
        ownerId,
        roundId,
        row.direction ?? 'up',
        row.stakeMinor ?? 100n,
        row.basis ?? 'PRICE',
        date(acceptedAtMs),
      ],
      ...[BigInt(row.entryFrom ?? 1), status, row.voidReason ?? (status === 'voided' ? 'TIE' : null)],
      row.entrySecond == null ? null : BigInt(row.entrySecond),
      ...[row.entryPrice ?? null, row.exitPrice ?? null, profit, date(settledAtMs), date(hiddenAtMs), randomBytes(16)],
    ],
  )
  return id
}

/**
 * The statistics of a player counted from the bets themselves by the database alone, to compare the folded days with.
 * Days are days in Vietnam, both included.
 */
export async function recountStatistics(
  db: Database,
  userId: string,
  { from = '2000-01-01', to = '2999-12-31' }: { from?: string | undefined; to?: string | undefined } = {},
) {
  const { rows } = await db.query<{ counted: Record<string, unknown> }>(RECOUNT, [userId, from, to])
  return rows[0]?.counted ?? {}
}

const DAY = (at: string): string => `((${at} at time zone 'UTC') + interval '7 hours')::date`
const MS = (at: string): string => `floor(extract(epoch from ${at}) * 1000)::bigint`

const RECOUNT = `with ended as (
    select r.type, b.basis, b.status, b.stake, b.profit, b.id, b.accepted_at, ${DAY('b.accepted_at')} as day,
           ${MS('b.accepted_at')} as from_ms, ${MS('least(r.closes_at, b.settled_at)')} as to_ms
      from bets b join rounds r on r.id = b.round_id
     where b.user_id = $1 and b.status <> 'open' and ${DAY('b.accepted_at')} between $2::date and $3::date
  ), priced as (
    select *, row_number() over before as n,
           count(*) filter (where status <> 'voided') over before as c,
           lag(greatest(from_ms, to_ms)) over before as last_end_ms
      from ended where basis = 'PRICE' window before as (order by accepted_at, id)
  ), decided as (
    select status, row_number() over (order by n) as k from priced where status <> 'voided'
  ), runs as (
    select status, count(*) as length from (
      select status, k - row_number() over (partition by status order by k) as island from decided) i group by status, island
  ), standing as (
    -- Within equal counts of decided bets the first one is the bet that was decided last.
    select n, stake, case when c > 0 then first_value(status) over (partition by c order by n) end as last from priced
  ), followed as (
    select stake, lag(last) over (order by n) as after from standing
  ), sums as (
    select day, type, count(*) filter (where status = 'won') as won, count(*) filter (where status = 'lost') as lost,
           count(*) filter (where status = 'voided') as voided,
           coalesce(sum(stake) filter (where status <> 'voided'), 0) as staked, sum(profit) as net
      from priced group by grouping sets ((day), (type))
  )
  select jsonb_build_object(
    'days', (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'win', won, 'lose', lost, 'void', voided,
        'staked', staked / 100.0, 'profit', net / 100.0) order by day), '[]') from sums where day is not null),
    'types', (select coalesce(jsonb_agg(jsonb_build_object('gameType', type, 'win', won, 'lose', lost, 'void', voided,
        'staked', staked / 100.0, 'profit', net / 100.0) order by length(type), type), '[]') from sums where type is not null),
    'afterWin', (select jsonb_build_object('bets', count(*), 'staked', coalesce(sum(stake), 0) / 100.0) from followed where after = 'won'),
    'afterLoss', (select jsonb_build_object('bets', count(*), 'staked', coalesce(sum(stake), 0) / 100.0) from followed where after = 'lost'),
    'playedMs', (select coalesce(sum(greatest(0, to_ms - from_ms)
        + case when greatest(0, from_ms - last_end_ms) <= 600000 then greatest(0, from_ms - last_end_ms) else 0 end), 0) from priced),
    'longestWins', (select coalesce(max(length), 0) from runs where status = 'won'),
    'longestLosses', (select coalesce(max(length), 0) from runs where status = 'lost'),
    'leftOut', (select count(*) from ended where basis <> 'PRICE')) as counted`
