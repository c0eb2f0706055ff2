import type { Database } from '#server/platform/database/db.ts'
import type { FourEyes } from '#server/features/four-eyes/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'

/** Notifications to connected clients; called only after the commit. */
export interface DisputeHints {
  /** The owner's and every admin's sockets. */
  disputeChanged(ownerId: string, disputeId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  /** The owner's notices have changed. */
  accountChanged(userId: string): void
}

export interface DisputeDeps {
  readonly db: Database
  readonly hints: DisputeHints
  readonly ledger: LedgerGuard
  readonly fourEyes: FourEyes
  /** Emits a message that was stored in a transaction to both sides of its conversation, after the commit. */
  readonly emitMessage: (stored: { readonly messageId: string; readonly isFirst: boolean }) => void
}
