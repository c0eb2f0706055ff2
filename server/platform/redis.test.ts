import type { Redis } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { type OwnRedis, startOwnRedis, startSilentServer } from '#server/testing/own-redis.ts'
import { createRateLimits } from './rate-limits.ts'
import { connectRedis } from './redis.ts'

const log = createLog('silent')
/** The promise is 2 s for a whole request; the rest is a margin for a busy machine. */
const ANSWERED_MS = 1_800
/** Once Redis is known to be unreachable, no call waits for it. */
const AT_ONCE_MS = 200

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(url: string, installationId = 'one'): Promise<Redis> {
  const redis = await connectRedis(url, installationId, log)
  closing.push(() => redis.disconnect())
  return redis
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const startedMs = performance.now()
  const answer = await work()
  return { answer, tookMs: performance.now() - startedMs }
}

test('a Redis that accepts and never answers ends the start with a reason, within seconds', async () => {
  const silent = await startSilentServer()
  closing.push(() => silent.close())
  const startedMs = performance.now()
  await expect(connectRedis(silent.url, 'one', log)).rejects.toThrow('accepts connections there but does not answer')
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

test('a Redis that is not there ends the start with a reason', async () => {
  await expect(connectRedis('redis://127.0.0.1:1', 'one', log)).rejects.toThrow('ECONNREFUSED')
})

describe.runIf(process.env['TEST_REDIS_URL'])('a server of its own (Redis only)', () => {
  async function startOwn(): Promise<OwnRedis> {
    const own = await startOwnRedis()
    closing.push(() => own.stop())
    return own
  }

  test('frozen, every kind of count is answered in time and then at once, in this process; thawed, Redis counts again', async () => {
    const own = await startOwn()
    const redis = await open(own.url)
    const limits = createRateLimits(redis)
    const limit = limits.limit('a', 3, 60)
    const bucket = limits.bucket('b', 3, 0.01)
    expect([await limit.take('k'), await bucket.take('k')]).toEqual([null, null])

    own.freeze()
    const first = await timed(() =>
      Promise.all([limit.take('k'), limit.giveBack('other'), bucket.take('k'), bucket.giveBack('other')]),
    )
    expect(first.tookMs).toBeLessThan(ANSWERED_MS)
    const counted = await timed(async () => [
      await limit.take('k'),
      await limit.take('k'),
      await limit.take('k'),
      await bucket.take('k'),
      await bucket.take('k'),
      await bucket.take('k'),
    ])
    expect(counted.tookMs).toBeLessThan(AT_ONCE_MS)
    // This process gave out three of each, whatever Redis had counted.
    expect(counted.answer.map((waitS) => waitS === null)).toEqual([true, true, false, true, true, false])

    own.thaw()
    await expect.poll(() => redis.status, { timeout: 10_000 }).toBe('ready')
    // Redis counted the one from before it froze, and at most the one that it did not answer.
    expect(['1', '2']).toContain(await redis.get('limit:a:k'))
    expect(await limit.take('k')).toBeNull()
  }, 30_000)

  test('frozen, nothing is kept to be sent later', async () => {
    const own = await startOwn()
    const redis = await open(own.url)
    own.freeze()
    await Promise.allSettled(Array.from({ length: 5_000 }, (_, n) => redis.set(`${n}`, 'x')))
    const refused = await timed(() => Promise.allSettled(Array.from({ length: 5_000 }, () => redis.get('x'))))
    expect(refused.tookMs).toBeLessThan(ANSWERED_MS)
    expect(refused.answer.every(({ status }) => status === 'rejected')).toBe(true)
  }, 30_000)

  test('a dead idle connection is noticed before it is needed', async () => {
    const own = await startOwn()
    const redis = await open(own.url)
    own.freeze()
    await expect.poll(() => redis.status, { timeout: 8_000 }).not.toBe('ready')
  }, 30_000)

  test('installations on one server count apart; processes of one count together', async () => {
    const own = await startOwn()
    const [one, same, other] = await Promise.all([open(own.url), open(own.url), open(own.url, 'two')])
    const takeOne = async (redis: Redis) => {
      const limits = createRateLimits(redis)
      return [await limits.limit('a', 1, 60).take('k'), await limits.bucket('b', 1, 0.01).take('k')].map(
        (waitS) => waitS === null,
      )
    }
    expect(await takeOne(one)).toEqual([true, true])
    expect(await takeOne(same)).toEqual([false, false])
    expect(await takeOne(other)).toEqual([true, true])
  })
})
