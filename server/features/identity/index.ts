/**
 * Identity: accounts, sessions, known devices, staff edits of users. Owns users, sessions, known_devices and
 * password_attempts; emits account_changed and balance_changed through the hints passed to it.
 */
export { ensureFirstAdmin } from './first-admin.ts'
export { startForgettingSignIns } from './forget-sign-ins.ts'
export type { AccountHints, IdentitySettings } from './ports.ts'
export { registerIdentity } from './routes.ts'
export { trackSessionUses } from './session-uses.ts'
