/**
 * Wallet: the books. Owns ledger_accounts, ledger_transfers, ledger_checkpoint, ledger_checkpoint_balances,
 * account_totals, account_totals_mark and idempotency_keys. Emits no events: the commands that move points do so.
 */
export { readTotalsAtMs, startTotalling, totalAccounts } from './account-totals.ts'
export { actorNameSql } from './actor-name.ts'
export { type LockedAccount, lockAccounts, lockFreeAccounts, openAccounts } from './accounts.ts'
export { type Booking, bookingStatement, OverdrawnError, startBooking } from './booking.ts'
export { auditLedger, type LedgerAudit } from './explain-transfers.ts'
export { type LedgerGuard, startLedgerGuard } from './guard.ts'
export {
  claimOf,
  findRepeat,
  findRepeats,
  type IdempotencyClaim,
  keepAnswer,
  keptAnswersCte,
  keptAnswersValues,
} from './idempotency.ts'
export { countLedger, listLedger, positionAt, standingsAt } from './queries.ts'
export { postTransfers } from './post-transfers.ts'
export { registerWallet } from './routes.ts'
export { clearLedgerFailure, type LedgerReport, readLedgerState, verifyLedger } from './verify-ledger.ts'
