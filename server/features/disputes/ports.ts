import type { Database } from '#server/platform/database/db.ts'
import type { FourEyes } from '#server/features/four-eyes/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'

/** Callbacks that emit socket events; they are called only after the commit. */
export interface DisputeHints {
  disputeChanged(ownerId: string, disputeId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  accountChanged(userId: string): void
}

export interface DisputeDeps {
  readonly db: Database
  readonly hints: DisputeHints
  readonly ledger: LedgerGuard
  readonly fourEyes: FourEyes
  /** Emits a stored message to both sides of its conversation; called after the commit. */
  readonly emitMessage: (stored: { readonly messageId: string; readonly isFirst: boolean }) => void
}
