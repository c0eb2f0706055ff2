import type { StaffUser } from './api.ts'

export type BulkAct = 'freeze' | 'unfreeze'

/** Why a chosen account is not acted on. */
export type LeftOutWhy = 'deleted' | 'self' | 'admin' | 'already'

export type BulkPlan = {
  readonly users: readonly StaffUser[]
  /** Only reasons that keep somebody out, with how many. */
  readonly leftOut: ReadonlyMap<LeftOutWhy, number>
}

/** The most accounts that are frozen in one go: a person still reads the result. */
export const BULK_MOST = 1_000

/** Which of the chosen accounts an act applies to. Staff are frozen one by one, by who has thought of it. */
export function planBulk(act: BulkAct, chosen: readonly StaffUser[], meId: string): BulkPlan {
  const whyNot = ({ id, role, isFrozen, deletedAtMs }: StaffUser): LeftOutWhy | null =>
    deletedAtMs !== null
      ? 'deleted'
      : id === meId
        ? 'self'
        : role === 'admin'
          ? 'admin'
          : isFrozen === (act === 'freeze')
            ? 'already'
            : null
  const leftOut = new Map<LeftOutWhy, number>()
  const users = chosen.filter((user) => {
    const why = whyNot(user)
    if (why !== null) leftOut.set(why, (leftOut.get(why) ?? 0) + 1)
    return why === null
  })
  return { users, leftOut }
}
