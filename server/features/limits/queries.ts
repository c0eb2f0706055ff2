import type { PlayerLimitsView } from '#contract/player-limits.ts'
import type { BettingLimits } from '#domain/game/bet.ts'
import { type LimitsState, limitsAt, NO_LIMITS } from '#domain/game/limits.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

export type LimitsRow = {
  user_id: string
  dailyStakeMinor: bigint | null
  dailyLossMinor: bigint | null
  reminderMinutes: number | null
  timeoutUntilMs: number | null
  pending_daily_stake: bigint | null
  pending_daily_loss: bigint | null
  pending_from_ms: number | null
}

type UsedToday = Pick<BettingLimits, 'stakedTodayMinor' | 'netLossTodayMinor'>

export const LIMITS_COLUMNS = `l.user_id, l.daily_stake as "dailyStakeMinor", l.daily_loss as "dailyLossMinor",
  l.reminder_minutes as "reminderMinutes", ${msSql('l.timeout_until')} as "timeoutUntilMs",
  l.pending_daily_stake, l.pending_daily_loss, ${msSql('l.pending_from')} as pending_from_ms`

export function toLimits(row: LimitsRow | undefined): LimitsState {
  if (row === undefined) return NO_LIMITS
  const { dailyStakeMinor, dailyLossMinor, reminderMinutes, timeoutUntilMs, pending_from_ms: takesEffectAtMs } = row
  const { pending_daily_stake: stake, pending_daily_loss: loss } = row
  const pending = takesEffectAtMs === null ? null : { dailyStakeMinor: stake, dailyLossMinor: loss, takesEffectAtMs }
  return { limits: { dailyStakeMinor, dailyLossMinor, reminderMinutes, timeoutUntilMs }, pending }
}

/**
 * SQL for the stakes and the net loss of a player's bets of today in Vietnam; voided stakes do not count (rules §6.6).
 * The start of the day is a subquery, which is computed once, so that an index finds today's bets.
 */
const USED_TODAY = `select coalesce(sum(b.stake) filter (where b.status <> 'voided'), 0)::bigint as "stakedTodayMinor",
    coalesce(sum(-b.profit) filter (where b.status in ('won', 'lost')), 0)::bigint as "netLossTodayMinor"
  from bets b
 where b.user_id = u.id
   and b.accepted_at >= (
     select to_timestamp(floor((extract(epoch from clock_timestamp()) + 25200) / 86400) * 86400 - 25200))`

/**
 * Reads the limits of those players who have set limits, and their stakes and net losses of today. A caller that
 * decides on a bet or a refill has locked the players' accounts, so that every earlier bet counts.
 */
export async function readBettingLimits(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, UsedToday & { state: LimitsState }>> {
  const { rows } = await db.query<LimitsRow & UsedToday>(
    `select ${LIMITS_COLUMNS}, used.*
       from player_limits l join users u on u.id = l.user_id cross join lateral (${USED_TODAY}) used
      where l.user_id = any($1::uuid[])`,
    [userIds],
    { name: 'betting-limits' },
  )
  return new Map(
    rows.map(({ stakedTodayMinor, netLossTodayMinor, ...row }) => [
      row.user_id,
      { state: toLimits(row), stakedTodayMinor, netLossTodayMinor },
    ]),
  )
}

export function bettingLimitsAt(
  read: (UsedToday & { state: LimitsState }) | undefined,
  nowMs: number,
): BettingLimits | null {
  if (read === undefined) return null
  const { state, ...used } = read
  const { reminderMinutes: _, ...limits } = limitsAt(state, nowMs).limits
  return { ...limits, ...used }
}

export async function readLimitsView(db: Queryable, userId: string): Promise<PlayerLimitsView> {
  const { rows } = await db.query<LimitsRow & UsedToday & { now_ms: number }>(
    `select ${LIMITS_COLUMNS}, used.*, ${msSql('clock_timestamp()')} as now_ms
       from users u left join player_limits l on l.user_id = u.id cross join lateral (${USED_TODAY}) used
      where u.id = $1`,
    [userId],
  )
  const [row] = rows
  const serverTimeMs = Number(row?.now_ms)
  const { limits, pending } = limitsAt(toLimits(row?.user_id == null ? undefined : row), serverTimeMs)
  const { stakedTodayMinor = 0n, netLossTodayMinor = 0n } = row ?? {}
  return { ...limits, pending, stakedTodayMinor, netLossTodayMinor, serverTimeMs }
}
