import {
  type ChatMessage,
  type ChatPerson,
  type Conversation,
  isUnheld,
  type MessageKind,
  type Quote,
} from './conversation.ts'
import type { FileFacts } from './file.ts'

export interface PendingMessage {
  /** The message's temporary id. For a failed message, the id under which it failed, prefixed by `failed_`. */
  readonly clientMessageId: string
  readonly kind: MessageKind
  readonly content: string
  readonly fileFacts?: FileFacts
  readonly quoted?: Quote & { readonly id: string }
  readonly writtenAtMs: number
  /** `failed`: the server refused the message for good. "Gửi lại" sends it under a new id (rules §7.2). */
  readonly state: 'sending' | 'failed'
  readonly reason: string | null
}

export interface Thread {
  /** The conversation's id, or `new_{userId}` for a draft (spec §4.8). */
  readonly key: string
  readonly conversation: Conversation | null
  readonly peer: ChatPerson | null
  readonly messages: readonly ChatMessage[]
  /** Changed messages that no page has loaded yet: a page that was read before the change still has the old text. */
  readonly changed: readonly ChatMessage[]
  readonly pending: readonly PendingMessage[]
  readonly isLoaded: boolean
  /** Without meaning until a page was loaded (`isLoaded`). */
  readonly hasOlder: boolean
  readonly lastSeq: number
  /** From this seq on, messages are loaded, apart from holes (`hasHole`). Null until a page was loaded. */
  readonly firstSeq: number | null
  readonly markers: Readonly<Record<string, number>>
  /** The latest count of unread messages: those with a seq above its `readSeq` and at most its `throughSeq`. */
  readonly unreadBase: UnreadBase
  readonly lastActivityAtMs: number
  readonly typing: Readonly<Record<string, string>>
}

type UnreadBase = { readonly count: number; readonly readSeq: number; readonly throughSeq: number }

export const emptyThread = (key: string): Thread => ({
  key,
  conversation: null,
  peer: null,
  messages: [],
  changed: [],
  pending: [],
  isLoaded: false,
  hasOlder: false,
  lastSeq: 0,
  firstSeq: null,
  markers: {},
  unreadBase: { count: 0, readSeq: 0, throughSeq: 0 },
  lastActivityAtMs: 0,
  typing: {},
})

export const draftKey = (userId: string): string => `new_${userId}`

export const isDraft = ({ key }: Pick<Thread, 'key'>): boolean => key.startsWith('new_')

export const FAILED_PREFIX = 'failed_'

export const withoutFailedPrefix = (clientMessageId: string): string =>
  clientMessageId.startsWith(FAILED_PREFIX) ? clientMessageId.slice(FAILED_PREFIX.length) : clientMessageId

export const isStored = (thread: Thread, selfId: string, { clientMessageId }: PendingMessage): boolean =>
  thread.messages.some(
    (message) => message.sender.id === selfId && message.clientMessageId === withoutFailedPrefix(clientMessageId),
  )

export const activityOf = (thread: Thread): number =>
  Math.max(thread.lastActivityAtMs, thread.pending.at(-1)?.writtenAtMs ?? 0)

/** Returns whether a thread is the user's own or, for staff, held by nobody (`unheld`) or by a colleague (`taken`). */
export function standingOf({ conversation }: Thread, selfId: string): 'own' | 'unheld' | 'taken' {
  if (conversation === null || conversation.participants.some(({ id }) => id === selfId)) return 'own'
  return isUnheld(conversation) ? 'unheld' : 'taken'
}

export function unreadOf(thread: Thread, selfId: string): number {
  if (standingOf(thread, selfId) !== 'own') return 0
  const { count, throughSeq } = thread.unreadBase
  const readSeq = thread.markers[selfId] ?? 0
  let unread = count
  for (let index = thread.messages.length - 1; index >= 0; index--) {
    const message = thread.messages[index] as ChatMessage
    if (message.seq <= throughSeq) break
    if (message.seq > readSeq && message.sender.id !== selfId) unread++
  }
  return unread
}

export const isSeen = (thread: Thread, message: ChatMessage): boolean =>
  message.readerIds.some((id) => id !== message.sender.id) ||
  Object.entries(thread.markers).some(([userId, readSeq]) => userId !== message.sender.id && readSeq >= message.seq)

export const hasBeginning = (thread: Thread): boolean => thread.conversation !== null || thread.firstSeq !== null

export const hasHole = (thread: Thread): boolean => hasBeginning(thread) && completeThrough(thread) < thread.lastSeq

/**
 * Returns the seq up to which no message is missing, counted from `firstSeq` on or, if that is null, after the
 * `throughSeq` of `unreadBase`.
 */
export function completeThrough(thread: Thread): number {
  let through = thread.firstSeq === null ? thread.unreadBase.throughSeq : thread.firstSeq - 1
  for (const { seq } of thread.messages) {
    if (seq <= through) continue
    if (seq > through + 1) break
    through = seq
  }
  return through
}

export function withoutTyping(thread: Thread, userId: string): Thread {
  if (thread.typing[userId] === undefined) return thread
  const { [userId]: _, ...typing } = thread.typing
  return { ...thread, typing }
}

/** Returns the later of two counts: that with the higher `readSeq` or, if these are equal, the higher `throughSeq`. */
export function laterBase(a: UnreadBase, b: UnreadBase): UnreadBase {
  if (b.readSeq !== a.readSeq) return b.readSeq > a.readSeq ? b : a
  return b.throughSeq >= a.throughSeq ? b : a
}

export const withMarker = (thread: Thread, userId: string, readSeq: number): Thread =>
  (thread.markers[userId] ?? 0) >= readSeq ? thread : { ...thread, markers: { ...thread.markers, [userId]: readSeq } }

/** Returns `b`, or `a` if both are states of the same message and `a` is the later state. */
export const laterOf = <M extends ChatMessage | null>(a: M | undefined, b: M): M =>
  a && b && a.seq === b.seq && a.updatedAtMs > b.updatedAtMs ? a : b

/** Returns whether the server read `received` before `known`, although it arrived later (rules §7.2). */
export const isOutdated = (received: Conversation, known: Conversation): boolean =>
  received.lastSeq < known.lastSeq || (received.lastSeq === known.lastSeq && received.updatedAtMs < known.updatedAtMs)

/** Returns all messages, sorted by seq, each in its latest state. */
export function mergeMessages(known: readonly ChatMessage[], received: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = known.at(-1)?.seq ?? 0
  const fresh = received.filter(
    ({ seq, updatedAtMs }) => seq > last || !known.some((one) => one.seq === seq && one.updatedAtMs >= updatedAtMs),
  )
  if (fresh.length === 0) return known
  const bySeq = new Map<number, ChatMessage>()
  for (const message of fresh) bySeq.set(message.seq, laterOf(bySeq.get(message.seq), message))
  const sorted = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq)
  if ((sorted[0]?.seq ?? 0) > last) return [...known, ...sorted]
  return [...known.filter(({ seq }) => !bySeq.has(seq)), ...sorted].toSorted((a, b) => a.seq - b.seq)
}
