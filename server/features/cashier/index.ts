/**
 * Cashier: requests to deposit and withdraw, each decided once. Owns cash_requests and request_views; emits
 * transaction_changed, transaction_viewed, balance_changed and account_changed through `CashierHints`.
 */
export { approveProposed } from './decide-request.ts'
export { fileRequest } from './file-request.ts'
export type { CashierHints } from './ports.ts'
export { listRequests, readPending, readRequest } from './queries.ts'
export { registerCashier } from './routes.ts'
