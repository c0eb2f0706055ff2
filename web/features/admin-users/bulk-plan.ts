import type { StaffUser } from './api.ts'

export type BulkAct = 'freeze' | 'unfreeze'

/** Why a chosen account is not acted on. */
export type LeftOutWhy = 'deleted' | 'self' | 'admin' | 'already'

export type BulkPlan = {
  readonly users: readonly StaffUser[]
  /** Only reasons that keep at least one account out, with the number of accounts. */
  readonly leftOut: ReadonlyMap<LeftOutWhy, number>
}

/** The most accounts that are frozen in one go: a person still reads the result. */
export const BULK_MOST = 1_000

/**
 * Splits the chosen accounts into those that an act applies to and the others. Staff are never frozen in bulk: that
 * needs a decision about each.
 */
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
