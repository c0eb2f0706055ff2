import type { StaffUser } from './api.ts'

export type BulkAct = 'freeze' | 'unfreeze'

/** The reason why a chosen account is left out. */
export type LeftOutWhy = 'deleted' | 'self' | 'admin' | 'already'

export type BulkPlan = ReturnType<typeof planBulk>

/** The highest number of accounts in one bulk act (rules §6.1). */
export const BULK_MOST = 1_000

/**
 * Splits the chosen accounts into the accounts to which the act applies and those that are left out, counted by reason.
 * A reason without accounts is absent.
 */
export function planBulk(act: BulkAct, chosen: readonly StaffUser[], meId: string) {
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
