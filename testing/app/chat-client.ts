import { io, type Socket } from 'socket.io-client'
import type { TestPlayer } from '#testing/play/rounds.ts'

/** An acknowledgement in wire format. */
export interface WireAck {
  readonly ok: boolean
  readonly code?: string
  readonly retryAfter?: number
  readonly [field: string]: unknown
}

type SocketPlayer = Pick<TestPlayer, 'id' | 'username' | 'bearer'>

/** A test's socket, with every event that it received. */
export interface ChatClient {
  readonly socket: Socket
  readonly player: SocketPlayer
  /** Every event of a name, in the order of arrival. */
  told(name: string): ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Waits until this many events of a name have arrived. */
  until(name: string, count: number, timeoutMs?: number): Promise<void>
  /** Sends an event and waits for its acknowledgement. */
  ask(name: string, payload: unknown): Promise<WireAck>
  close(): void
}

export const bareToken = (player: Pick<SocketPlayer, 'bearer'>): string => player.bearer.slice('Bearer '.length)

/** Opens a socket as a test's player or admin. */
export async function openChatClient(url: string, player: SocketPlayer): Promise<ChatClient> {
  const events = new Map<string, Array<Record<string, unknown>>>()
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token: bareToken(player), userId: player.id, username: player.username },
  })
  socket.onAny((name: string, payload: Record<string, unknown>) => {
    const list = events.get(name) ?? []
    events.set(name, list)
    list.push(payload)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return {
    socket,
    player,
    told: (name) => events.get(name) ?? [],
    async until(name, count, timeoutMs = 5_000) {
      const untilMs = performance.now() + timeoutMs
      while ((events.get(name)?.length ?? 0) < count) {
        if (performance.now() > untilMs)
          throw new Error(`${name} came ${events.get(name)?.length ?? 0} times, not ${count}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    ask: (name, payload) => socket.timeout(10_000).emitWithAck(name, payload) as Promise<WireAck>,
    close: () => void socket.disconnect(),
  }
}

/** Opens a socket for each, a hundred at a time. */
export async function openSockets(url: string, players: readonly SocketPlayer[]): Promise<ChatClient[]> {
  const clients: ChatClient[] = []
  for (let at = 0; at < players.length; at += 100)
    clients.push(...(await Promise.all(players.slice(at, at + 100).map((player) => openChatClient(url, player)))))
  return clients
}
