import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { type Exposure, varianceOf } from '#domain/overview/chance.ts'
import { durationBin } from '#domain/overview/duration-bins.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

export const HOUR_MS = 3_600_000
/** Returns the start of the hour, Unix ms. In Vietnam, 7 whole hours ahead of UTC, hours begin at the same moments. */
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

/** Figures of bets in a range, by hour. */
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

const hourSql = (at: string) => msSql(`date_bin('1 hour', ${at}, timestamptz 'epoch')`)

type BetRow = BetCounts & {
  readonly hourMs: number
  readonly roundId: string
  readonly entry: number
  readonly up: number
}

export async function readBetFacts(q: Queryable, fromMs: number, toMs: number): Promise<BetFacts> {
  const isDecided = `basis = 'PRICE' and status in ('won', 'lost')`
  const voided = (reason: string) => `(count(*) filter (where basis = 'PRICE' and void_reason = '${reason}'))::integer`
  const { rows } = await q.query<BetRow>(
    `select ${hourSql('accepted_at')} as "hourMs", round_id as "roundId",
            coalesce(entry_second, entry_from)::float8 as entry,
            (count(*) filter (where basis = 'PRICE'))::integer as bets,
            coalesce(sum(stake) filter (where basis = 'PRICE'), 0)::bigint as "stakedMinor",
            (count(*) filter (where ${isDecided}))::integer as decided,
            coalesce(sum(-profit) filter (where ${isDecided}), 0)::bigint as "netMinor",
            ${voided('TIE')} as tie, ${voided('NO_TICK')} as "noTick", ${voided('ROUND_DELETED')} as "roundDeleted",
            (count(*) filter (where basis <> 'PRICE'))::integer as "leftOut",
            coalesce(sum(case direction when 'up' then abs(profit) else -abs(profit) end)
              filter (where ${isDecided}), 0)::float8 as up
       from bets where accepted_at >= $1 and accepted_at < $2 group by 1, 2, 3`,
    [new Date(fromMs), new Date(toMs)],
  )
  const { rows: rounds } = await q.query<{ id: string; type: RoundType; closesAtMs: number }>(
    `select id, type, ${msSql('closes_at')} as "closesAtMs" from rounds where id = any ($1::uuid[])`,
    [[...new Set(rows.map(({ roundId }) => roundId))]],
  )
  const roundOf = new Map(rounds.map((round) => [round.id, round]))
  const sums = new Map<string, BetFacts['bets'][number]>()
  const exposures = new Map<number, Exposure[]>()
  for (const { hourMs, roundId, entry: entrySecond, up: upMinor, ...counts } of rows) {
    const round = roundOf.get(roundId)
    if (round === undefined) throw new Error(`The round of a bet is not there: ${roundId}`)
    const key = `${hourMs} ${round.type}`
    sums.set(key, { hourMs, type: round.type, ...sumOf<BetCounts>(counts, sums.get(key) ?? NO_BETS) })
    if (upMinor === 0) continue
    const exitSecond = Math.max(Math.floor(round.closesAtMs / 1000), entrySecond + 1)
    const ofHour = exposures.get(hourMs) ?? []
    ofHour.push({ entrySecond, exitSecond, upMinor })
    exposures.set(hourMs, ofHour)
  }
  return {
    bets: [...sums.values()],
    variances: [...exposures].map(([hourMs, ofHour]) => ({ hourMs, variance: varianceOf(ofHour) })),
  }
}

const WAITED_MS = (from: string, to: string) =>
  `greatest(0, extract(epoch from ${to} - ${from}) * 1000)::double precision as "waitedMs"`

export async function readOtherFacts(q: Queryable, fromMs: number, toMs: number): Promise<OtherFacts> {
  const bounds = [new Date(fromMs), new Date(toMs)]
  const within = (at: string) => `${at} >= $1 and ${at} < $2`
  const accountsThat = (are: string) =>
    `select ${hourSql('created_at')} as "hourMs", count(*)::integer as accounts from users
      where ${within('created_at')} and deleted_at is ${are} group by 1`
  const [accounts, filed, decided, replies] = await Promise.all([
    // Deleted users are counted apart from others, since each group has an index of its own.
    q.query<{ hourMs: number; accounts: number }>(
      `${accountsThat('null')} union all ${accountsThat('not null')}`,
      bounds,
    ),
    q.query<{ hourMs: number; kind: RequestKind; filed: number }>(
      `select ${hourSql('created_at')} as "hourMs", kind, count(*)::integer as filed from cash_requests
        where ${within('created_at')} group by 1, 2`,
      bounds,
    ),
    q.query<{ hourMs: number; kind: RequestKind; status: RequestStatus; isOwners: boolean; waitedMs: number }>(
      `select ${hourSql('decided_at')} as "hourMs", kind, status, decided_by = owner_id as "isOwners",
              ${WAITED_MS('created_at', 'decided_at')}
         from cash_requests where ${within('decided_at')}`,
      bounds,
    ),
    // A message of staff is a first reply if the player wrote after the previous message of staff.
    q.query<{ hourMs: number; waitedMs: number }>(
      `select ${hourSql('m.sent_at')} as "hourMs", ${WAITED_MS('first.sent_at', 'm.sent_at')}
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
  const count = (hourMs: number, kind: RequestKind, what: keyof RequestCounts, n: number) => {
    const key = `${hourMs} ${kind}`
    const sum = requests.get(key) ?? { hourMs, kind, ...NO_REQUESTS }
    requests.set(key, { ...sum, [what]: sum[what] + n })
  }
  const waits = new Map<string, OtherFacts['waits'][number]>()
  const wait = (hourMs: number, what: WaitOf, waitedMs: number) => {
    const bin = durationBin(waitedMs)
    const key = `${hourMs} ${what} ${bin}`
    waits.set(key, { hourMs, what, bin, n: (waits.get(key)?.n ?? 0) + 1 })
  }
  for (const row of filed.rows) count(row.hourMs, row.kind, 'filed', row.filed)
  for (const { hourMs, kind, status, isOwners, waitedMs } of decided.rows) {
    count(hourMs, kind, isOwners ? 'cancelled' : status === 'approved' ? 'approved' : 'rejected', 1)
    if (!isOwners) wait(hourMs, kind, waitedMs)
  }
  for (const { hourMs, waitedMs } of replies.rows) wait(hourMs, 'reply', waitedMs)
  return { accounts: accounts.rows, requests: [...requests.values()], waits: [...waits.values()] }
}
