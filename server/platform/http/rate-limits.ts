import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RedisClient } from '#server/platform/sockets/redis.ts'
import { createBucket, type Limit } from './token-bucket.ts'

export interface RateLimits {
  /** Allows a key `burst` calls in a row after a pause, and `perS` calls per second in the long run. */
  bucket(name: string, burst: number, perS: number): Limit
  /** Allows `allowance` calls of a key in each window of `windowS` seconds. */
  limit(name: string, allowance: number, windowS: number): Limit
}

/**
 * Makes limits that count in Redis, for all processes, or in this process while there is no Redis or Redis is away.
 * @param factor RATE_LIMIT_FACTOR, which multiplies all numbers of calls; at least one call stays allowed
 */
export function createRateLimits(redis: RedisClient | null, factor: number): RateLimits {
  const multiplied = (calls: number): number => Math.max(1, Math.round(calls * factor))
  return {
    bucket: (name, burst, perS) => createBucket(redis, `limit:${name}`, multiplied(burst), perS * factor),
    limit(name, allowance, windowS) {
      const options = { keyPrefix: `limit:${name}`, points: multiplied(allowance), duration: windowS }
      const memory = new RateLimiterMemory(options)
      const limiter =
        redis === null
          ? memory
          : new RateLimiterRedis({
              ...options,
              storeClient: redis,
              insuranceLimiter: memory,
              rejectIfRedisNotReady: true,
            })
      return {
        async take(key) {
          try {
            await limiter.consume(key)
            return null
          } catch (error) {
            if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000))
            throw error
          }
        },
        giveBack: async (key) => void (await limiter.reward(key)),
      }
    },
  }
}
