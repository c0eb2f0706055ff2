import { type Decision, refuse } from '../decision.ts'
import type { ScriptedOutcome } from '../game/bet.ts'
import type { Capability, Role } from './permissions.ts'
import { BALANCE_MAX_MINOR, type Minor } from '../money.ts'
import { isNameOfSystem, isPassword, isUsername } from './credentials.ts'

export interface UserProfile {
  readonly username: string
  readonly creditScore: number
  readonly vip: number | null
  readonly avatar: string | null
  readonly isFrozen: boolean
  readonly scriptedOutcome: ScriptedOutcome | null
}

export interface UserNow extends UserProfile {
  readonly id: string
  readonly isDeleted: boolean
  readonly balanceMinor: Minor
  /** Points in open bets and pending requests, which count against the balance limit, too (rules §3.1). */
  readonly besideMinor: Minor
  readonly rowVersion: bigint
  readonly walletVersion: bigint
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The fields that a request may change. An absent field means no change, and so does an empty or null password. */
export interface UserWish extends Optional<UserProfile> {
  readonly password?: string | null | undefined
  readonly balanceMinor?: Minor | undefined
  /** The request has no field but the balance and its reason. */
  readonly isBalanceAlone: boolean
  /** The version that the admin edited, and the balance at that version; null if the request names no version. */
  readonly version: {
    readonly row: bigint
    readonly wallet: bigint
    readonly balanceMinor: Minor | null
  } | null
}

type UserUpdateRefusal =
  | 'USER_DELETED'
  | 'NOT_YOURSELF'
  | 'LAST_OWNER'
  | 'STALE'
  | 'USERNAME_INVALID'
  | 'USERNAME_TAKEN'
  | 'PASSWORD_INVALID'
  | 'AMOUNT_LIMIT'

export type UserUpdateDecision = Decision<
  { changes: Partial<UserProfile>; newPassword: string | null; deltaMinor: Minor },
  UserUpdateRefusal
>

/** All fields of `UserProfile`: the type check fails if one is missing. */
const PROFILE_FIELDS = Object.keys({
  username: true,
  creditScore: true,
  vip: true,
  avatar: true,
  isFrozen: true,
  scriptedOutcome: true,
} satisfies Record<keyof UserProfile, true>) as readonly (keyof UserProfile)[]

/**
 * Decides the changes of a staff edit of a user (rules §3.8).
 * @param actor the admin, and whether they are the only active owner
 */
export function decideUserUpdate(
  now: UserNow,
  wish: UserWish,
  actor: { readonly id: string; readonly isOnlyOwner: boolean },
): UserUpdateDecision {
  if (now.isDeleted) return refuse('USER_DELETED')

  const changes: Record<string, unknown> = {}
  for (const field of PROFILE_FIELDS)
    if (wish[field] !== undefined && wish[field] !== now[field]) changes[field] = wish[field]
  const profile = changes as Partial<UserProfile>
  const newPassword = wish.password === undefined || wish.password === '' ? null : wish.password
  const balance = decideBalance(now, wish)

  if (actor.id === now.id) {
    if (profile.isFrozen === true && actor.isOnlyOwner) return refuse('LAST_OWNER')
    // Admins change their own password by another call, because this one ends all sessions of the user.
    const isOwnMatter = profile.isFrozen !== undefined || profile.scriptedOutcome !== undefined || newPassword !== null
    if (isOwnMatter || balance !== 'same') return refuse('NOT_YOURSELF')
  }

  const isRowStale = wish.version !== null && wish.version.row !== now.rowVersion
  const hasProfileChange = Object.keys(changes).length > 0 || newPassword !== null
  if (balance === 'stale' || (isRowStale && hasProfileChange)) return refuse('STALE')

  if (profile.username !== undefined && !isUsername(profile.username)) return refuse('USERNAME_INVALID')
  if (profile.username !== undefined && isNameOfSystem(profile.username)) return refuse('USERNAME_TAKEN')
  if (newPassword !== null && !isPassword(newPassword)) return refuse('PASSWORD_INVALID')
  const deltaMinor = balance === 'same' ? 0n : balance - now.balanceMinor
  if (balance !== 'same' && !canAdjust(now, deltaMinor)) return refuse('AMOUNT_LIMIT')
  return { ok: true, changes: profile, newPassword, deltaMinor }
}

export function canAdjust(now: Pick<UserNow, 'balanceMinor' | 'besideMinor'>, deltaMinor: Minor): boolean {
  const after = now.balanceMinor + deltaMinor
  if (after < 0n || after > BALANCE_MAX_MINOR) return false
  return deltaMinor <= 0n || after + now.besideMinor <= BALANCE_MAX_MINOR
}

/** Returns the balance to set; `same` for no change, `stale` if the wallet may have changed since the admin saw it. */
function decideBalance(now: UserNow, { balanceMinor, isBalanceAlone, version }: UserWish): Minor | 'same' | 'stale' {
  if (balanceMinor === undefined) return 'same'
  if (version === null) {
    if (balanceMinor === now.balanceMinor) return 'same'
    return isBalanceAlone ? balanceMinor : 'stale'
  }
  if (balanceMinor === version.balanceMinor) return 'same'
  return version.wallet === now.walletVersion ? balanceMinor : 'stale'
}

/** Returns the capabilities that an edit needs. The admin must have all of them (rules §4.5). */
export function neededForUpdate(
  edit: Extract<UserUpdateDecision, { readonly ok: true }>,
  target: { readonly role: Role; readonly isOneself: boolean },
): readonly Capability[] {
  const isProfile = Object.keys(edit.changes).length > 0 || edit.newPassword !== null
  return [
    ...(edit.deltaMinor === 0n ? [] : (['money'] as const)),
    ...(isProfile ? (['users'] as const) : []),
    ...(isProfile && target.role === 'admin' && !target.isOneself ? (['owner'] as const) : []),
  ]
}
