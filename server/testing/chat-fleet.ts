import { type ChildProcess, spawn } from 'node:child_process'
import { connect, createServer, type AddressInfo, type Socket as NetSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { io, type Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import { chatEndpoints, message } from '#contract/chat.ts'
import { serverEvents } from '#contract/events.ts'
import { type ChatState, emptyChat, reduceChat, syncPoints } from '#domain/chat/timeline.ts'
import type { WireAck } from './chat-client.ts'
import { bareToken } from './chat-client.ts'
import type { TestPlayer } from './game-world.ts'

const mainPath = fileURLToPath(new URL('../main.ts', import.meta.url))

interface Member {
  child: ChildProcess | null
  port: number | null
}

/** Server processes behind a TCP proxy of the test, which can be killed and cut. */
export interface Fleet {
  readonly url: string
  /** Kills a running process at once and starts another in its place. Answers false when none runs. */
  killOne(): boolean
  /** Kills one and starts none. */
  lose(): Promise<void>
  /** Cuts this part of the connections through the proxy. */
  cut(part: number): void
  /** Refuses connections and cuts those there are, until it is called with false. */
  setOutage(isOut: boolean): void
  /** Where the processes listen, behind the proxy. */
  ports(): number[]
  pids(): number[]
  close(): Promise<void>
}

/** A TCP proxy that joins each connection to one of the ports, by chance. Without a port it refuses. */
export async function startProxy(ports: () => readonly number[]) {
  const open = new Set<NetSocket>()
  const proxy = createServer((client) => {
    const alive = ports()
    const port = alive[Math.floor(Math.random() * alive.length)]
    if (port === undefined) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    open.add(client)
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(client)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', 4096, resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    open,
    close() {
      for (const socket of open) socket.destroy()
      proxy.close()
    },
  }
}

export async function startFleet(count: number, env: Readonly<Record<string, string>>): Promise<Fleet> {
  const members: Member[] = Array.from({ length: count }, () => ({ child: null, port: null }))
  let isClosing = false
  let isOut = false

  const start = (member: Member): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [mainPath], {
        env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      member.child = child
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const port = /Kim Phiên: http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
        if (port === undefined) return
        member.port = Number(port)
        resolve()
      })
      child.once('exit', (code) => {
        member.child = null
        member.port = null
        if (!isClosing && code !== null && code !== 0) reject(new Error(`A server ended with ${code}`))
      })
    })

  for (const member of members) await start(member)
  const ports = () => members.flatMap(({ port }) => (port === null ? [] : [port]))
  const proxy = await startProxy(() => (isOut ? [] : ports()))

  const kill = (): Member | null => {
    const alive = members.filter(({ port }) => port !== null)
    const victim = alive[Math.floor(Math.random() * alive.length)]
    if (victim === undefined) return null
    victim.port = null
    victim.child?.kill('SIGKILL')
    return victim
  }

  return {
    url: proxy.url,
    killOne() {
      const victim = kill()
      victim?.child?.once('exit', () => {
        if (!isClosing) void start(victim).catch(() => {})
      })
      return victim !== null
    },
    async lose() {
      kill()
      await sleep(50)
    },
    cut(part) {
      for (const socket of proxy.open) if (Math.random() < part) socket.destroy()
    },
    setOutage(wish) {
      isOut = wish
      if (isOut) for (const socket of proxy.open) socket.destroy()
    },
    ports,
    pids: () => members.flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
    async close() {
      isClosing = true
      proxy.close()
      for (const { child } of members) child?.kill('SIGKILL')
      await sleep(100)
    },
  }
}

/** Who a client is; it may come from another process. */
export type FleetPlayer = Pick<TestPlayer, 'id' | 'username' | 'bearer'>

/** A client as ours is: an outbox, a reconnect that never gives up, a sync after each, and the product's own reducer. */
export interface FleetClient {
  readonly player: FleetPlayer
  state(): ChatState
  isConnected(): boolean
  /** When it connected for the last time, by this process's clock in ms. */
  connectedAtMs(): number
  /** Messages that no answer confirmed yet. */
  readonly waiting: Map<string, { conversationId: string; content: string }>
  /** Times in ms from the first try to the acknowledgement. */
  readonly latenciesMs: number[]
  told(name: string): number
  send(conversationId: string, tempId: string, content: string): void
  ask(name: string, payload: unknown): Promise<WireAck>
  http(method: string, path: string, body?: unknown): Promise<unknown>
  sync(): Promise<void>
  connect(): void
  close(): void
}

