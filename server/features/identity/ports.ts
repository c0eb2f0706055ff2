import type { LedgerGuard } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/db.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'

/** Hints to a user's own screens; never called inside a transaction. */
export interface AccountHints {
  accountChanged(userId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
}

/** What an operator sets (rules §4). */
export interface IdentitySettings {
  readonly referralCode: string
  readonly supportContact: string
  readonly teamName: string
  /** Whole points that a new player gets. */
  readonly welcomePoints: number
  /** Multiplies the limit on registrations, never the one on an account's passwords. */
  readonly rateLimitFactor: number
}

export interface IdentityDeps {
  readonly db: Database
  readonly settings: IdentitySettings
  readonly limits: RateLimits
  readonly hints: AccountHints
  /** False while the books are being checked: balances stay as they are (rules §3). */
  readonly ledger: Pick<LedgerGuard, 'isOpen'>
}

/** Where a request came from, as a session remembers it. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | null
}

export interface OpenedSession {
  readonly accessToken: string
  readonly mustChangePassword: boolean
  /** Kept by the client and sent with its next sign-in, so that others' failures leave it room (rules §4). */
  readonly deviceSecret: string
}
