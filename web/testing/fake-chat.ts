import { message as messageSchema } from '#contract/chat.ts'
import * as z from 'zod/mini'
import type { ClientEvent, ClientEventName, ServerEvent, ServerEventName } from '#contract/events.ts'
import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/thread.ts'
import type { Acknowledgement, Unacknowledged } from '#web/platform/socket.ts'
import type { EntryKind } from '#web/platform/user-entries.ts'
import type { ChatDeps, ChatSocket } from '#web/features/chat/chat-deps.ts'
import { createChatSession } from '#web/features/chat/chat-session.ts'

/** For tests: a clock, a socket and a server that only a test advances, and a session that uses them. */

const person = (id: string, role: ChatUser['role']): ChatUser => ({
  id,
  username: id,
  avatar: null,
  role,
  isOnline: true,
  lastSeenAtMs: null,
})
export const an = person('an', 'player')
export const staff = person('staff', 'admin')
export const colleague = person('colleague', 'admin')

/** Runs everything that does not wait for a timer. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}
const nextTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve))

function createFakeClock() {
  const timers = new Set<{ readonly atMs: number; readonly act: () => void }>()
  let nowMs = 1_000_000
  return {
    nowMs: () => nowMs,
    after(ms: number, act: () => void) {
      const timer = { atMs: nowMs + ms, act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms: number) {
      const untilMs = nowMs + ms
      for (;;) {
        await settle()
        const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)
        if (next === undefined) break
        nowMs = next.atMs
        timers.delete(next)
        next.act()
      }
      nowMs = untilMs
    },
    timers: () => timers.size,
  }
}

/** The fate of an event: acknowledged, stored without the answer arriving, never received, or refused. */
export type Fate =
  | 'answered'
  | 'answer lost'
  | 'lost'
  | { readonly code: Unacknowledged['code']; readonly retryAfterMs?: number }

const unsent = { ok: false, code: 'UNSENT', message: '', retryAfterMs: undefined } as const

type Sent = { readonly name: ClientEventName; readonly payload: Readonly<Record<string, unknown>> }

