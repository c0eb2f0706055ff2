import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { type Exposure, varianceOf } from '#domain/overview/chance.ts'
import { durationBin } from '#domain/overview/duration-bins.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'

export const HOUR_MS = 3_600_000
/** Vietnam is whole hours ahead of UTC. */
export const hourOf = (atMs: number): number => atMs - (atMs % HOUR_MS)

export const NO_BETS = {
  ...{ bets: 0, stakedMinor: 0n, decided: 0, netMinor: 0n, tie: 0, noTick: 0, roundDeleted: 0, leftOut: 0 },
}
export const NO_REQUESTS = { filed: 0, approved: 0, rejected: 0, cancelled: 0 }
export type BetCounts = Readonly<typeof NO_BETS>
export type RequestCounts = Readonly<typeof NO_REQUESTS>

export const sumOf = <Counts extends object>(a: Counts, b: Counts): Counts =>
  Object.fromEntries(
    (Object.entries(a) as [keyof Counts, never][]).map(([name, n]) => [name, n + (b[name] as never)]),
  ) as Counts

/** Of an hour, or of a part of it. Numbers of the same hour add up. */
export interface BetFacts {
  readonly bets: readonly (BetCounts & { readonly hourMs: number; readonly type: RoundType })[]
  readonly variances: readonly { readonly hourMs: number; readonly variance: number }[]
}

export type WaitOf = RequestKind | 'reply'

export interface OtherFacts {
  readonly accounts: readonly { readonly hourMs: number; readonly accounts: number }[]
  readonly requests: readonly (RequestCounts & { readonly hourMs: number; readonly kind: RequestKind })[]
  readonly waits: readonly {
    readonly hourMs: number
    readonly what: WaitOf
    readonly bin: number
    readonly n: number
  }[]
}

const IN_HOUR = (at: string) => `date_bin('1 hour', ${at}, timestamptz 'epoch')`

export interface CountsRow extends Row {
  bets: number
  staked: bigint
  decided: number
  net: bigint
  tie: number
  no_tick: number
  round_deleted: number
  left_out: number
}

export const toCounts = (row: CountsRow): BetCounts => ({
  ...{ bets: row.bets, stakedMinor: row.staked, decided: row.decided, netMinor: row.net, tie: row.tie },
  ...{ noTick: row.no_tick, roundDeleted: row.round_deleted, leftOut: row.left_out },
})

interface BetRow extends CountsRow {
  hour: Date
  round_id: string
  entry: bigint
  up: bigint
}

export async function readBetFacts(q: Queryable, fromMs: number, toMs: number): Promise<BetFacts> {
  const isDecided = `basis = 'PRICE' and status in ('won', 'lost')`
  const voided = (reason: string) => `(count(*) filter (where basis = 'PRICE' and void_reason = '${reason}'))::integer`
  const { rows } = await q.query<BetRow>(
    `select ${IN_HOUR('accepted_at')} as hour, round_id, coalesce(entry_second, entry_from) as entry,
            (count(*) filter (where basis = 'PRICE'))::integer as bets,
            coalesce(sum(stake) filter (where basis = 'PRICE'), 0)::bigint as staked,
            (count(*) filter (where ${isDecided}))::integer as decided,
            coalesce(sum(-profit) filter (where ${isDecided}), 0)::bigint as net,
            ${voided('TIE')} as tie, ${voided('NO_TICK')} as no_tick, ${voided('ROUND_DELETED')} as round_deleted,
            (count(*) filter (where basis <> 'PRICE'))::integer as left_out,
            coalesce(sum(case direction when 'up' then abs(profit) else -abs(profit) end)
              filter (where ${isDecided}), 0)::bigint as up
       from bets where accepted_at >= $1 and accepted_at < $2 group by 1, 2, 3`,
    [new Date(fromMs), new Date(toMs)],
  )
  const { rows: rounds } = await q.query<{ id: string; type: RoundType; closes_at: Date }>(
    `select id, type, closes_at from rounds where id = any ($1::uuid[])`,
    [[...new Set(rows.map((row) => row.round_id))]],
  )
  const roundOf = new Map(rounds.map((round) => [round.id, round]))
  const sums = new Map<string, BetFacts['bets'][number]>()
  const exposures = new Map<number, Exposure[]>()
  for (const row of rows) {
    const round = roundOf.get(row.round_id)
    if (round === undefined) throw new Error(`The round of a bet is not there: ${row.round_id}`)
    const hourMs = row.hour.getTime()
    const key = `${hourMs} ${round.type}`
    sums.set(key, { hourMs, type: round.type, ...sumOf<BetCounts>(toCounts(row), sums.get(key) ?? NO_BETS) })
    if (row.up === 0n) continue
    const entrySecond = Number(row.entry)
    const exitSecond = Math.max(Math.floor(round.closes_at.getTime() / 1000), entrySecond + 1)
    const ofHour = exposures.get(hourMs) ?? []
    ofHour.push({ entrySecond, exitSecond, upMinor: Number(row.up) })
    exposures.set(hourMs, ofHour)
  }
  return {
    bets: [...sums.values()],
    variances: [...exposures].map(([hourMs, ofHour]) => ({ hourMs, variance: varianceOf(ofHour) })),
  }
}

