import type { Database } from '#server/platform/db.ts'

/** Hints to whoever watches; called after the commit only. */
export interface CashierHints {
  /** Admins look at the list again. */
  requestChanged(requestId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  /** The owner's requests have changed. */
  accountChanged(userId: string): void
}

export interface CashierDeps {
  readonly db: Database
  readonly hints: CashierHints
}
