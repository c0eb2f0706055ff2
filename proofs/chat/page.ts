import { EventEmitter, once } from 'node:events'
import { io, type Socket } from 'socket.io-client'
import type { ChatSocket } from '#web/features/chat/chat-deps.ts'
import { createChatApi } from '#web/features/chat/api.ts'
import { type ChatSession, createChatSession } from '#web/features/chat/chat-session.ts'
import type { EntryKind } from '#web/platform/user-entries.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { Acknowledgement } from '#web/platform/socket.ts'
import { readCode, readEvent, serverEventNames, writeEvent } from '#web/platform/socket-library.ts'
import { bareToken, type WireAck } from '#testing/app/chat-client.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'

export type PagePlayer = Pick<TestPlayer, 'id' | 'username' | 'bearer'>

/** The part of a page that survives a reload: its unsent messages by id. */
export type Device = Map<string, { readonly id: string }>

/** The product's own chat session without a screen, on a real socket and with real calls. */
export interface ChatPage {
  readonly player: PagePlayer
  readonly session: ChatSession
  readonly device: Device
  isConnected(): boolean
  /** When it last connected, by this process's clock in ms. */
  connectedAtMs(): number
  /** The number of messages that were written and are not confirmed. */
  unconfirmed(): number
  /** Resolves with the server's next answer to a read marker of the session. */
  nextMarkAnswer(): Promise<Acknowledgement>
  /** Sends an event in wire format, past the session. */
  ask(name: string, payload: unknown): Promise<WireAck>
  connect(): void
  close(): void
}

const fetchAnywhere = globalThis.fetch
/** Sets the server for calls with a relative address, as the page's origin does in a browser. */
export function setOrigin(url: string): void {
  globalThis.fetch = (input, init) => fetchAnywhere(typeof input === 'string' ? new URL(input, url) : input, init)
}

/** After a reload, `device` is the one of the page before. */
export function openChatPage(url: string, player: PagePlayer, device: Device = new Map()): ChatPage {
  const token = bareToken(player)
  // It reconnects faster than a page and never gives up: a proof cannot wait for somebody to press a button.
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    autoConnect: false,
    reconnectionDelay: 300,
    reconnectionDelayMax: 1_500,
    auth: { token, userId: player.id, username: player.username },
  })
  let connectedAtMs = 0
  let isClosed = false
  socket.on('connect', () => {
    connectedAtMs = performance.now()
  })
  // socket.io reconnects by itself, except after a close by the server.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect' && !isClosed) socket.connect()
  })
  const marks = new EventEmitter()
  const session = createChatSession({
    self: player,
    socket: chatSocketOf(socket, marks),
    api: createChatApi(
      (endpoint, input) => callEndpoint(endpoint, { ...input, token }),
      () => Promise.reject(new Error('The proofs send no images')),
    ),
    entries: {
      countAlso: () => () => {},
      readEntries: async <Entry>(kind: EntryKind) =>
        kind === 'unsent' ? [...device.values()].map((entry) => structuredClone(entry) as Entry) : [],
      keepEntry: async (_kind, _userId, entry) => void device.set(entry.id, structuredClone(entry)),
      removeEntry: async (_kind, _userId, id) => void device.delete(id),
    },
    clock: {
      nowMs: Date.now,
      after(ms, act) {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    },
    onReceived: () => {},
  })
  return {
    player,
    session,
    device,
    nextMarkAnswer: async () => (await once(marks, 'answer'))[0] as Acknowledgement,
    isConnected: () => socket.connected && session.snapshot().hasConversations,
    connectedAtMs: () => connectedAtMs,
    unconfirmed: () =>
      Object.values(session.snapshot().chat.threads).reduce((sum, { pending }) => sum + pending.length, 0),
    ask: (name, payload) => socket.timeout(10_000).emitWithAck(name, payload) as Promise<WireAck>,
    connect: () => session.start(),
    close() {
      isClosed = true
      session.end()
      socket.disconnect()
    },
  }
}

/** Adapts a socket.io socket to the session's interface; on a page web/platform/socket.ts does this. */
function chatSocketOf(socket: Socket, marks: EventEmitter): ChatSocket {
  const unsent = { ok: false, code: 'UNSENT', message: '', retryAfterMs: undefined } as const
  return {
    connectionState: () => (socket.connected ? 'connected' : 'lost'),
    connectionProblem: () => null,
    holdConnection() {
      socket.connect()
      return () => {}
    },
    onConnectionChanged(listener) {
      socket.on('connect', listener)
      socket.on('disconnect', listener)
      return () => void socket.off('connect', listener).off('disconnect', listener)
    },
    onServerEvent(name, listener) {
      if (!serverEventNames.includes(name)) throw new Error(`${name} is no event of the server`)
      // socket.io types its own events by name; the contract's events are any others.
      const event: string = name
      const handle = (wire: unknown) => {
        const payload = readEvent(name, wire)
        if (payload !== undefined) listener(payload)
      }
      socket.on(event, handle)
      return () => void socket.off(event, handle)
    },
    stayJoined(join, leave, payload) {
      const handle = () => void socket.emit(join, writeEvent(join, payload))
      socket.on('connect', handle)
      if (socket.connected) handle()
      return () => {
        socket.off('connect', handle)
        if (socket.connected) socket.emit(leave, writeEvent(leave, payload))
      }
    },
    async askServer(name, payload) {
      if (!socket.connected) return unsent
      const fields = (await socket
        .timeout(8_000)
        .emitWithAck(name, writeEvent(name, payload))
        .catch(() => null)) as WireAck | null
      const answer: Acknowledgement<typeof name> =
        fields?.ok === true
          ? { ok: true, answer: fields }
          : fields === null
            ? unsent
            : {
                ok: false,
                code: readCode(name, fields.code),
                message: typeof fields['message'] === 'string' ? fields['message'] : '',
                retryAfterMs: fields.retryAfter === undefined ? undefined : fields.retryAfter * 1000,
              }
      if (name === 'mark_as_read') marks.emit('answer', answer)
      return answer
    },
  }
}