export function openFleetClient(url: string, player: FleetPlayer, { isLight = false } = {}): FleetClient {
  let state = emptyChat(player.id)
  let isClosed = false
  const waiting: FleetClient['waiting'] = new Map()
  const startedMs = new Map<string, number>()
  const latenciesMs: number[] = []
  const counts = new Map<string, number>()
  const inFlight = new Set<string>()
  const socket: Socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    autoConnect: false,
    reconnectionDelay: 300,
    reconnectionDelayMax: 1_500,
    auth: { token: bareToken(player), userId: player.id, username: player.username },
  })

  const http = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/chat${path}`, {
      method,
      headers: {
        authorization: player.bearer,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    return ((await response.json()) as { data: unknown }).data
  }

  async function sync(): Promise<void> {
    for (let hasMore = true; hasMore && !isClosed;) {
      const known = syncPoints(state)
      const told = z.decode(chatEndpoints.readMissed.data, (await http('POST', '/missed', { known })) as never)
      state = reduceChat(state, { is: 'conversations-told', conversations: told.conversations })
      state = reduceChat(state, { is: 'messages-told', messages: told.messages })
      state = reduceChat(state, { is: 'markers-told', markers: told.markers })
      hasMore = told.hasMore
    }
  }

  async function syncUntilDone(): Promise<void> {
    while (!isClosed && socket.connected) {
      try {
        return await sync()
      } catch {
        await sleep(200)
      }
    }
  }

  async function trySend(tempId: string): Promise<void> {
    if (inFlight.has(tempId)) return
    inFlight.add(tempId)
    try {
      while (!isClosed && socket.connected) {
        const entry = waiting.get(tempId)
        if (entry === undefined) return
        const { conversationId, content } = entry
        const answer = await socket
          .timeout(5_000)
          .emitWithAck('send_message', { conversationId, content, type: 'text', tempId })
          .catch(() => null)
        const ack = answer as WireAck | null
        if (ack?.ok === true) {
          waiting.delete(tempId)
          latenciesMs.push(performance.now() - (startedMs.get(tempId) ?? 0))
          return
        }
        await sleep(ack?.retryAfter === undefined ? 100 : ack.retryAfter * 1000)
      }
    } finally {
      inFlight.delete(tempId)
    }
  }

  socket.onAny((name: string, payload: unknown) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (isLight) return
    if (name === 'receive_message')
      state = reduceChat(state, { is: 'messages-told', messages: [z.decode(message, payload)] })
    else if (name === 'message_sent')
      state = reduceChat(state, {
        is: 'message-confirmed',
        message: z.decode(serverEvents.message_sent, payload as never).message,
      })
    else if (name === 'message_read') {
      const read = z.decode(serverEvents.message_read, payload as never)
      const { conversationId, readerId: userId, readSeq, unreadCount, lastSeq } = read
      state =
        unreadCount !== undefined && lastSeq !== undefined
          ? reduceChat(state, {
              is: 'read-by-self',
              conversationId,
              readSeq,
              counted: { unreadCount, throughSeq: lastSeq },
            })
          : reduceChat(state, { is: 'markers-told', markers: [{ conversationId, userId, readSeq }] })
    }
  })
  let connectedAtMs = 0
  socket.on('connect', () => {
    connectedAtMs = performance.now()
    for (const tempId of waiting.keys()) void trySend(tempId)
    if (!isLight) void syncUntilDone()
  })
  // A server that goes away by itself is no reason to stay away (spec §4).
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect' && !isClosed) socket.connect()
  })

  return {
    player,
    state: () => state,
    isConnected: () => socket.connected,
    connectedAtMs: () => connectedAtMs,
    waiting,
    latenciesMs,
    told: (name) => counts.get(name) ?? 0,
    send(conversationId, tempId, content) {
      waiting.set(tempId, { conversationId, content })
      startedMs.set(tempId, performance.now())
      if (socket.connected) void trySend(tempId)
    },
    ask: (name, payload) => socket.timeout(10_000).emitWithAck(name, payload) as Promise<WireAck>,
    http,
    sync,
    connect: () => void socket.connect(),
    close() {
      isClosed = true
      socket.disconnect()
    },
  }
}

/** Waits for a condition; answers the ms it took, or null when it never came. */
export async function waitFor(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<number | null> {
  const startedMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedMs > timeoutMs) return null
    await sleep(50)
  }
  return Math.round(performance.now() - startedMs)
}
