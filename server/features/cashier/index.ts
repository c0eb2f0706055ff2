/**
 * Cashier: requests to deposit and withdraw, each decided once. Owns cash_requests; emits transaction_changed,
 * balance_changed and account_changed through the hints passed to it.
 */
export { fileRequest } from './file-request.ts'
export type { CashierHints } from './ports.ts'
export { readPending } from './queries.ts'
export { registerCashier } from './routes.ts'
