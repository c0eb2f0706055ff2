import type { StaffUser } from './api.ts'

export type BulkAct = 'freeze' | 'unfreeze'

/** Why a chosen account is left out. */
export type LeftOutWhy = 'deleted' | 'self' | 'admin' | 'already'

export type BulkPlan = {
  readonly users: readonly StaffUser[]
  /** The number of accounts that each reason leaves out; a reason without accounts is absent. */
  readonly leftOut: ReadonlyMap<LeftOutWhy, number>
}

/** The most accounts in one bulk act, because a person still has to read the outcome of each. */
export const BULK_MOST = 1_000

/** Splits the chosen accounts into those that an act applies to and the others. Admins are decided on one by one. */
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
