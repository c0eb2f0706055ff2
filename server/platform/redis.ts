import { Redis } from 'ioredis'
import type { Logger } from './log.ts'

const CONNECT_TIMEOUT_MS = 4_000
/**
 * A connection without an answer for this long is dropped, with every command that waits on it. From then on commands
 * fail at once, until a new connection has answered: only the requests of one moment wait, and no longer than this.
 */
const ANSWER_TIMEOUT_MS = 1_000
/** No call waits for published events, and a process that was busy for a second should not lose them. */
const RELAY_ANSWER_TIMEOUT_MS = 5_000
/** An idle connection is pinged, so that a dead one is noticed. */
const PING_EVERY_MS = 2_000
const RECONNECT_AT_MOST_MS = 2_000

/**
 * Connects to Redis, or throws. Later Redis may be lost, come back, or hang: commands fail soon while it is
 * unreachable, and their callers continue without it. No command is queued or sent twice. Keys begin with the
 * installation's id.
 */
export async function connectRedis(url: string, installationId: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    keyPrefix: `${installationId}:`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // At the start one attempt is enough; afterwards it reconnects for ever.
    retryStrategy: () => null,
  })
  let problem: Error | null = null
  redis.on('error', (error: Error) => {
    if (problem === null && redis.options.lazyConnect !== true) log.warn({ err: error }, 'Redis is away')
    problem = error
  })
  redis.on('ready', () => {
    if (problem !== null) log.info('Redis is back')
    problem = null
  })
  try {
    await redis.connect()
  } catch (error) {
    // The reason of the failed attempt explains more than the failure itself.
    throw reasonOf(problem) ?? error
  }
  redis.options.lazyConnect = false
  redis.options.retryStrategy = (times) => Math.min(times * 100, RECONNECT_AT_MOST_MS)
  pingWhile(redis)
  return redis
}

function reasonOf(problem: Error | null): Error | null {
  if (problem?.message.startsWith('Socket timeout') !== true) return problem
  return new Error('Redis accepts connections there but does not answer', { cause: problem })
}

/** The two connections through which the processes of an installation pass events to each other. */
export interface Relay {
  readonly publisher: Redis
  readonly subscriber: Redis
}

/** Opens both beside a connection. They reconnect by themselves; `redis` logs that Redis is unreachable. */
export function openRelay(redis: Redis): Relay {
  const relay = {
    publisher: redis.duplicate({ socketTimeout: RELAY_ANSWER_TIMEOUT_MS }),
    // Subscriptions wait for the connection through any number of attempts: there are a handful, made once.
    subscriber: redis.duplicate({
      socketTimeout: RELAY_ANSWER_TIMEOUT_MS,
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
    }),
  }
  for (const connection of [relay.publisher, relay.subscriber]) {
    connection.on('error', () => {})
    pingWhile(connection)
  }
  return relay
}

function pingWhile(redis: Redis): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => {})
  }, PING_EVERY_MS)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
}
