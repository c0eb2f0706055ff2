/**
 * Customer: the page of one customer for staff, joined from the other features, and staff's notes about customers. Owns
 * staff_notes; emits user_changed through `CustomerHints`.
 */
export type { CustomerHints } from './notes.ts'
export { registerCustomer } from './routes.ts'
