import type { ScriptedOutcome } from '../game/bet.ts'
import { BALANCE_MAX_MINOR, type Minor } from '../money.ts'
import { isPassword, isUsername } from './credentials.ts'

/** What staff edit beside balance and password. */
export interface UserProfile {
  readonly username: string
  readonly creditScore: number
  readonly vip: number | null
  readonly avatar: string | null
  readonly isFrozen: boolean
  readonly scriptedOutcome: ScriptedOutcome | null
}

/** A user as read under the locks of the change. */
export interface UserNow extends UserProfile {
  readonly id: string
  readonly isDeleted: boolean
  readonly balanceMinor: Minor
  /** In open bets, pending withdrawals and pending deposits: counts against the balance limit too (rules §3). */
  readonly besideMinor: Minor
  /** Writes of fields that staff edit. */
  readonly rowVersion: bigint
  /** Transfers that touched the wallet. */
  readonly walletVersion: bigint
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** What was sent: an absent field is no wish. An empty or null password is none either. */
export interface UserWish extends Optional<UserProfile> {
  readonly password?: string | null | undefined
  readonly balanceMinor?: Minor | undefined
  /** True when the balance, with or without a reason, is all that was sent. */
  readonly isBalanceAlone: boolean
  /** The copy the wish was made from; null when none was named. */
  readonly version: {
    readonly row: bigint
    readonly wallet: bigint
    /** The balance after that transfer; null when there is no such transfer. */
    readonly balanceMinor: Minor | null
  } | null
}

export type UserUpdateRefusal =
  | 'USER_DELETED'
  | 'NOT_YOURSELF'
  | 'LAST_ADMIN'
  | 'STALE'
  | 'USERNAME_INVALID'
  | 'PASSWORD_INVALID'
  | 'AMOUNT_LIMIT'

export type UserUpdateDecision =
  | { readonly ok: false; readonly refusal: UserUpdateRefusal }
  | {
      readonly ok: true
      readonly changes: Optional<UserProfile>
      readonly newPassword: string | null
      /** What an adjustment must add to the wallet. */
      readonly deltaMinor: Minor
    }

/** An object, so that the type checker misses a field that is forgotten here: it would be accepted and never saved. */
const PROFILE_FIELDS = Object.keys({
  username: true,
  creditScore: true,
  vip: true,
  avatar: true,
  isFrozen: true,
  scriptedOutcome: true,
} satisfies Record<keyof UserProfile, true>) as readonly (keyof UserProfile)[]

/**
 * Judges a staff change of a user against the copy it was made from (rules §3), so that neither another admin's change
 * nor a bet that moved the wallet meanwhile is undone by a whole user sent back.
 * @param actor who asks, and whether nobody else is an active admin
 */
export function decideUserUpdate(
  now: UserNow,
  wish: UserWish,
  actor: { readonly id: string; readonly isOnlyAdmin: boolean },
): UserUpdateDecision {
  const refuse = (refusal: UserUpdateRefusal): UserUpdateDecision => ({ ok: false, refusal })
  if (now.isDeleted) return refuse('USER_DELETED')

  const changes: Record<string, unknown> = {}
  for (const field of PROFILE_FIELDS)
    if (wish[field] !== undefined && wish[field] !== now[field]) changes[field] = wish[field]
  const profile = changes as Optional<UserProfile>
  const newPassword = wish.password === undefined || wish.password === '' ? null : wish.password
  const balance = decideBalance(now, wish)

  if (actor.id === now.id) {
    if (profile.isFrozen === true && actor.isOnlyAdmin) return refuse('LAST_ADMIN')
    // The own password is changed by who knows it; this way would sign oneself out with a password "set by staff".
    const isOwnMatter = profile.isFrozen !== undefined || profile.scriptedOutcome !== undefined || newPassword !== null
    if (isOwnMatter || balance !== 'same') return refuse('NOT_YOURSELF')
  }

  const isRowStale = wish.version !== null && wish.version.row !== now.rowVersion
  const hasProfileChange = Object.keys(changes).length > 0 || newPassword !== null
  if (balance === 'stale' || (isRowStale && hasProfileChange)) return refuse('STALE')

  if (profile.username !== undefined && !isUsername(profile.username)) return refuse('USERNAME_INVALID')
  if (newPassword !== null && !isPassword(newPassword)) return refuse('PASSWORD_INVALID')
  const deltaMinor = balance === 'same' ? 0n : balance - now.balanceMinor
  if (balance !== 'same' && (balance < 0n || balance > BALANCE_MAX_MINOR)) return refuse('AMOUNT_LIMIT')
  if (balance !== 'same' && deltaMinor > 0n && balance + now.besideMinor > BALANCE_MAX_MINOR)
    return refuse('AMOUNT_LIMIT')
  return { ok: true, changes: profile, newPassword, deltaMinor }
}

/** The balance that is wished for; `same` when none other is; `stale` when it was wished on a copy that is no longer true. */
function decideBalance(now: UserNow, { balanceMinor, isBalanceAlone, version }: UserWish): Minor | 'same' | 'stale' {
  if (balanceMinor === undefined) return 'same'
  if (version === null) {
    if (balanceMinor === now.balanceMinor) return 'same'
    return isBalanceAlone ? balanceMinor : 'stale'
  }
  // What the copy showed is no wish, even when the wallet has moved on since.
  if (balanceMinor === version.balanceMinor) return 'same'
  return version.wallet === now.walletVersion ? balanceMinor : 'stale'
}
