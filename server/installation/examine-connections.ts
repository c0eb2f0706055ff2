import type { Logger } from '#server/platform/process/log.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import { connectRedis, type RedisClient } from '#server/platform/sockets/redis.ts'
import { type Finding, look, ok, wrong } from './doctor.ts'

const REDIS_AT_LEAST = 7
const SLOW_REDIS_MS = 50
const ANSWER_WITHIN_MS = 10_000

export const examineRedis = (url: string, log: Logger): Promise<Finding> =>
  look('Redis', 'start it, or mend REDIS_URL', async () => {
    const redis = await connectRedis(url, 'doctor', log)
    try {
      return await askRedis(redis)
    } finally {
      redis.disconnect()
    }
  })

export async function askRedis(redis: RedisClient): Promise<Finding> {
  const startedAt = monotonicMs()
  await redis.ping()
  const tookMs = monotonicMs() - startedAt
  return judgeRedis(/^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? '0', tookMs)
}

export function judgeRedis(version: string, tookMs: number): Finding {
  const what = `Redis: ${version}, answers in ${tookMs.toFixed(1)} ms`
  const facts = { version, tookMs }
  if (Number.parseInt(version, 10) < REDIS_AT_LEAST)
    return wrong(what, `use Redis ${REDIS_AT_LEAST} or newer`, 'OUTDATED', facts)
  return tookMs <= SLOW_REDIS_MS ? ok(what, facts) : wrong(what, 'use a nearer one', 'SLOW', facts)
}

/**
 * An https origin needs a proxy, because the server itself speaks no TLS. Without https, browsers trust only loopback
 * origins such as localhost: they make no passkeys for any other origin.
 */
export function judgeProxy(origin: string | null, trustProxy: readonly string[] | null): Finding {
  const { protocol, hostname } = origin === null ? { protocol: '', hostname: '' } : new URL(origin)
  if (protocol === 'http:' && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname))
    return wrong(
      `Proxy: ${origin} is not encrypted, so passwords can be read on the way, and browsers make no passkeys`,
      `give npm run setup the name alone: --domain ${hostname}`,
      'PLAIN_HTTP',
    )
  if (protocol === 'https:' && trustProxy === null)
    return wrong(
      'Proxy: TRUST_PROXY is not set, so all people behind it count as one address',
      'set it to the address of the proxy',
      'UNTRUSTED',
    )
  return ok(`Proxy: ${trustProxy === null ? 'none is trusted' : trustProxy.join(', ')}`)
}

/** A WebSocket does not say why it failed, such as for an expired certificate, so the origin is asked for a page, too. */
async function whyNoSocket(origin: string): Promise<string> {
  try {
    const { ok: isWell, status } = await fetch(origin, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return isWell ? '' : `: it answers ${status}`
  } catch (error) {
    return `: ${whyNoAnswer(error)}`
  }
}

/** Returns why `fetch` failed. Its own error says only "fetch failed". */
export const whyNoAnswer = (error: unknown): string => reasonOf(error instanceof Error ? (error.cause ?? error) : error)

/** Opens a WebSocket as our pages do, through a proxy if there is one at the origin. */
export const examineSocket = (origin: string): Promise<Finding> =>
  look('WebSocket', 'start the server; have the proxy pass Upgrade and Connection', async () => {
    const url = new URL('/socket.io/?EIO=4&transport=websocket', origin)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url)
    try {
      const first = await new Promise<string | null>((resolve, reject) => {
        socket.addEventListener('message', ({ data }) => resolve(String(data)))
        socket.addEventListener('error', () => resolve(null))
        socket.addEventListener('close', () => reject(new Error(`${origin} closes sockets`)))
        AbortSignal.timeout(ANSWER_WITHIN_MS).addEventListener('abort', () =>
          reject(new Error(`${origin} does not answer`)),
        )
      })
      if (first === null) throw new Error(`no socket at ${origin}${await whyNoSocket(origin)}`)
      return first.startsWith('0{')
        ? ok(`WebSocket: opens at ${origin}`)
        : wrong(`WebSocket: ${origin} is another server`, 'mend PUBLIC_ORIGIN')
    } finally {
      socket.close()
    }
  })
