import { Redis } from 'ioredis'
import type { Logger } from './log.ts'

const CONNECT_TIMEOUT_MS = 5_000

/**
 * Connects to Redis, or throws. Later it comes and goes: commands fail soon while it is away, and whoever sends them
 * does without.
 */
export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    // At the start one attempt is enough; from then on it tries for ever.
    retryStrategy: () => null,
  })
  let isAway = false
  redis.on('error', (error: Error) => {
    if (!isAway && redis.options.lazyConnect !== true) log.warn({ err: error }, 'Redis is away')
    isAway = true
  })
  redis.on('ready', () => {
    isAway = false
  })
  await redis.connect()
  redis.options.lazyConnect = false
  redis.options.retryStrategy = (times) => Math.min(times * 100, 2_000)
  return redis
}
