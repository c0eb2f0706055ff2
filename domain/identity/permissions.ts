export const ROLES = ['player', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The rights of an admin beside reading (rules §4.5). No capability contains another one. */
export const CAPABILITIES = ['money', 'care', 'rounds', 'users', 'owner'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface Subject {
  readonly userId: string
  readonly username: string
  readonly sessionId: string
  readonly role: Role
  readonly capabilities: readonly Capability[]
  readonly isFrozen: boolean
  readonly mustChangePassword: boolean
  readonly mustAddFactor?: boolean
  /** This session has to prove the account's second factor first (rules §4.10). */
  readonly mustProveFactor?: boolean
  /** The call needs a fresh second factor, which the act checks again under its locks (rules §4.1). */
  readonly needsFreshFactor?: boolean
}

export type StaffAccess = 'staff' | `staff:${Capability}`

/**
 * The signed-in accounts that a route admits; `public` needs none.
 * - `session`: every account, for /user/me and logout.
 * - `own-password`: an account that is not frozen and need not prove a second factor, for change-password.
 * - `player`: an account that is not frozen and need not change its password, nor add or prove a second factor.
 * - `own-data`: the accounts of `player`, and frozen ones, for their own lists (rules §4.6).
 * - `own-factor`: an ADMIN, as in `player`, but also one who has to add or to prove a second factor.
 * - `own-passkey`: the accounts of `own-factor` and of `player`.
 * - `staff`, `staff:…`: an ADMIN that `player` admits, with the capability that is named.
 */
export type Access =
  | 'public'
  | 'session'
  | 'own-password'
  | 'own-data'
  | 'player'
  | 'own-factor'
  | 'own-passkey'
  | StaffAccess

export type AccessRefusal =
  | 'FORBIDDEN'
  | 'ACCOUNT_PAUSED'
  | 'MUST_CHANGE_PASSWORD'
  | 'MUST_ADD_FACTOR'
  | 'FACTOR_REQUIRED'
  | 'CAPABILITY_MISSING'

export function decideAccess(access: Access, subject: Subject): AccessRefusal | null {
  if (access === 'public' || access === 'session') return null
  if (access === 'own-password' && subject.isFrozen) return 'ACCOUNT_PAUSED'
  if (subject.mustChangePassword && access !== 'own-password') return 'MUST_CHANGE_PASSWORD'
  const isOwnFactor = access === 'own-factor' || access === 'own-passkey'
  if (subject.mustProveFactor === true && !isOwnFactor) return 'FACTOR_REQUIRED'
  if (access === 'own-password') return null
  if (subject.mustAddFactor === true && !isOwnFactor) return 'MUST_ADD_FACTOR'
  if (access === 'own-data') return null
  if (subject.isFrozen) return 'ACCOUNT_PAUSED'
  if (access === 'player' || access === 'own-passkey') return null
  if (subject.role !== 'admin') return 'FORBIDDEN'
  if (access === 'own-factor') return null
  const needed = capabilityOf(access)
  return needed === null || subject.capabilities.includes(needed) ? null : 'CAPABILITY_MISSING'
}

export interface Admission {
  readonly access: Access
  /**
   * The access that an ADMIN needs for a call that players make as well. An ADMIN who lacks this access is refused,
   * except on `own-data`, where they read only their own data, as a player does.
   */
  readonly asStaff?: StaffAccess
}

export function decideAdmission({ access, asStaff }: Admission, subject: Subject): AccessRefusal | null {
  const refusal = decideAccess(access, subject)
  const isJudged = asStaff !== undefined && access !== 'own-data' && subject.role === 'admin'
  return refusal === null && isJudged ? decideAccess(asStaff, subject) : refusal
}

export const capabilityOf = (access: StaffAccess): Capability | null =>
  CAPABILITIES.find((capability) => access === `staff:${capability}`) ?? null

export const inOrder = (capabilities: readonly Capability[]): Capability[] =>
  CAPABILITIES.filter((capability) => capabilities.includes(capability))
