export const ROLES = ['player', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The signed-in account of a request, read from the session row (rules §4). */
export interface Subject {
  readonly userId: string
  readonly username: string
  readonly sessionId: string
  readonly role: Role
  readonly isFrozen: boolean
  readonly mustChangePassword: boolean
}

/**
 * The accounts that a route admits.
 * - `session`: any signed-in account, also a frozen one and one whose password staff have set: /user/me and logout.
 * - `own-password`: also an account whose password staff have set, but no frozen one: change-password.
 * - `own-data`: also a frozen account: its own lists (rules §4).
 * - `player`: any signed-in account that is neither frozen nor required to change its password.
 * - `staff`: an ADMIN that is not frozen.
 */
export type Access = 'public' | 'session' | 'own-password' | 'own-data' | 'player' | 'staff'

export type AccessRefusal = 'FORBIDDEN' | 'ACCOUNT_PAUSED' | 'MUST_CHANGE_PASSWORD'

/** Decides whether a subject may call a route of this class. Every route uses this one rule. */
export function decideAccess(access: Access, subject: Subject): AccessRefusal | null {
  if (access === 'public' || access === 'session') return null
  if (access === 'own-password') return subject.isFrozen ? 'ACCOUNT_PAUSED' : null
  if (subject.mustChangePassword) return 'MUST_CHANGE_PASSWORD'
  if (access === 'own-data') return null
  if (subject.isFrozen) return 'ACCOUNT_PAUSED'
  return access === 'staff' && subject.role !== 'admin' ? 'FORBIDDEN' : null
}
