import type { FourEyes } from '#server/features/four-eyes/index.ts'
import type { Database } from '#server/platform/database/db.ts'

/** Callbacks that emit socket events; they are called only after the commit. */
export interface CashierHints {
  requestChanged(requestId: string): void
  requestViewed(requestId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  accountChanged(userId: string): void
}

export interface CashierDeps {
  readonly db: Database
  readonly hints: CashierHints
  readonly fourEyes: FourEyes
}
