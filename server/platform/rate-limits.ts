import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RedisClient } from './redis.ts'
import { type Bucket, createBucket } from './token-bucket.ts'

export interface Limit {
  /** Takes one of the allowance. Null while there was one left, else whole seconds until there is one again. */
  take(key: string): Promise<number | null>
  /** Gives back one that was taken but not used. */
  giveBack(key: string): Promise<void>
}

export interface RateLimits {
  /** `burst` at once when full, then `perS` a second; counted in the same place as `limit`. */
  bucket(name: string, burst: number, perS: number): Bucket
  /** `allowance` per `windowS` seconds and key, counted once for all processes where there is Redis. */
  limit(name: string, allowance: number, windowS: number): Limit
}

/** Counts in Redis when there is one, and in this process while Redis cannot be reached. */
export function createRateLimits(redis: RedisClient | null): RateLimits {
  return {
    bucket: (name, burst, perS) => createBucket(redis, `limit:${name}`, burst, perS),
    limit(name, allowance, windowS) {
      const options = { keyPrefix: `limit:${name}`, points: allowance, duration: windowS }
      const memory = new RateLimiterMemory(options)
      const limiter =
        redis === null
          ? memory
          : new RateLimiterRedis({
              ...options,
              storeClient: redis,
              insuranceLimiter: memory,
              // No call waits for an unreachable Redis.
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

/**
 * The address that limits count by. One household or phone owns a whole /64 of IPv6; IPv4 written as IPv6 counts as
 * IPv4.
 */
export function addressKey(ip: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined) return v4
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...middle, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
