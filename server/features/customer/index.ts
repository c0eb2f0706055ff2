/**
 * Customer: the page of one customer for staff, joined from the other features, and staff's notes about them. Owns
 * staff_notes; emits user_changed through the hints passed to it.
 */
export type { CustomerHints } from './notes.ts'
export { registerCustomer } from './routes.ts'
