/**
 * Customer: the page of one customer for staff, joined from the other features, and what staff note about them. Owns
 * staff_notes. Emits nothing.
 */
export { registerCustomer } from './routes.ts'
