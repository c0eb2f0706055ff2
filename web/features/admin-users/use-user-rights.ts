import { useMay } from '#web/platform/use-may.ts'
import type { StaffUser } from './api.ts'

export type UserRights = ReturnType<typeof useUserRights>

/** Returns what this admin may change on accounts (rules §4.5). `neededForUpdate` enforces it on the server. */
export function useUserRights() {
  const [users, owner, balance] = [useMay('users'), useMay('owner'), useMay('money')]
  /** True if this admin may edit (except the balance), freeze and delete the user. Another admin takes an owner. */
  const profile = ({ role }: Pick<StaffUser, 'role'>, isSelf: boolean) =>
    users && (role === 'player' || owner || isSelf)
  /** True if the admin may change at least one field of the form. Nobody may adjust their own balance. */
  const canEdit = (user: StaffUser, meId: string) =>
    user.deletedAtMs === null && (profile(user, user.id === meId) || (balance && user.id !== meId))
  return { users, owner, balance, profile, canEdit }
}
