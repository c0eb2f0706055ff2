import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '#server/platform/process/log.ts'
import { parseRedisAddress, type RedisAddress, type SeveralNodes } from './redis-address.ts'

const CONNECT_TIMEOUT_MS = 4_000
/** A connection without an answer for this long is dropped. Commands fail at once until a new connection is ready. */
const ANSWER_TIMEOUT_MS = 1_000
/** This limit for connections that carry events is longer: no request waits, and dropping one can lose events. */
const RELAY_ANSWER_TIMEOUT_MS = 5_000
const RELAY_AGAIN_AFTER_MS = 100
const PING_EVERY_MS = 2_000
const RECONNECT_AT_MOST_MS = 2_000
const SLOTS_AFTER_MS = 300

export type RedisClient = Redis | Cluster

const isCluster = (redis: RedisClient): redis is Cluster => redis.isCluster

/**
 * Connects to Redis, or throws. If Redis becomes unreachable later, commands fail soon. Outside a cluster, no command
 * is queued, and none is sent twice. Keys begin with the installation's id.
 */
export async function connectRedis(url: string, installationId: string, log: Logger): Promise<RedisClient> {
  const address = parseRedisAddress(url)
  if (address === null) throw new Error('This is no address of Redis')
  const redis = await createClient(address, `${installationId}:`)
  let hasStarted = false
  let problem: Error | null = null
  redis.on('error', (error: Error) => {
    if (problem === null && hasStarted) log.warn({ err: error }, 'Redis is away')
    problem = error
  })
  redis.on('ready', () => {
    if (problem !== null) log.info('Redis is back')
    problem = null
  })
  try {
    await redis.connect()
    await requireShardedChannels(redis)
    // Connects to each master now: while a node is being connected, only its first command waits, and others fail.
    if (isCluster(redis)) await pingAll(redis).catch(() => {})
  } catch (error) {
    redis.disconnect()
    throw reasonOf(problem) ?? error
  }
  hasStarted = true
  redis.options.lazyConnect = false
  if (isCluster(redis)) redis.options.clusterRetryStrategy = retryDelayMs
  else Object.assign(redis.options, { retryStrategy: retryDelayMs, sentinelRetryStrategy: retryDelayMs })
  pingWhile(redis)
  return redis
}

/** Requires Redis 7 or newer, whose sharded channels carry events between processes (decision 030). */
async function requireShardedChannels(redis: RedisClient): Promise<void> {
  try {
    await redis.spublish('start', '')
  } catch (error) {
    if (!String(error).includes('unknown command')) throw error
    throw new Error('This Redis does not know SPUBLISH: version 7 or newer is needed, or Valkey', { cause: error })
  }
}

const retryDelayMs = (times: number): number => Math.min(times * 100, RECONNECT_AT_MOST_MS)

async function createClient(address: RedisAddress, keyPrefix: string): Promise<RedisClient> {
  const { Cluster, Redis } = await import('ioredis')
  const connection = { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: ANSWER_TIMEOUT_MS }
  const once = () => null
  const shared = { lazyConnect: true, keyPrefix, enableOfflineQueue: false }
  if (address.kind === 'cluster') {
    return new Cluster([...address.nodes], {
      ...shared,
      clusterRetryStrategy: once,
      slotsRefreshTimeout: ANSWER_TIMEOUT_MS,
      // By default, each command for the slots of a master that is away would be tried 16 times, for 1.6 s.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // The first command for a node waits for the connection, so connecting may take no longer than an answer.
      redisOptions: {
        ...connection,
        connectTimeout: ANSWER_TIMEOUT_MS,
        ...access(address),
        ...(address.isTls && { tls: {} }),
      },
    })
  }
  const options = { ...shared, ...connection, maxRetriesPerRequest: 0, retryStrategy: once }
  if (address.kind === 'server') return new Redis(address.url, options)
  const { nodes, name, sentinelPassword, isTls } = address
  // The failover detector is off: its message during a reconnection would end the client for good (ioredis 6.0.0).
  // Instead, an unanswered ping drops the connection, and a new connection asks the Sentinels for the master.
  return new Redis({
    ...options,
    sentinels: [...nodes],
    name,
    ...access(address),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(isTls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinelRetryStrategy: once,
    // A master that became a replica answers READONLY. A new connection finds the new master.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  })
}

const access = ({ username, password }: SeveralNodes) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
})

function reasonOf(problem: Error | null): Error | null {
  if (problem?.message.startsWith('Socket timeout') !== true) return problem
  return new Error('Redis accepts connections there but does not answer', { cause: problem })
}

export interface Relay {
  readonly publisher: RedisClient
  readonly subscriber: RedisClient
}

/** Opens the connections that carry events. Outside a cluster, the caller must resubscribe after a reconnection. */
export function openRelay(redis: RedisClient, onAnswer: (connection: keyof Relay) => void = () => {}): Relay {
  const patient = { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: RELAY_ANSWER_TIMEOUT_MS }
  // Sending an event is retried: no request waits for it, and a lost event would make clients reconnect.
  const again = { retryDelayOnFailover: RELAY_AGAIN_AFTER_MS, retryDelayOnClusterDown: RELAY_AGAIN_AFTER_MS }
  const duplicate = (): RedisClient =>
    isCluster(redis)
      ? // In a cluster, each node has its own subscribing connection, for the channels of the node's slots.
        readSlotsLess(redis.duplicate([], { keyPrefix: '', shardedSubscribers: true, ...again, redisOptions: patient }))
      : redis.duplicate({ keyPrefix: '', autoResubscribe: false, ...patient })
  const relay = { publisher: duplicate(), subscriber: duplicate() }
  for (const name of ['publisher', 'subscriber'] as const) {
    relay[name].on('error', () => {})
    pingWhile(relay[name], () => onAnswer(name))
  }
  return relay
}

/**
 * Makes a cluster's client wait before it reads again which node has which slots. Without this pause, a client with
 * subscribers would reconnect to the address of an unreachable master in a tight loop (ioredis 6.0.0).
 */
function readSlotsLess(cluster: Cluster): Cluster {
  const read = cluster.refreshSlotsCache.bind(cluster)
  const waiting: Parameters<typeof read>[0][] = []
  const readNow: typeof read = (callback) => {
    // While connecting, the client makes attempts of its own with pauses. A failed read would end these attempts.
    if (cluster.status === 'ready') read(callback)
    else callback?.(new Error('The cluster is connecting'))
  }
  cluster.refreshSlotsCache = (callback) => {
    if (cluster.status !== 'ready') return cluster.nodes().length > 0 ? read(callback) : readNow(callback)
    waiting.push(callback)
    if (waiting.length > 1) return
    setTimeout(() => {
      const called = waiting.splice(0)
      readNow((...results) => called.forEach((one) => one?.(...results)))
    }, SLOTS_AFTER_MS).unref()
  }
  return cluster
}

async function pingAll(redis: RedisClient): Promise<void> {
  if (!isCluster(redis)) return void (await redis.ping())
  const masters = new Set(redis.slots.map(([master]) => master))
  const nodes = redis.nodes('master')
  if (nodes.length < masters.size) {
    redis.refreshSlotsCache()
    throw new Error('a master of the cluster is away')
  }
  await Promise.all(nodes.map((node) => node.ping()))
}

function pingWhile(redis: RedisClient, onAnswer: () => void = () => {}): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') pingAll(redis).then(onAnswer, () => {})
  }, PING_EVERY_MS)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
}
