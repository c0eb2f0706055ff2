import type { SecondFactorMode } from '#contract/limits.ts'

/**
 * `used`: the code is genuine, but it or a later code has been used before. Such a code proves nothing, but does not
 * count as a guess (rules §4.10).
 */
export type Proven = 'right' | 'used' | 'wrong'

export interface FactorDeps {
  readonly settings: {
    /** Which admins have to prove a second factor: none, those who have added one, or all (rules §4.10). */
    readonly staffSecondFactor: SecondFactorMode
    /** The origin that passkeys belong to; null if passkeys are not offered. */
    readonly publicOrigin: string | null
    readonly teamName: string
  }
  readonly clock: { now(): number }
}
