import type { StaffRound } from '#domain/game/round.ts'
import type { Tx } from '#server/platform/db.ts'
import { ROUND_COLUMNS, type RoundRow } from './rows.ts'

/** Locks a round for a staff act and reads the database's clock after the lock was granted (rules §2). */
export async function lockRound(
  tx: Tx,
  roundId: string,
): Promise<{ round: RoundRow | null; staff: StaffRound | null; nowMs: number }> {
  const [rounds, now] = await Promise.all([
    tx.query<RoundRow>(`select ${ROUND_COLUMNS} from rounds r where r.id = $1 for update`, [roundId]),
    tx.query<{ now_ms: bigint }>(`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`),
  ])
  const round = rounds.rows[0] ?? null
  return {
    round,
    staff:
      round === null
        ? null
        : {
            type: round.type,
            status: round.status,
            isDeleted: round.deleted_at !== null,
            closesAtMs: round.closes_at.getTime(),
            staffDirection: round.staff_direction,
          },
    nowMs: Number(now.rows[0]?.now_ms),
  }
}
