import type { FourEyes } from '#server/features/four-eyes/index.ts'
import type { Database } from '#server/platform/database/db.ts'

/** Notifications to connected clients; called only after the commit. */
export interface CashierHints {
  /** Admins reload the list of requests. */
  requestChanged(requestId: string): void
  /** The admins' pages fetch again who has which request open. */
  requestViewed(requestId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  /** The owner's requests have changed. */
  accountChanged(userId: string): void
}

export interface CashierDeps {
  readonly db: Database
  readonly hints: CashierHints
  readonly fourEyes: FourEyes
}
