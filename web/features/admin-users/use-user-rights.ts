import { useMay } from '#web/platform/use-may.ts'
import type { StaffUser } from './api.ts'

export type UserRights = ReturnType<typeof useUserRights>

/** Returns the rights of this admin to change accounts (rules §4.5). */
export function useUserRights() {
  const [users, owner, balance] = [useMay('users'), useMay('owner'), useMay('money')]
  /** True if this admin may edit the user except the balance. For another admin's account, `owner` is needed, too. */
  const profile = ({ role }: Pick<StaffUser, 'role'>, isSelf: boolean) =>
    users && (role === 'player' || owner || isSelf)
  /** True if this admin may change at least one field of the form. Nobody may adjust their own balance (rules §1.2). */
  const canEdit = (user: StaffUser, meId: string) =>
    user.deletedAtMs === null && (profile(user, user.id === meId) || (balance && user.id !== meId))
  return { users, owner, balance, profile, canEdit }
}
