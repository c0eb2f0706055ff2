import { setTimeout as sleep } from 'node:timers/promises'
import { addressKey, type RateLimits } from '#server/platform/rate-limits.ts'

/** Failures of an (account, address) pair until it is blocked, and for how long (rules §4). No factor applies. */
const PAIR_FAILURES = 10
const BLOCK_S = 15 * 60

/** From so many failures of an account on, wherever they come from, each further attempt waits. It never locks. */
const SLOW_FROM = 20
const SLOW_STEP_MS = 100
const SLOW_MAX_MS = 3_000
const SLOW_WINDOW_S = 15 * 60

export interface PasswordLimits {
  /**
   * Runs one attempt at an account's password. It counts as failed before it begins, so that attempts made at the same
   * time are not free, and as nothing again when it succeeds.
   * @returns what `attempt` answered, or the seconds to wait when there are no attempts left
   */
  guard<T>(account: string, ip: string, attempt: () => Promise<T | null>): Promise<T | null | { blockedForS: number }>
}

export function createPasswordLimits(limits: RateLimits): PasswordLimits {
  const byPair = limits.limit('password', PAIR_FAILURES, BLOCK_S)
  const byAccount = limits.limit('password-account', Number.MAX_SAFE_INTEGER, SLOW_WINDOW_S)

  return {
    async guard(account, ip, attempt) {
      const pair = `${account}:${addressKey(ip)}`
      const waitS = await byPair.take(pair)
      if (waitS !== null) return { blockedForS: waitS }
      const failures = await byAccount.taken(account)
      if (failures >= SLOW_FROM) await sleep(Math.min(SLOW_MAX_MS, (failures - SLOW_FROM + 1) * SLOW_STEP_MS))
      const result = await attempt()
      if (result !== null) {
        await byPair.clear(pair)
        return result
      }
      await byAccount.take(account)
      // Counted from the last failure, not from the first.
      if ((await byPair.taken(pair)) >= PAIR_FAILURES) await byPair.block(pair, BLOCK_S)
      return null
    },
  }
}
