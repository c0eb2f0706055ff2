import { Redis } from 'ioredis'
import type { Logger } from './log.ts'

const CONNECT_TIMEOUT_MS = 4_000
/**
 * A connection that owes an answer for so long is dropped, with every command that waits on it. From then on commands
 * fail at once, until a new connection has answered: of all requests, those of one moment wait, and no longer than this.
 */
const ANSWER_TIMEOUT_MS = 1_000
/** Nobody waits for what is published, and a process that was busy for a second should not lose it. */
const RELAY_ANSWER_TIMEOUT_MS = 5_000
/** A connection on which nothing happens is asked, so that one that leads nowhere is noticed. */
const PING_EVERY_MS = 2_000
const RECONNECT_AT_MOST_MS = 2_000

/**
 * Connects to Redis, or throws. Later it comes and goes, or hangs: commands fail soon while it is away, and whoever
 * sends them does without. No command is queued, or sent a second time. Keys begin with the installation's id.
 */
export async function connectRedis(url: string, installationId: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    keyPrefix: `${installationId}:`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // At the start one attempt is enough; from then on it tries for ever.
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
    // What ended the attempt says more than that it ended.
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

/** Opens both beside a connection. They come back by themselves; `redis` reports in the log that Redis is away. */
export function openRelay(redis: Redis): Relay {
  const relay = {
    publisher: redis.duplicate({ socketTimeout: RELAY_ANSWER_TIMEOUT_MS }),
    // Subscriptions wait for the connection, however often it is tried: there are a handful, made once.
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