/** The server's side of one conversation between `an` and `staff`, and of the socket of `an`. */
export function createFakeServer() {
  const messages: ChatMessage[] = []
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const connectionListeners = new Set<() => void>()
  const fates = new Map<ClientEventName, Fate[]>()
  const sent: Sent[] = []
  const joined = new Set<string>()
  let isConnected = false
  let readSeq = 0
  let hasConversation = true

  const conversation = (): Conversation => ({
    id: 'c1',
    participants: [an, staff],
    lastMessage: messages.at(-1) ?? null,
    lastSeq: messages.length,
    lastActivityAtMs: 1,
    createdAtMs: 1,
    updatedAtMs: 1,
    isActive: true,
    unreadCount: messages.filter(({ seq, sender }) => seq > readSeq && sender.id !== 'an').length,
    readSeq,
    peerReadSeq: 0,
    hiddenThroughSeq: -1,
  })

  function store(sender: ChatUser, content: string, clientMessageId: string): ChatMessage {
    const known = messages.find((one) => one.sender.id === sender.id && one.clientMessageId === clientMessageId)
    if (known !== undefined) return known
    const seq = messages.length + 1
    const message: ChatMessage = {
      id: `m${seq}`,
      conversationId: 'c1',
      seq,
      sender,
      clientMessageId,
      ...(content.endsWith('.pdf')
        ? { kind: 'text', content: '[tệp: a.pdf]', file: { url: content, name: 'a.pdf', bytes: 1_300_000 } }
        : { kind: content.startsWith('/') ? 'image' : 'text', content }),
      image: null,
      sentAtMs: seq,
      createdAtMs: seq,
      updatedAtMs: seq,
      readerIds: [sender.id],
    }
    messages.push(message)
    return message
  }

  function serve({ name, payload }: Sent): Readonly<Record<string, unknown>> {
    if (name === 'send_message') {
      const message = store(an, String(payload['content']), String(payload['clientMessageId']))
      if (!hasConversation) emit('conversation_created', conversation())
      hasConversation = true
      return { ok: true, message: z.encode(messageSchema, message) }
    }
    if (name !== 'mark_as_read') return { ok: true }
    readSeq = Math.max(readSeq, messages.find(({ id }) => id === payload['messageId'])?.seq ?? 0)
    return { ok: true, readSeq, unreadCount: conversation().unreadCount, lastSeq: messages.length }
  }

  function emit<Name extends ServerEventName>(name: Name, payload: ServerEvent<Name>): void {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  }

  function setConnected(next: boolean): void {
    isConnected = next
    for (const listener of connectionListeners) listener()
  }

  const socket: ChatSocket = {
    connectionState: () => (isConnected ? 'connected' : 'lost'),
    connectionProblem: () => null,
    holdConnection: () => () => {},
    onConnectionChanged(listener) {
      connectionListeners.add(listener)
      return () => connectionListeners.delete(listener)
    },
    onServerEvent(name, listener) {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    stayJoined(_join, _leave, payload) {
      const { conversationId } = payload as { conversationId: string }
      joined.add(conversationId)
      return () => void joined.delete(conversationId)
    },
    async askServer<Name extends ClientEventName>(
      name: Name,
      payload: ClientEvent<Name>,
    ): Promise<Acknowledgement<Name>> {
      if (!isConnected) return unsent
      const event = { name, payload: payload as Sent['payload'] }
      sent.push(event)
      const fate = fates.get(name)?.shift() ?? 'answered'
      await nextTurn()
      if (typeof fate === 'object')
        return { ...unsent, retryAfterMs: undefined, message: 'Không được', ...fate } as Acknowledgement<Name>
      if (fate === 'lost') return unsent
      const answer = serve(event)
      return fate === 'answer lost' ? unsent : { ok: true, answer }
    },
  }

  const server = {
    socket,
    messages,
    joined,
    readSeq: () => readSeq,
    withoutConversation: () => void (hasConversation = false),
    fate: (name: ClientEventName, ...next: Fate[]) => void fates.set(name, next),
    sent: (name: ClientEventName) => sent.filter((one) => one.name === name).map(({ payload }) => payload),
    listeners: () => [...listeners.values(), connectionListeners].reduce((sum, { size }) => sum + size, 0),
    connect: () => setConnected(true),
    disconnect: () => setConnected(false),
    emit,
    write: (content: string): ChatMessage => store(staff, content, `of-staff-${messages.length}`),
    change(seq: number, content: string): ChatMessage {
      const at = messages.findIndex((one) => one.seq === seq)
      const before = messages[at]
      if (before === undefined) throw new Error(`There is no message ${seq}`)
      const atMs = before.updatedAtMs + 1
      return (messages[at] = { ...before, content, editedAtMs: atMs, updatedAtMs: atMs })
    },
    api: {
      loadUsers: async () => [staff, colleague],
      loadConversations: async () => (hasConversation ? [conversation()] : []),
      loadConversation: async (): Promise<Conversation | null> => (hasConversation ? conversation() : null),
      loadMessages: async (_conversationId: string, beforeSeq = messages.length + 1, limit = 30) => ({
        messages: messages.filter(({ seq }) => seq < beforeSeq).slice(-limit),
        hasMore: beforeSeq > limit + 1,
      }),
      /** At most two messages per answer, so that missed messages arrive in parts. */
      loadMissed: async (known: { readonly conversationId: string; readonly afterSeq: number }[]) => {
        const after = known.find(({ conversationId }) => conversationId === 'c1')?.afterSeq ?? messages.length
        const missed = messages.filter(({ seq }) => seq > after)
        return {
          conversations: hasConversation ? [conversation()] : [],
          messages: missed.slice(0, 2),
          changed: messages.filter(({ seq, editedAtMs }) => seq <= after && editedAtMs !== undefined),
          markers: [{ conversationId: 'c1', userId: 'an', readSeq }],
          gone: [] as string[],
          hasMore: missed.length > 2,
        }
      },
      editMessage: async (id: string, content: string): Promise<ChatMessage> => {
        const seq = messages.find((one) => one.id === id)?.seq ?? 0
        await nextTurn()
        return server.change(seq, content)
      },
      deleteConversation: async (_id: string, throughSeq: number) => ({
        hiddenThroughSeq: Math.min(messages.length, throughSeq),
      }),
      sendFile: async (_file: Blob, _onProgress: (share: number) => void) => ({ url: '/api/v1/files/a.png' }),
    },
  }
  return server
}

export type Device = Map<string, { readonly id: string }>

export type FakePage = Awaited<ReturnType<typeof openPage>>

/** A started session, by default of `an`, connected, and with its conversation `c1` loaded. */
export async function openPage({
  server = createFakeServer(),
  device = new Map() as Device,
  drafts = new Map() as Device,
  isOffline = false,
  /** When the device answers what it has kept. */
  read = Promise.resolve<unknown>(undefined),
  self = { id: 'an', username: 'an' },
} = {}) {
  const clock = createFakeClock()
  const received: number[] = []
  let countOthers = () => 0
  const keyOf = (userId: string, id: string) => `${userId}/${id}`
  const storeOf = { unsent: device, drafts, seals: new Map() }
  const deps: ChatDeps = {
    self,
    socket: server.socket,
    api: server.api as unknown as ChatDeps['api'],
    entries: {
      readEntries: async <Entry>(kind: EntryKind, userId: string) => {
        await read
        return [...storeOf[kind]].filter(([key]) => key.startsWith(`${userId}/`)).map(([, entry]) => entry as Entry)
      },
      keepEntry: async (kind, userId, entry) => void storeOf[kind].set(keyOf(userId, entry.id), entry),
      countAlso: (count) => {
        countOthers = count
        return () => void (countOthers = () => 0)
      },
      removeEntry: async (kind, userId, id) => void storeOf[kind].delete(keyOf(userId, id)),
    },
    clock,
    onReceived: () => void received.push(clock.nowMs()),
  }
  const session = createChatSession(deps)
  session.start()
  if (!isOffline) server.connect()
  await settle()
  const thread = (key = 'c1'): Thread => {
    const found = session.snapshot().chat.threads[key]
    if (found === undefined) throw new Error(`There is no thread ${key}`)
    return found
  }
  return {
    session,
    server,
    clock,
    device,
    drafts,
    received,
    /** The number of texts that a logout would lose and that the device does not keep. */
    countOthers: () => countOthers(),
    thread,
    contents: () => thread().messages.map((one) => one.content),
  }
}
