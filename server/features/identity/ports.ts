import type { FourEyes } from '#server/features/four-eyes/index.ts'
import type { FactorDeps } from '#server/features/factors/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'

/** Callbacks that emit socket events about a user. To be called after the commit, never inside a transaction. */
export interface AccountHints {
  accountChanged(userId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
  noticesChanged(userId: string): void
}

export interface IdentitySettings extends Omit<FactorDeps['settings'], 'teamName'> {
  readonly referralCode: string
  /** With `secret`, the public configuration does not contain the referral code. */
  readonly referralRequired: 'public' | 'secret'
  readonly supportContact: string
  readonly teamName: string
  /** In whole points. */
  readonly welcomePoints: number
}

export interface IdentityDeps {
  readonly db: Database
  readonly settings: IdentitySettings
  readonly limits: RateLimits
  readonly hints: AccountHints
  /** `isOpen` is false after a failed check of the books: no balance is adjusted then (rules §3.4). */
  readonly ledger: Pick<LedgerGuard, 'isOpen'>
  readonly fourEyes: FourEyes
  readonly clock: { now(): number }
}

export interface Origin {
  readonly ip: string
  readonly userAgent: string | null
}

export interface OpenedSession {
  readonly accessToken: string
  readonly mustChangePassword: boolean
  /** The client sends this with its next sign-in, so that failures on other devices do not block it (rules §4.7). */
  readonly deviceSecret: string
}
