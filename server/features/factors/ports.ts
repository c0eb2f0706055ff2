import type { SecondFactorMode } from '#contract/limits.ts'

/** A code that was right before is `used`: it opens nothing, and whoever sends it does not guess (rules §4.7). */
export type Proven = 'right' | 'used' | 'wrong'

/** What second factors need to know of the installation. */
export interface FactorDeps {
  readonly settings: {
    /** Whether nobody, whoever has added one, or every admin has to prove a second factor (rules §4.10). */
    readonly staffSecondFactor: SecondFactorMode
    /** The origin that passkeys belong to; null offers none. */
    readonly publicOrigin: string | null
    readonly teamName: string
  }
  /** Which time step a TOTP code belongs to, in Unix ms. */
  readonly clock: { now(): number }
}
