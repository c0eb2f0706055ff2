import type { StaffRound } from '#domain/game/round.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { lockTip } from '#server/features/audit/index.ts'
import { hasTickAtSql } from '#server/features/market/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { ROUND_COLUMNS, type RoundRow } from './rows.ts'

/**
 * Locks the round, the actor's user row and session, and the tip of the audit log (rules §3.9). Reads the clock after
 * these locks, because an act must still be in time after it has waited for them (rules §2.9).
 */
export async function lockRound(tx: Tx, subject: Subject, roundId: string) {
  const { rows } = await tx.query<RoundRow>(`select ${ROUND_COLUMNS} from rounds r where r.id = $1 for update`, [
    roundId,
  ])
  const actor = await lockSubject(tx, subject, 'staff:rounds')
  if (isRefused(actor)) return actor
  await lockTip(tx)
  const { nowMs, isExitTold } = onlyRow(await tx.query<{ nowMs: number; isExitTold: boolean }>(NOW, [roundId]))
  const round = rows[0] ?? null
  const staff: StaffRound | null =
    round === null
      ? null
      : {
          type: round.type,
          status: round.status,
          isDeleted: round.deleted_at !== null,
          closesAtMs: round.closes_at.getTime(),
          staffDirection: round.staff_direction,
          isExitTold,
        }
  return { round, staff, nowMs }
}

const NOW = `select ${msSql('clock_timestamp()')} as "nowMs",
  exists (select 1 from rounds r where r.id = $1 and ${hasTickAtSql('r.price_source', 'r.closes_at')}) as "isExitTold"`
