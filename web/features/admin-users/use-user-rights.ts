import { useMay } from '#web/platform/use-may.ts'
import type { StaffUser } from './api.ts'

/** The acts on accounts that the signed-in admin may do (rules §4.5). */
export type UserRights = {
  readonly users: boolean
  readonly owner: boolean
  readonly balance: boolean
  /** Changes of name, password, freezing and the like: for another admin only by an owner. */
  readonly profile: (user: Pick<StaffUser, 'role'>, isSelf: boolean) => boolean
  /** Anything of the form: nobody adjusts the own balance. */
  readonly canEdit: (user: StaffUser, meId: string) => boolean
}

/** Reads which acts on accounts the signed-in admin may do; the server's rule is `neededForUpdate`. */
export function useUserRights(): UserRights {
  const [users, owner, balance] = [useMay('users'), useMay('owner'), useMay('money')]
  const profile: UserRights['profile'] = ({ role }, isSelf) => users && (role === 'player' || owner || isSelf)
  const canEdit: UserRights['canEdit'] = (user, meId) =>
    user.deletedAtMs === null && (profile(user, user.id === meId) || (balance && user.id !== meId))
  return { users, owner, balance, profile, canEdit }
}
