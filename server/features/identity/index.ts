/**
 * Identity: accounts, sessions, what staff change of a user. Owns users and sessions; emits account_changed and
 * balance_changed through the hints it is given.
 */
export { ensureFirstAdmin } from './first-admin.ts'
export { startForgettingSessions } from './forget-sessions.ts'
export type { AccountHints, IdentitySettings } from './ports.ts'
export { registerIdentity } from './routes.ts'
