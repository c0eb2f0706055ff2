import type { PlayerLimitsView } from '#contract/player-limits.ts'
import type { BettingLimits } from '#domain/game/bet.ts'
import { type LimitsState, limitsAt, NO_LIMITS } from '#domain/game/limits.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'

export interface LimitsRow extends Row {
  user_id: string
  daily_stake: bigint | null
  daily_loss: bigint | null
  reminder_minutes: number | null
  timeout_until: Date | null
  pending_daily_stake: bigint | null
  pending_daily_loss: bigint | null
  pending_from: Date | null
}

interface UsedRow extends LimitsRow {
  staked: bigint
  net_loss: bigint
}

export const LIMITS_COLUMNS = `l.user_id, l.daily_stake, l.daily_loss, l.reminder_minutes, l.timeout_until,
  l.pending_daily_stake, l.pending_daily_loss, l.pending_from`

export const toLimits = (row: LimitsRow | undefined): LimitsState =>
  row === undefined
    ? NO_LIMITS
    : {
        limits: {
          dailyStakeMinor: row.daily_stake,
          dailyLossMinor: row.daily_loss,
          reminderMinutes: row.reminder_minutes,
          timeoutUntilMs: row.timeout_until === null ? null : row.timeout_until.getTime(),
        },
        pending:
          row.pending_from === null
            ? null
            : {
                dailyStakeMinor: row.pending_daily_stake,
                dailyLossMinor: row.pending_daily_loss,
                takesEffectAtMs: row.pending_from.getTime(),
              },
      }

/**
 * How much of a player's limits today's bets have used, by their acceptance in Asia/Ho_Chi_Minh (UTC+7 all year);
 * voided stakes don't count (rules §6). The day's first instant is a query of its own: compared with the clock itself,
 * which changes from row to row, all bets that the player ever placed would be read.
 */
const USED_TODAY = `select coalesce(sum(b.stake) filter (where b.status <> 'voided'), 0)::bigint as staked,
    coalesce(sum(-b.profit) filter (where b.status in ('won', 'lost')), 0)::bigint as net_loss
  from bets b
 where b.user_id = u.id
   and b.accepted_at >= (
     select to_timestamp(floor((extract(epoch from clock_timestamp()) + 25200) / 86400) * 86400 - 25200))`

/**
 * Of those players who have limits. Read it after the players' account locks: any earlier bet of theirs counts then.
 */
export async function readBettingLimits(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, { state: LimitsState; stakedTodayMinor: bigint; netLossTodayMinor: bigint }>> {
  const { rows } = await db.query<UsedRow>(
    `select ${LIMITS_COLUMNS}, used.staked, used.net_loss
       from player_limits l join users u on u.id = l.user_id cross join lateral (${USED_TODAY}) used
      where l.user_id = any($1::uuid[])`,
    [userIds],
    { name: 'betting-limits' },
  )
  return new Map(
    rows.map((row) => [
      row.user_id,
      { state: toLimits(row), stakedTodayMinor: row.staked, netLossTodayMinor: row.net_loss },
    ]),
  )
}

export function bettingLimitsAt(
  read: { state: LimitsState; stakedTodayMinor: bigint; netLossTodayMinor: bigint } | undefined,
  nowMs: number,
): BettingLimits | null {
  if (read === undefined) return null
  const { limits } = limitsAt(read.state, nowMs)
  return {
    dailyStakeMinor: limits.dailyStakeMinor,
    dailyLossMinor: limits.dailyLossMinor,
    timeoutUntilMs: limits.timeoutUntilMs,
    stakedTodayMinor: read.stakedTodayMinor,
    netLossTodayMinor: read.netLossTodayMinor,
  }
}

async function readOwnLimits(
  db: Queryable,
  userId: string,
): Promise<{ state: LimitsState; stakedTodayMinor: bigint; netLossTodayMinor: bigint; nowMs: number }> {
  const { rows } = await db.query<UsedRow & { now_ms: bigint }>(
    `select ${LIMITS_COLUMNS}, used.staked, used.net_loss,
            floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
       from users u left join player_limits l on l.user_id = u.id cross join lateral (${USED_TODAY}) used
      where u.id = $1`,
    [userId],
  )
  const row = rows[0]
  const nowMs = Number(row?.now_ms)
  return {
    state: limitsAt(toLimits(row?.user_id == null ? undefined : row), nowMs),
    stakedTodayMinor: row?.staked ?? 0n,
    netLossTodayMinor: row?.net_loss ?? 0n,
    nowMs,
  }
}

export async function readLimitsView(db: Queryable, userId: string): Promise<PlayerLimitsView> {
  const { state, stakedTodayMinor, netLossTodayMinor, nowMs } = await readOwnLimits(db, userId)
  return { ...state.limits, pending: state.pending, stakedTodayMinor, netLossTodayMinor, serverTimeMs: nowMs }
}
