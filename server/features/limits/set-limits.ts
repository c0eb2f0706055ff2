import { decideLimits, type PlayerLimits } from '#domain/game/limits.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse, refuseUntil } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { LIMITS_COLUMNS, type LimitsRow, toLimits } from './queries.ts'

/** Sets a player's own limits. The user's row is locked, so a bet sees the old or the new limits (rules §6.6). */
export const setLimits = (db: Database, subject: Subject, wish: PlayerLimits) =>
  acting(db, subject, 'player', async (tx) => {
    const [current, nowMs] = await Promise.all([
      tx.query<LimitsRow>(`select ${LIMITS_COLUMNS} from player_limits l where l.user_id = $1 for update`, [
        subject.userId,
      ]),
      readNowMs(tx),
    ])
    const before = toLimits(current.rows[0])
    const decision = decideLimits(before, wish, nowMs)
    if (!decision.ok)
      return decision.refusal === 'TIMEOUT_CANNOT_SHRINK'
        ? refuseUntil(decision.refusal, before.limits.timeoutUntilMs)
        : refuse(decision.refusal)
    const { limits, pending } = decision.state
    await tx.query(
      `insert into player_limits (user_id, daily_stake, daily_loss, reminder_minutes, timeout_until, pending_daily_stake,
         pending_daily_loss, pending_from)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (user_id) do update set daily_stake = excluded.daily_stake, daily_loss = excluded.daily_loss,
         reminder_minutes = excluded.reminder_minutes, timeout_until = excluded.timeout_until,
         pending_daily_stake = excluded.pending_daily_stake, pending_daily_loss = excluded.pending_daily_loss,
         pending_from = excluded.pending_from, updated_at = clock_timestamp()`,
      [
        subject.userId,
        limits.dailyStakeMinor,
        limits.dailyLossMinor,
        limits.reminderMinutes,
        limits.timeoutUntilMs === null ? null : new Date(limits.timeoutUntilMs),
        pending?.dailyStakeMinor ?? null,
        pending?.dailyLossMinor ?? null,
        pending === null ? null : new Date(pending.takesEffectAtMs),
      ],
    )
    return null
  })
