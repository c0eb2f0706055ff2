import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { createRateLimits } from './rate-limits.ts'

describe('an allowance', () => {
  const limits = createRateLimits(null, 1)

  test('is given out once, and then answers when it is whole again', async () => {
    const limit = limits.limit('a', 3, 60)
    const taken = await Promise.all(Array.from({ length: 5 }, () => limit.take('k')))
    expect(taken.filter((waitS) => waitS === null)).toHaveLength(3)
    for (const waitS of taken.filter((seconds) => seconds !== null)) {
      expect(waitS).toBeGreaterThan(58)
      expect(waitS).toBeLessThanOrEqual(60)
    }
    expect(await limit.take('other')).toBeNull()
  })

  test('is multiplied by the factor, and is never less than one call', async () => {
    for (const [factor, allowed] of [
      [2, 6],
      [0.01, 1],
    ] as const) {
      const limit = createRateLimits(null, factor).limit('d', 3, 60)
      const taken = await Promise.all(Array.from({ length: 8 }, () => limit.take('k')))
      expect(taken.filter((waitS) => waitS === null)).toHaveLength(allowed)
    }
  })

  test('takes back what was not used', async () => {
    const limit = limits.limit('b', 1, 60)
    expect(await limit.take('k')).toBeNull()
    await limit.giveBack('k')
    expect(await limit.take('k')).toBeNull()
    expect(await limit.take('k')).toBeGreaterThan(0)
  })

  test('is counted in this process while Redis is away', async () => {
    const redis = new Redis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0, retryStrategy: () => null })
    redis.on('error', () => {})
    const limit = createRateLimits(redis, 1).limit('c', 1, 60)
    expect(await limit.take('k')).toBeNull()
    expect(await limit.take('k')).toBeGreaterThan(0)
    redis.disconnect()
  })
})