interface FiledRow extends Row {
  hour: Date
  kind: RequestKind
  filed: number
}
interface DecidedRow extends Row {
  hour: Date
  kind: RequestKind
  status: RequestStatus
  is_owners: boolean
  waited_ms: number
}
interface ReplyRow extends Row {
  hour: Date
  waited_ms: number
}

const WAITED_MS = (from: string, to: string) =>
  `greatest(0, extract(epoch from ${to} - ${from}) * 1000)::double precision as waited_ms`

export async function readOtherFacts(q: Queryable, fromMs: number, toMs: number): Promise<OtherFacts> {
  const bounds = [new Date(fromMs), new Date(toMs)]
  const within = (at: string) => `${at} >= $1 and ${at} < $2`
  const accountsThat = (are: string) =>
    `select ${IN_HOUR('created_at')} as hour, count(*)::integer as accounts from users
      where ${within('created_at')} and deleted_at is ${are} group by 1`
  const [accounts, filed, decided, replies] = await Promise.all([
    // Two halves, since each has its own index.
    q.query<{ hour: Date; accounts: number }>(`${accountsThat('null')} union all ${accountsThat('not null')}`, bounds),
    q.query<FiledRow>(
      `select ${IN_HOUR('created_at')} as hour, kind, count(*)::integer as filed from cash_requests
        where ${within('created_at')} group by 1, 2`,
      bounds,
    ),
    q.query<DecidedRow>(
      `select ${IN_HOUR('decided_at')} as hour, kind, status, decided_by = owner_id as is_owners,
              ${WAITED_MS('created_at', 'decided_at')}
         from cash_requests where ${within('decided_at')}`,
      bounds,
    ),
    // A reply is a first one when a message of the player lies between it and the message of staff before.
    q.query<ReplyRow>(
      `select ${IN_HOUR('m.sent_at')} as hour, ${WAITED_MS('first.sent_at', 'm.sent_at')}
         from messages m join conversations c on c.id = m.conversation_id
        cross join lateral (
          select w.sent_at from messages w
           where w.conversation_id = m.conversation_id and w.seq < m.seq and w.seq > coalesce((
             select s.seq from messages s where s.conversation_id = m.conversation_id and s.seq < m.seq
                and s.sender_id <> c.player_id order by s.seq desc limit 1), 0)
           order by w.seq limit 1) first
        where ${within('m.sent_at')} and m.sender_id <> c.player_id`,
      bounds,
    ),
  ])
  const requests = new Map<string, OtherFacts['requests'][number]>()
  const count = (hour: Date, kind: RequestKind, what: keyof RequestCounts, n: number) => {
    const hourMs = hour.getTime()
    const key = `${hourMs} ${kind}`
    const sum = requests.get(key) ?? { hourMs, kind, ...NO_REQUESTS }
    requests.set(key, { ...sum, [what]: sum[what] + n })
  }
  const waits = new Map<string, OtherFacts['waits'][number]>()
  const wait = (hour: Date, what: WaitOf, waitedMs: number) => {
    const [hourMs, bin] = [hour.getTime(), durationBin(waitedMs)]
    const key = `${hourMs} ${what} ${bin}`
    waits.set(key, { hourMs, what, bin, n: (waits.get(key)?.n ?? 0) + 1 })
  }
  for (const row of filed.rows) count(row.hour, row.kind, 'filed', row.filed)
  for (const row of decided.rows) {
    count(row.hour, row.kind, row.is_owners ? 'cancelled' : row.status === 'approved' ? 'approved' : 'rejected', 1)
    if (!row.is_owners) wait(row.hour, row.kind, row.waited_ms)
  }
  for (const row of replies.rows) wait(row.hour, 'reply', row.waited_ms)
  return {
    accounts: accounts.rows.map((row) => ({ hourMs: row.hour.getTime(), accounts: row.accounts })),
    requests: [...requests.values()],
    waits: [...waits.values()],
  }
}
