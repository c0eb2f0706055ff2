import { setTimeout as sleep } from 'node:timers/promises'
import { createShardedAdapter } from '@socket.io/redis-adapter'
import type { Server, Socket } from 'socket.io'
import { openRelay, type RedisClient } from './redis.ts'

/** Sockets that may have missed events close this long after Redis is back. Meanwhile, processes reconnect to it. */
const CATCH_UP_AFTER_MS = 3_000
const CATCH_UP_SPREAD_MS = 2_000
/** If Redis does not answer, the server's start goes on after this time. Events are lost until Redis answers. */
const STAND_WITHIN_MS = 5_000
const EVENTS_LOST = 'events_lost'

export interface SocketRelay {
  received(): number
  /** Resolves when both connections to Redis are ready, or after 5 s. */
  stands(): Promise<void>
  close(): void
}

/**
 * Connects the sockets of several processes. Each room is a channel of Redis, to which a process subscribes while one
 * of its sockets is in that room (decision 030). If events may have been lost, the sockets are closed a few seconds
 * later, so that their clients reconnect and fetch the state (rules §7.2).
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function joinProcesses(io: Server, redis: RedisClient, sockets: ReadonlySet<Pick<Socket, 'conn'>>): SocketRelay {
  const { publisher, subscriber } = openRelay(redis, (connection) => onAnswer[connection]())
  const channels = new Set<string>()
  // False until the server listens. Until then there is no client, so a lost event has no effect.
  let hasClients = false
  let hasLost = false
  let received = 0
  // The adapter does not await what it sends: a rejection while Redis is away would end the process.
  const quietly = (sending: Promise<unknown>): Promise<unknown> => sending.catch(() => null)
  const subscribe = (channel: string) => {
    if (subscriber.status === 'ready') void quietly(subscriber.ssubscribe(channel))
  }
  const publishing = {
    spublish: async (channel: string, message: string | Buffer) =>
      publisher.spublish(channel, message).catch(() => void (hasLost = hasClients)),
  }
  const subscribing = {
    ssubscribe(channel: string) {
      channels.add(channel)
      subscribe(channel)
    },
    sunsubscribe(channel: string) {
      channels.delete(channel)
      if (subscriber.status === 'ready') void quietly(subscriber.sunsubscribe(channel))
    },
    on: (event: string, told: (channel: Buffer, message: Buffer) => void) =>
      subscriber.on(event, (channel: Buffer, message: Buffer) => {
        received += 1
        told(channel, message)
      }),
  }
  io.adapter(
    createShardedAdapter(publishing, subscribing, { channelPrefix: `${redis.options.keyPrefix ?? ''}socket.io` }),
  )

  let catchingUp: NodeJS.Timeout | null = null
  const catchUp = () => {
    catchingUp ??= setTimeout(() => {
      catchingUp = null
      for (const socket of sockets) setTimeout(() => socket.conn.close(), Math.random() * CATCH_UP_SPREAD_MS).unref()
    }, CATCH_UP_AFTER_MS).unref()
  }
  io.on(EVENTS_LOST, catchUp)
  let hasMissed = false
  const onAnswer = {
    publisher() {
      if (hasLost) io.serverSideEmit(EVENTS_LOST)
      hasLost = false
    },
    subscriber() {
      if (hasMissed) catchUp()
      hasMissed = false
    },
  }
  const standing = Promise.all(
    [publisher, subscriber].map((connection) => new Promise((resolve) => connection.once('ready', resolve))),
  ).then(() => true)
  subscriber.on('ready', () => {
    for (const channel of channels) subscribe(channel)
  })
  // Two events show that messages may have been missed. `close`: the connection was lost. `subscribersReady`: channels
  // of a cluster may have moved to another node, or their node was unreachable for a while.
  for (const event of ['close', 'subscribersReady']) subscriber.on(event, () => void (hasMissed = hasClients))
  return {
    received: () => received,
    async stands() {
      const isStanding = await Promise.race([standing, sleep(STAND_WITHIN_MS, false, { ref: false })])
      hasClients = true
      if (!isStanding) hasMissed = true
    },
    close() {
      if (catchingUp !== null) clearTimeout(catchingUp)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
