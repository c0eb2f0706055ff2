import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { createBucket } from './token-bucket.ts'

test('a bucket gives its burst at once, then as fast as it fills, and says how long to wait', async () => {
  let nowMs = 5_000
  const bucket = createBucket(null, 'a', 10, 5, () => nowMs)
  const takeMany = async (count: number) => {
    const waits: Array<number | null> = []
    for (let n = 0; n < count; n++) waits.push(await bucket.take('k'))
    return waits.filter((waitS) => waitS === null).length
  }
  expect(await takeMany(12)).toBe(10)
  expect(await bucket.take('k')).toBe(1)
  expect(await bucket.take('other')).toBeNull()
  // There is no window that begins anew: after a second there are five more, not ten.
  nowMs += 1_000
  expect(await takeMany(12)).toBe(5)
  nowMs += 199
  expect(await takeMany(1)).toBe(0)
  nowMs += 1
  expect(await takeMany(2)).toBe(1)
  // However long it was unused, it contains one burst and no more.
  nowMs += 3_600_000
  expect(await takeMany(20)).toBe(10)
})

test('at any moment and rate, a new bucket gives its whole burst and no more', async () => {
  // Times whose sums are rounded: a bucket of one token once refused it in one of seventy cases.
  for (let n = 0; n < 5_000; n++) {
    const [nowMs, burst] = [n * 411.123457, 1 + (n % 10)]
    const bucket = createBucket(null, 'e', burst, 5 / (1 + (n % 97)), () => nowMs)
    let taken = 0
    while ((await bucket.take('k')) === null) taken++
    expect([nowMs, taken]).toEqual([nowMs, burst])
  }
})

test('a token given back can be taken again, and no bucket holds more than its burst', async () => {
  let nowMs = 0
  const bucket = createBucket(null, 'b', 2, 1, () => nowMs)
  expect([await bucket.take('k'), await bucket.take('k'), await bucket.take('k')]).toEqual([null, null, 1])
  await bucket.giveBack('k')
  expect([await bucket.take('k'), await bucket.take('k')]).toEqual([null, 1])
  nowMs += 10_000
  await bucket.giveBack('k')
  await bucket.giveBack('k')
  expect([await bucket.take('k'), await bucket.take('k'), await bucket.take('k')]).toEqual([null, null, 1])
})

test('a slow bucket answers the whole seconds until its next token', async () => {
  const bucket = createBucket(null, 'c', 1, 0.05, () => 0)
  expect([await bucket.take('k'), await bucket.take('k')]).toEqual([null, 20])
})

test('a bucket is kept in this process while Redis is away', async () => {
  const redis = new Redis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0, retryStrategy: () => null })
  redis.on('error', () => {})
  const bucket = createBucket(redis, 'd', 1, 0.05)
  expect([await bucket.take('k'), (await bucket.take('k')) !== null]).toEqual([null, true])
  redis.disconnect()
})

const redisUrl = process.env['TEST_REDIS_URL'] ?? ''

test.runIf(redisUrl)('a new bucket in Redis gives its burst at any moment (Redis only)', async () => {
  const redis = new Redis(redisUrl)
  const prefix = `test-burst-${process.pid}`
  const waits: Array<number | null> = []
  for (let n = 0; n < 500; n++) {
    const bucket = createBucket(redis, prefix, 1, 5 / (100 + n))
    waits.push(await bucket.take(`${n}`))
    await redis.del(`${prefix}:${n}`)
  }
  expect(waits).toEqual(waits.map(() => null))
  await redis.quit()
})

test.runIf(redisUrl)('every process takes from the same bucket (Redis only)', async () => {
  const [one, two] = [new Redis(redisUrl), new Redis(redisUrl)]
  const bucketOf = (redis: Redis) => createBucket(redis, `test-bucket-${process.pid}`, 4, 0.05)
  const [first, second] = [bucketOf(one), bucketOf(two)]
  await Promise.all([one.ping(), two.ping()])
  const waits = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 ? first : second).take('k')))
  expect(waits.filter((waitS) => waitS === null)).toHaveLength(4)
  expect(await first.take('k')).toBe(20)
  await second.giveBack('k')
  expect([await first.take('k'), await second.take('k')]).toEqual([null, 20])
  await one.del(`test-bucket-${process.pid}:k`)
  await Promise.all([one.quit(), two.quit()])
})
