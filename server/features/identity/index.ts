/**
 * Identity: accounts, sessions, known devices, staff edits of users. Owns users, sessions, known_devices and
 * password_attempts; emits account_changed, balance_changed and notices_changed through `AccountHints`.
 */
export { ensureFirstAdmin, isAdminPasswordUnused } from './first-admin.ts'
export { requireFactors } from './fresh-factor.ts'
export { startForgettingSignIns } from './forget-sign-ins.ts'
export { actOnAdmin, STAFF_ACTS, type StaffAct, type StaffActReport } from './operator-acts.ts'
export type { AccountHints, IdentitySettings } from './ports.ts'
export { newestNamed, readStaffUser } from './queries.ts'
export { registerIdentity } from './routes.ts'
export { trackSessionUses } from './session-uses.ts'
export { adjustProposed } from './update-user.ts'
