import { setTimeout as sleep } from 'node:timers/promises'
import { createAdapter } from '@socket.io/redis-adapter'
import { Server } from 'socket.io'
import { createLog } from '#server/platform/process/log.ts'
import { connectRedis, openRelay } from '#server/platform/sockets/redis.ts'
import { joinProcesses } from '#server/platform/sockets/socket-relay.ts'
import { startOwnRedis } from '#testing/machines/redis.ts'
import type { Line } from './report.ts'

const PROCESSES = [2, 4, 8]
/** How many events one process emits, to players whose sockets are spread over all processes. */
const EVENTS = 2_000
const PLAYERS = 1_000
/** Growth up to this factor counts as none: players are chosen at random, so counts differ by some percent. */
const FLAT_WITHIN = 1.2
const QUIET_MS = 300

interface Member {
  readonly io: Server
  received(): number
  close(): void
}

/**
 * Counts the messages that a process receives while every process emits the same number of events: with our relay and,
 * as the yardstick, with socket.io's usual adapter, which subscribes each process to all rooms. The counts are the same
 * on a slow machine.
 */
export async function runRelay(): Promise<Line[]> {
  const redis = await startOwnRedis()
  try {
    const ours: number[] = []
    const yardstick: number[] = []
    for (const count of PROCESSES) {
      ours.push(await messagesOfEach(count, () => openOurs(redis.url)))
      yardstick.push(await messagesOfEach(count, () => openYardstick(redis.url)))
    }
    const growth = (seen: readonly number[]) => (seen.at(-1) ?? Number.NaN) / (seen[0] ?? Number.NaN)
    const line = { ratio: '', bar: '', isMet: null, note: `each emits ${EVENTS} to one player of ${PLAYERS}` }
    return [
      ...PROCESSES.map((count, nth) => ({
        ...line,
        name: `relay: messages to each of ${count} processes`,
        ours: String(ours[nth]),
        yardstick: String(yardstick[nth]),
      })),
      {
        name: 'relay: 8 processes as a multiple of 2',
        ours: growth(ours).toFixed(2),
        yardstick: growth(yardstick).toFixed(2),
        ratio: '',
        bar: `≤ ${FLAT_WITHIN}`,
        isMet: growth(ours) <= FLAT_WITHIN,
        note: 'yardstick: the adapter that subscribes to all rooms',
      },
    ]
  } finally {
    await redis.stop()
  }
}

/** Returns the number of messages that the process with the most messages received. */
async function messagesOfEach(count: number, open: () => Promise<Member>): Promise<number> {
  const members = await Promise.all(Array.from({ length: count }, open))
  try {
    for (let n = 0; n < PLAYERS; n++)
      await members[n % count]?.io.of('/').adapter.addAll(`socket-${n}`, new Set([roomOf(n)]))
    await quiet(members)
    const before = members.map((member) => member.received())
    for (const { io } of members)
      for (let n = 0; n < EVENTS; n++) io.to(roomOf(Math.floor(Math.random() * PLAYERS))).emit('account_changed', {})
    await quiet(members)
    return Math.max(...members.map((member, nth) => member.received() - (before[nth] ?? 0)))
  } finally {
    for (const member of members) member.close()
  }
}

const roomOf = (n: number): string => `user:${n}`

/** Waits until all subscriptions are made and all messages have arrived, so that the counts no longer change. */
async function quiet(members: readonly Member[]): Promise<void> {
  for (let last = -1; ;) {
    await sleep(QUIET_MS)
    const now = members.reduce((all, member) => all + member.received(), 0)
    if (now === last) return
    last = now
  }
}

async function openOurs(url: string): Promise<Member> {
  const redis = await connectRedis(url, 'bench', createLog('silent'))
  const io = new Server()
  const relay = joinProcesses(io, redis, new Set())
  return {
    io,
    received: () => relay.received(),
    close() {
      relay.close()
      redis.disconnect()
    },
  }
}

async function openYardstick(url: string): Promise<Member> {
  const redis = await connectRedis(url, 'bench', createLog('silent'))
  const { publisher, subscriber } = openRelay(redis)
  for (const one of [publisher, subscriber])
    if (one.status !== 'ready') await new Promise<void>((resolve) => one.once('ready', () => resolve()))
  const io = new Server()
  io.adapter(createAdapter(publisher, subscriber))
  let received = 0
  subscriber.on('pmessageBuffer', () => void (received += 1))
  return {
    io,
    received: () => received,
    close() {
      for (const one of [publisher, subscriber, redis]) one.disconnect()
    },
  }
}
