/**
 * Identity: accounts, sessions, known devices, what staff change of a user. Owns users, sessions, known_devices and
 * password_attempts; emits account_changed and balance_changed through the hints it is given.
 */
export { ensureFirstAdmin } from './first-admin.ts'
export { startForgettingSignIns } from './forget-sign-ins.ts'
export type { AccountHints, IdentitySettings } from './ports.ts'
export { registerIdentity } from './routes.ts'
