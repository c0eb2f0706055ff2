import { useMay } from '#web/platform/use-may.ts'
import type { StaffUser } from './api.ts'

export type UserRights = ReturnType<typeof useUserRights>

/** The acts on accounts that the signed-in admin may do (rules §4.5); the server's rule is `neededForUpdate`. */
export function useUserRights() {
  const [users, owner, balance] = [useMay('users'), useMay('owner'), useMay('money')]
  /** Changes of name, password, freezing and the like: for another admin only by an owner. */
  const profile = ({ role }: Pick<StaffUser, 'role'>, isSelf: boolean) =>
    users && (role === 'player' || owner || isSelf)
  /** Anything of the form: nobody adjusts the own balance. */
  const canEdit = (user: StaffUser, meId: string) =>
    user.deletedAtMs === null && (profile(user, user.id === meId) || (balance && user.id !== meId))
  return { users, owner, balance, profile, canEdit }
}
