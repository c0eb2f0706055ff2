import { monotonicMs } from '#server/platform/process/clock.ts'
import type { RedisClient } from '#server/platform/sockets/redis.ts'

export interface Limit {
  /** Takes a token and returns null. If none is left, returns the whole seconds until the next token. */
  take(key: string): Promise<number | null>
  giveBack(key: string): Promise<void>
}

/**
 * A bucket is stored as one number: the time at which it is full again. Taking a token moves this time on by `stepMs`,
 * and is possible while this time is at most `burst - 1` steps after now.
 */
export interface Filling {
  readonly stepMs: number
  readonly burst: number
}

/** Sums of times have rounding errors, so a wait of up to this many ms counts as none. */
const ROUNDING_MS = 0.01

export function takeToken(
  { stepMs, burst }: Filling,
  fullAtMs: number,
  nowMs: number,
): { readonly fullAtMs: number; readonly waitMs: number } {
  const fromMs = Math.max(fullAtMs, nowMs)
  const waitMs = fromMs - nowMs - (burst - 1) * stepMs
  return waitMs > ROUNDING_MS ? { fullAtMs: fromMs, waitMs } : { fullAtMs: fromMs + stepMs, waitMs: 0 }
}

/** Does what takeToken does, by the clock of Redis, and returns the wait in ms. A negative step gives a token back. */
const SCRIPT = `local now = redis.call('TIME')
now = now[1] * 1000 + now[2] / 1000
local step, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = full - now - (burst - 1) * step
if step > 0 and wait > ${ROUNDING_MS} then return math.ceil(wait) end
full = math.max(full + step, now)
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now) + 1)
return 0`

const KEPT_AT_MOST = 10_000

/**
 * Makes a limit that refills continuously. A limit by windows would allow nearly twice the calls around the end of a
 * window (decision 011). Counts in Redis, or in this process while there is no Redis or Redis is away.
 */
export function createBucket(
  redis: RedisClient | null,
  prefix: string,
  burst: number,
  perS: number,
  now: () => number = monotonicMs,
): Limit {
  const filling: Filling = { stepMs: 1000 / perS, burst }
  const fullAtMs = new Map<string, number>()
  const waitSeconds = (waitMs: number): number | null => (waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : null)

  function takeHere(key: string): number {
    const nowMs = now()
    if (fullAtMs.size > KEPT_AT_MOST) for (const [one, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(one)
    const taken = takeToken(filling, fullAtMs.get(key) ?? 0, nowMs)
    fullAtMs.set(key, taken.fullAtMs)
    return taken.waitMs
  }

  async function inRedis(key: string, stepMs: number): Promise<number | null> {
    if (redis?.status !== 'ready') return null
    try {
      return Number(await redis.eval(SCRIPT, 1, `${prefix}:${key}`, stepMs, burst))
    } catch {
      return null
    }
  }

  return {
    take: async (key) => waitSeconds((await inRedis(key, filling.stepMs)) ?? takeHere(key)),
    async giveBack(key) {
      if ((await inRedis(key, -filling.stepMs)) !== null) return
      const atMs = fullAtMs.get(key)
      if (atMs !== undefined) fullAtMs.set(key, atMs - filling.stepMs)
    },
  }
}
