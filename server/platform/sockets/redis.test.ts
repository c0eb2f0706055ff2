import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/process/log.ts'
import {
  type OwnRedis,
  startOwnCluster,
  startOwnRedis,
  startOwnSentinels,
  startSilentServer,
} from '#testing/machines/redis.ts'
import { createRateLimits } from '#server/platform/http/rate-limits.ts'
import { connectRedis, openRelay, type RedisClient } from './redis.ts'

const log = createLog('silent')
/** The promise is 2 s for a whole request; the rest is a margin for a busy machine. */
const ANSWERED_MS = 1_800
/** Once Redis is known to be unreachable, no call waits for it. */
const AT_ONCE_MS = 200

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(url: string, installationId = 'one'): Promise<RedisClient> {
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
    const limits = createRateLimits(redis, 1)
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
  })

  test('frozen, nothing is kept to be sent later', async () => {
    const own = await startOwn()
    const redis = await open(own.url)
    own.freeze()
    await Promise.allSettled(Array.from({ length: 5_000 }, (_, n) => redis.set(`${n}`, 'x')))
    const refused = await timed(() => Promise.allSettled(Array.from({ length: 5_000 }, () => redis.get('x'))))
    expect(refused.tookMs).toBeLessThan(ANSWERED_MS)
    expect(refused.answer.every(({ status }) => status === 'rejected')).toBe(true)
  })

  test('a dead idle connection is noticed before it is needed', async () => {
    const own = await startOwn()
    const redis = await open(own.url)
    own.freeze()
    await expect.poll(() => redis.status, { timeout: 8_000 }).not.toBe('ready')
  })

  test('installations on one server count apart; processes of one count together', async () => {
    const own = await startOwn()
    const [one, same, other] = await Promise.all([open(own.url), open(own.url), open(own.url, 'two')])
    const takeOne = async (redis: RedisClient) => {
      const limits = createRateLimits(redis, 1)
      return [await limits.limit('a', 1, 60).take('k'), await limits.bucket('b', 1, 0.01).take('k')].map(
        (waitS) => waitS === null,
      )
    }
    expect(await takeOne(one)).toEqual([true, true])
    expect(await takeOne(same)).toEqual([false, false])
    expect(await takeOne(other)).toEqual([true, true])
  })
})

describe.runIf(process.env['TEST_REDIS_URL'])('several servers (Redis only)', () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'after %s of the master, counts go on in this process, and soon in the master that the Sentinels chose',
    async (how) => {
      const own = await startOwnSentinels()
      closing.push(() => own.stop())
      const redis = await open(own.url)
      // The Sentinels' answer may meet each of them at any moment of an attempt to reconnect.
      const others: RedisClient[] = []
      for (let n = 0; n < 30; n++) others.push(await open(own.url))
      const before = await own.masterPort()
      const bucket = createRateLimits(redis, 1).bucket('b', 1_000, 1_000)
      expect(await bucket.take('k')).toBeNull()
      expect(await redis.set('a', 'one')).toBe('OK')

      await own.takeMasterAway(how)
      const takenAwayMs = performance.now()
      let longestMs = 0
      let isRefused = false
      let heals = false
      while (!heals && performance.now() - takenAwayMs < 30_000) {
        const { answer, tookMs } = await timed(() => bucket.take('k'))
        longestMs = Math.max(longestMs, tookMs)
        isRefused ||= answer !== null
        heals = (await redis.set('b', 'two').catch(() => null)) === 'OK' && (await own.masterPort()) !== before
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(heals).toBe(true)
      expect(performance.now() - takenAwayMs).toBeLessThan(15_000)
      expect([isRefused, longestMs < ANSWERED_MS]).toEqual([false, true])
      // What the old master had is there, and what is written now, too.
      expect([await redis.get('a'), await redis.get('b')]).toEqual(['one', 'two'])
      await expect.poll(() => others.filter(({ status }) => status !== 'ready').length, { timeout: 15_000 }).toBe(0)
    },
  )

  test('no Sentinel that answers ends the start with a reason', async () => {
    await expect(connectRedis('redis+sentinel://127.0.0.1:1,127.0.0.1:2/kim-phien', 'one', log)).rejects.toThrow(
      /sentinels are unreachable|ECONNREFUSED/,
    )
  })

  test('a Redis without sharded channels ends the start with a reason', async () => {
    const old = await startOwnRedis('--rename-command', 'SPUBLISH', '')
    closing.push(() => old.stop())
    await expect(connectRedis(old.url, 'one', log)).rejects.toThrow(/version 7 or newer/)
  })

  test('the nodes of a cluster count every key once, and pass on what is published at any of them', async () => {
    const own = await startOwnCluster()
    closing.push(() => own.stop())
    const [one, other] = await Promise.all([open(own.url), open(own.url)])
    // Keys enough for every node to have some.
    const keys = Array.from({ length: 30 }, (_, n) => `k${n}`)
    const takes = async (redis: RedisClient) => {
      const limits = createRateLimits(redis, 1)
      const [limit, bucket] = [limits.limit('a', 1, 60), limits.bucket('b', 1, 0.01)]
      return (await Promise.all(keys.flatMap((key) => [limit.take(key), bucket.take(key)]))).map(
        (waitS) => waitS === null,
      )
    }
    expect(new Set(await takes(one))).toEqual(new Set([true]))
    expect(new Set(await takes(other))).toEqual(new Set([false]))

    const [here, there] = [openRelay(one), openRelay(other)]
    closing.push(() => {
      for (const relay of [here, there]) for (const client of Object.values(relay)) client.disconnect()
    })
    const heard: string[] = []
    there.subscriber.on('smessage', (_, message: string) => void heard.push(message))
    await expect.poll(() => there.subscriber.status, { timeout: 10_000 }).toBe('ready')
    await there.subscriber.ssubscribe('one:channel')
    await expect.poll(() => here.publisher.status, { timeout: 10_000 }).toBe('ready')
    await here.publisher.spublish('one:channel', 'hello')
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['hello'])

    // One for every node, whichever of them goes.
    for (const key of keys) await there.subscriber.ssubscribe(`one:${key}`)
    heard.length = 0
    await own.killOne(0)
    const readsBefore = await own.slotReads(1)
    const awayMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    // Nobody is kept busy by looking for the one that is away: it was a hundred times a second.
    const reads = (await own.slotReads(1)) - readsBefore
    expect(reads / (performance.now() - awayMs)).toBeLessThan(0.02)
    // Nor does a call wait for it: this process counts its keys.
    const bucket = createRateLimits(one, 1).bucket('c', 1, 0.01)
    const counted = await timed(async () => {
      for (const key of keys) expect(await bucket.take(key)).toBeNull()
    })
    expect(counted.tookMs).toBeLessThan(5_000)
    const passed = await Promise.allSettled(keys.map((key) => here.publisher.spublish(`one:${key}`, key)))
    expect(new Set(passed.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
    await own.reviveOne(0)
    heard.length = 0
    await expect
      .poll(
        async () => {
          await Promise.allSettled(keys.map((key) => here.publisher.spublish(`one:${key}`, key)))
          return new Set(heard).size
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(keys.length)
  })
})
