import type { ChatMessage, ChatPerson, ChatUser, Conversation, MessageKind, ReadMarker } from './conversation.ts'

/**
 * The client's state of all its conversations as one pure reducer (spec §4). The server's rows are the truth. Events
 * are hints that may be lost, repeated or late. In whatever order they arrive, once the server has answered
 * `syncPoints` the state equals the server's list.
 */

/** A message that, as far as this client knows, is not in the server's list yet. */
export interface PendingMessage {
  /** The temporary id. Of a failed message: the id under which it failed, prefixed `failed_`. */
  readonly clientMessageId: string
  readonly kind: MessageKind
  readonly content: string
  readonly writtenAtMs: number
  /** `failed`: the server refused the message for good. Only "Gửi lại" sends it again, under a new id (rules §7). */
  readonly state: 'sending' | 'failed'
  /** The server's sentence for a failed message. */
  readonly reason: string | null
}

/** One conversation, or the draft of one. */
export interface Thread {
  /** The conversation's id, or `new_{userId}` for a draft (spec §4). */
  readonly key: string
  readonly conversation: Conversation | null
  /** The other person. Known for a draft too, and for a conversation of which only a message has arrived. */
  readonly peer: ChatPerson | null
  /** Ascending by seq, each message once; there may be holes until the next sync. */
  readonly messages: readonly ChatMessage[]
  /** In the order of writing. */
  readonly pending: readonly PendingMessage[]
  /**
   * `isLoaded` is false until a page was loaded. After that `hasOlder` says whether the server has older messages ("Tải
   * thêm tin nhắn").
   */
  readonly isLoaded: boolean
  readonly hasOlder: boolean
  /** The highest seq that the server is known to have. */
  readonly lastSeq: number
  /** From this seq on the list is complete, or a hole in it is being fetched. Older messages arrive in pages. */
  readonly firstSeq: number | null
  /** The highest seq that each person has read, by user id. */
  readonly markers: Readonly<Record<string, number>>
  /**
   * The server's latest count of unread messages: `count` messages of the other person with readSeq < seq ≤ throughSeq.
   */
  readonly unreadBase: { readonly count: number; readonly readSeq: number; readonly throughSeq: number }
  readonly lastActivityAtMs: number
  /** People who are typing now, by user id. */
  readonly typing: Readonly<Record<string, string>>
}

export interface ChatState {
  readonly selfId: string
  readonly threads: Readonly<Record<string, Thread>>
  /** For each deleted conversation, the seq up to which messages are ignored, even when they arrive late. */
  readonly removedThrough: Readonly<Record<string, number>>
  /** Key of the thread that is open. */
  readonly openKey: string | null
  readonly presence: Readonly<Record<string, { readonly isOnline: boolean; readonly lastSeenAtMs: number | null }>>
}

export type ChatAction =
  /** A list, or one conversation that was created, fetched or changed. */
  | { readonly is: 'conversations-received'; readonly conversations: readonly Conversation[] }
  /** The user deleted the conversation up to a seq; null when another admin now holds it. */
  | { readonly is: 'conversation-removed'; readonly conversationId: string; readonly throughSeq: number | null }
  /** A page of the newest messages, or of those below a seq; in any order. */
  | {
      readonly is: 'page-loaded'
      readonly conversationId: string
      readonly messages: readonly ChatMessage[]
      readonly hasOlder: boolean
    }
  /**
   * Messages of `receive_message`, `message_sent`, a send's acknowledgement or an answer to `syncPoints`. The client's
   * own messages confirm its pending ones.
   */
  | { readonly is: 'messages-received'; readonly messages: readonly ChatMessage[] }
  /** A message written on this device, or found there unsent after a reload. */
  | { readonly is: 'message-written'; readonly key: string; readonly message: PendingMessage }
  | { readonly is: 'message-refused'; readonly clientMessageId: string; readonly reason: string }
  /** "Gửi lại": a failed message is sent again under a new id. */
  | { readonly is: 'message-retried'; readonly clientMessageId: string; readonly newClientMessageId: string }
  | { readonly is: 'message-discarded'; readonly clientMessageId: string }
  /** Read markers of either side. A marker behind the known one is ignored. */
  | { readonly is: 'markers-received'; readonly markers: readonly ReadMarker[] }
  /**
   * The user's own marker. `counted` is the server's unread count at that marker; without it the client estimates until
   * the next sync.
   */
  | {
      readonly is: 'read-by-self'
      readonly conversationId: string
      readonly readSeq: number
      readonly counted?: { readonly unreadCount: number; readonly throughSeq: number }
    }
  | {
      readonly is: 'typing-started'
      readonly conversationId: string
      readonly userId: string
      readonly username: string
    }
  | { readonly is: 'typing-ended'; readonly conversationId: string; readonly userId: string }
  | {
      readonly is: 'presence-changed'
      readonly userId: string
      readonly isOnline: boolean
      readonly lastSeenAtMs: number | null
    }
  | { readonly is: 'draft-opened'; readonly peer: ChatUser }
  | { readonly is: 'opened'; readonly key: string }
  | { readonly is: 'closed' }

export const FAILED_PREFIX = 'failed_'

export const emptyChat = (selfId: string): ChatState => ({
  selfId,
  threads: {},
  removedThrough: {},
  openKey: null,
  presence: {},
})

/** The key of a conversation that does not exist yet (spec §4). */
export const draftKey = (userId: string): string => `new_${userId}`

const emptyThread = (key: string): Thread => ({
  key,
  conversation: null,
  peer: null,
  messages: [],
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

/** The state after an action; the same object when the action changes nothing. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.is) {
    case 'conversations-received':
      return action.conversations.reduce(receiveConversation, state)
    case 'conversation-removed':
      return removeConversation(state, action.conversationId, action.throughSeq)
    case 'page-loaded':
      return loadPage(state, action)
    case 'messages-received':
      return receiveMessages(state, action.messages)
    case 'message-written':
      return writeMessage(state, action.key, action.message)
    case 'message-refused':
      return changePending(state, action.clientMessageId, (pending) =>
        pending.state === 'failed'
          ? pending
          : {
              ...pending,
              clientMessageId: FAILED_PREFIX + pending.clientMessageId,
              state: 'failed',
              reason: action.reason,
            },
      )
    case 'message-retried':
      return changePending(state, action.clientMessageId, (pending) => ({
        ...pending,
        clientMessageId: action.newClientMessageId,
        state: 'sending',
        reason: null,
      }))
    case 'message-discarded':
      return changePending(state, action.clientMessageId, () => null)
    case 'markers-received':
      return action.markers.reduce(receiveMarker, state)
    case 'read-by-self':
      return readBySelf(state, action)
    case 'typing-started':
      return changeThread(state, action.conversationId, (thread) =>
        thread.typing[action.userId] === action.username || action.userId === state.selfId
          ? thread
          : { ...thread, typing: { ...thread.typing, [action.userId]: action.username } },
      )
    case 'typing-ended':
      return changeThread(state, action.conversationId, (thread) => withoutTyping(thread, action.userId))
    case 'presence-changed':
      return {
        ...state,
        presence: {
          ...state.presence,
          [action.userId]: { isOnline: action.isOnline, lastSeenAtMs: action.lastSeenAtMs },
        },
      }
    case 'draft-opened':
      return openDraft(state, action.peer)
    case 'opened':
      return state.threads[action.key] === undefined ? state : { ...state, openKey: action.key }
    case 'closed':
      return { ...state, openKey: null }
  }
}

/** Threads in the order of the list: latest activity first. Empty drafts are left out. */
export const listThreads = (state: ChatState): Thread[] =>
  Object.values(state.threads)
    .filter((thread) => !isDraft(thread) || thread.pending.length > 0)
    .toSorted((a, b) => activityOf(b) - activityOf(a) || (a.key < b.key ? -1 : 1))

export const isDraft = (thread: Thread): boolean => thread.key.startsWith('new_')

const activityOf = (thread: Thread): number =>
  Math.max(thread.lastActivityAtMs, thread.pending.at(-1)?.writtenAtMs ?? 0)

/** Number of the other person's messages after the user's own marker. */
export function unreadOf(thread: Thread, selfId: string): number {
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

export const totalUnread = (state: ChatState): number =>
  Object.values(state.threads).reduce((sum, thread) => sum + unreadOf(thread, state.selfId), 0)

/** "✓✓ Đã xem": the other person's marker has reached the message (spec §4). */
export const isSeen = (thread: Thread, message: ChatMessage): boolean =>
  message.readerIds.some((id) => id !== message.sender.id) ||
  Object.entries(thread.markers).some(([userId, readSeq]) => userId !== message.sender.id && readSeq >= message.seq)

/**
 * The points from which to ask the server after a reconnect: for each conversation, the highest seq up to which nothing
 * is missing. A conversation of which only single messages have arrived is not named; the server's answer brings it
 * whole, with its counts.
 */
export const syncPoints = (state: ChatState): Array<{ conversationId: string; afterSeq: number }> =>
  Object.values(state.threads)
    .filter((thread) => !isDraft(thread) && (thread.conversation !== null || thread.firstSeq !== null))
    .map((thread) => ({ conversationId: thread.key, afterSeq: completeThrough(thread) }))

/** True when a message before the newest known one is missing, and a sync is needed. */
export const hasHole = (thread: Thread): boolean =>
  (thread.conversation !== null || thread.firstSeq !== null) && completeThrough(thread) < thread.lastSeq

/**
 * The highest seq up to which nothing is missing. Counted from the first loaded message or, while no page is loaded,
 * from the server's last count.
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

function withThread(state: ChatState, thread: Thread): ChatState {
  return { ...state, threads: { ...state.threads, [thread.key]: thread } }
}

function changeThread(state: ChatState, key: string, change: (thread: Thread) => Thread): ChatState {
  const thread = state.threads[key]
  if (thread === undefined) return state
  const changed = change(thread)
  return changed === thread ? state : withThread(state, changed)
}

function withoutTyping(thread: Thread, userId: string): Thread {
  if (thread.typing[userId] === undefined) return thread
  const { [userId]: _, ...typing } = thread.typing
  return { ...thread, typing }
}

const peerIn = (conversation: Conversation, selfId: string): ChatUser =>
  conversation.participants.find(({ id }) => id !== selfId) ?? conversation.participants[0]

const isParticipant = ({ participants }: Conversation, userId: string): boolean =>
  participants.some(({ id }) => id === userId)

/**
 * The later of two counts by the server: the one with the higher marker or, at equal markers, the one counted later.
 */
function laterBase(a: Thread['unreadBase'], b: Thread['unreadBase']): Thread['unreadBase'] {
  if (b.readSeq !== a.readSeq) return b.readSeq > a.readSeq ? b : a
  return b.throughSeq >= a.throughSeq ? b : a
}

function receiveConversation(state: ChatState, received: Conversation): ChatState {
  // The server read this list before the conversation was deleted.
  if (received.hiddenThroughSeq < (state.removedThrough[received.id] ?? -1)) return state
  const before = state.threads[received.id] ?? emptyThread(received.id)
  const isOwn = isParticipant(received, state.selfId)
  const peer = peerIn(received, state.selfId)
  const isNewer = before.conversation === null || received.lastSeq >= before.conversation.lastSeq
  const markers = isOwn
    ? forward(forward(before.markers, state.selfId, received.readSeq), peer.id, received.peerReadSeq)
    : before.markers
  const base = { count: received.unreadCount, readSeq: received.readSeq, throughSeq: received.lastSeq }
  const isTrimmed = received.hiddenThroughSeq > (state.removedThrough[received.id] ?? -1)
  const thread: Thread = {
    ...before,
    // The conversation was deleted on another device, and that event did not arrive here.
    ...(isTrimmed ? withoutHidden(before, received.hiddenThroughSeq) : {}),
    conversation: isNewer ? received : before.conversation,
    peer: isNewer ? peer : before.peer,
    lastSeq: Math.max(before.lastSeq, received.lastSeq),
    markers,
    unreadBase: isOwn ? laterBase(before.unreadBase, base) : before.unreadBase,
    lastActivityAtMs: Math.max(before.lastActivityAtMs, received.lastActivityAtMs),
  }
  const presence = { ...state.presence }
  for (const { id, isOnline, lastSeenAtMs } of received.participants) presence[id] = { isOnline, lastSeenAtMs }
  const removedThrough =
    received.hiddenThroughSeq < 0
      ? state.removedThrough
      : { ...state.removedThrough, [received.id]: received.hiddenThroughSeq }
  return adoptDraft({ ...withThread(state, thread), presence, removedThrough }, peer.id, received.id)
}

const withoutHidden = (thread: Thread, throughSeq: number): Pick<Thread, 'messages' | 'firstSeq'> => ({
  messages: thread.messages.filter(({ seq }) => seq > throughSeq),
  firstSeq: thread.firstSeq === null ? null : Math.max(thread.firstSeq, throughSeq + 1),
})

const forward = (
  markers: Readonly<Record<string, number>>,
  userId: string,
  readSeq: number,
): Readonly<Record<string, number>> => ((markers[userId] ?? 0) >= readSeq ? markers : { ...markers, [userId]: readSeq })

/**
 * Moves a draft's unsent messages into the conversation that was created from it, and opens that conversation in the
 * draft's place (spec §4).
 */
function adoptDraft(state: ChatState, peerId: string, conversationId: string): ChatState {
  const key = draftKey(peerId)
  const draft = state.threads[key]
  const thread = state.threads[conversationId]
  if (draft === undefined || thread === undefined) return state
  const { [key]: _, ...threads } = state.threads
  const pending = [...thread.pending, ...draft.pending].filter(
    ({ clientMessageId }) => !isStored(thread, state.selfId, clientMessageId),
  )
  return {
    ...state,
    threads: { ...threads, [conversationId]: { ...thread, pending } },
    openKey: state.openKey === key ? conversationId : state.openKey,
  }
}

const isStored = (thread: Thread, selfId: string, clientMessageId: string): boolean =>
  thread.messages.some((message) => message.sender.id === selfId && message.clientMessageId === clientMessageId)

function removeConversation(state: ChatState, conversationId: string, throughSeq: number | null): ChatState {
  const thread = state.threads[conversationId]
  const { [conversationId]: _, ...threads } = state.threads
  const openKey = state.openKey === conversationId ? null : state.openKey
  if (throughSeq === null) return thread === undefined ? state : { ...state, threads, openKey }
  const before = state.removedThrough[conversationId] ?? -1
  const removedThrough = { ...state.removedThrough, [conversationId]: Math.max(throughSeq, before) }
  if (thread === undefined) return { ...state, removedThrough }
  const later = thread.messages.filter(({ seq }) => seq > throughSeq)
  // A message after the deletion brings the conversation back, with later messages only (rules §7).
  if (later.length > 0) {
    const kept: Thread = {
      ...thread,
      messages: later,
      isLoaded: true,
      hasOlder: false,
      firstSeq: throughSeq + 1,
      unreadBase: { count: 0, readSeq: throughSeq, throughSeq },
      markers: forward(thread.markers, state.selfId, throughSeq),
    }
    return { ...withThread({ ...state, threads }, kept), removedThrough }
  }
  return { ...state, threads, removedThrough, openKey }
}

function loadPage(state: ChatState, page: Extract<ChatAction, { is: 'page-loaded' }>): ChatState {
  const hiddenThrough = Math.max(0, state.removedThrough[page.conversationId] ?? 0)
  const kept = page.messages.filter(({ seq }) => seq > hiddenThrough)
  // The server read this page before the conversation was deleted.
  if (state.threads[page.conversationId] === undefined && kept.length < page.messages.length) return state
  const merged = receiveMessages(state, kept)
  const thread = merged.threads[page.conversationId] ?? emptyThread(page.conversationId)
  // Messages that arrived by events before the page stay in the list. The next sync fills a hole between them and the
  // page.
  const lowest = thread.messages[0]?.seq ?? Number.POSITIVE_INFINITY
  const isEmpty = kept.length === 0
  const loadedFrom = state.threads[page.conversationId]?.firstSeq ?? null
  const isOlder = loadedFrom === null || kept.some(({ seq }) => seq < loadedFrom)
  // An empty page means that no message existed when it was read, so every message in the list is newer.
  const firstSeq = isEmpty ? (thread.firstSeq ?? hiddenThrough + 1) : Math.min(lowest, thread.firstSeq ?? lowest)
  // A page that arrives after an older page does not know whether anything older exists.
  const hasOlder =
    !thread.isLoaded || isOlder || isEmpty ? page.hasOlder && firstSeq > hiddenThrough + 1 : thread.hasOlder
  return withThread(merged, { ...thread, isLoaded: true, hasOlder, firstSeq })
}

function receiveMessages(state: ChatState, messages: readonly ChatMessage[]): ChatState {
  const byConversation = new Map<string, ChatMessage[]>()
  for (const message of messages) {
    if (message.seq <= (state.removedThrough[message.conversationId] ?? 0)) continue
    const group = byConversation.get(message.conversationId)
    if (group === undefined) byConversation.set(message.conversationId, [message])
    else group.push(message)
  }
  let next = state
  for (const [conversationId, group] of byConversation) next = receiveGroup(next, conversationId, group)
  return next
}

/** Merges messages of one conversation into its thread, and removes from `pending` those that they confirm. */
function receiveGroup(state: ChatState, conversationId: string, group: readonly ChatMessage[]): ChatState {
  const before = state.threads[conversationId] ?? emptyThread(conversationId)
  const messages = mergeMessages(before.messages, group)
  const own = new Set(group.filter(({ sender }) => sender.id === state.selfId).map((m) => m.clientMessageId))
  const newest = group.reduce((a, b) => (b.seq > a.seq ? b : a))
  const other = group.find(({ sender }) => sender.id !== state.selfId)
  // A late message belongs to the list too. The next sync fills the hole behind it.
  const firstSeq = before.firstSeq === null ? null : Math.min(before.firstSeq, messages[0]?.seq ?? before.firstSeq)
  const oldestSeq = Math.max(0, state.removedThrough[conversationId] ?? 0) + 1
  let thread: Thread = {
    ...before,
    messages,
    firstSeq,
    // With the oldest message there is nothing more to load, however that message arrived.
    hasOlder: before.hasOlder && (firstSeq === null || firstSeq > oldestSeq),
    peer: before.peer ?? other?.sender ?? null,
    pending:
      own.size === 0 ? before.pending : before.pending.filter((p) => !own.has(withoutFailedPrefix(p.clientMessageId))),
    lastSeq: Math.max(before.lastSeq, newest.seq),
    lastActivityAtMs: Math.max(before.lastActivityAtMs, newest.sentAtMs),
  }
  for (const { sender } of group) if (sender.id !== state.selfId) thread = withoutTyping(thread, sender.id)
  const next = withThread(state, thread)
  return own.size === 0 ? next : confirmInDrafts(next, own, conversationId)
}

/** The first message of a draft created its conversation: the draft's other unsent messages move there. */
function confirmInDrafts(state: ChatState, own: ReadonlySet<string>, conversationId: string): ChatState {
  let next = state
  for (const thread of Object.values(state.threads)) {
    if (!isDraft(thread) || !thread.pending.some((p) => own.has(withoutFailedPrefix(p.clientMessageId)))) continue
    const rest = thread.pending.filter((p) => !own.has(withoutFailedPrefix(p.clientMessageId)))
    next = withThread(next, { ...thread, pending: rest })
    const adopter = next.threads[conversationId]
    if (adopter !== undefined && adopter.peer === null) next = withThread(next, { ...adopter, peer: thread.peer })
    next = adoptDraft(next, thread.key.slice('new_'.length), conversationId)
  }
  return next
}

/** The id under which a pending message was sent. */
export const withoutFailedPrefix = (clientMessageId: string): string =>
  clientMessageId.startsWith(FAILED_PREFIX) ? clientMessageId.slice(FAILED_PREFIX.length) : clientMessageId

/**
 * Merges both lists, ascending by seq and each message once. Sorts only when a message is older than the last known
 * one.
 */
function mergeMessages(known: readonly ChatMessage[], received: readonly ChatMessage[]): readonly ChatMessage[] {
  const fresh = received.filter(({ seq }) => !hasSeq(known, seq))
  if (fresh.length === 0) return known
  const bySeq = [...new Map(fresh.map((message) => [message.seq, message])).values()].toSorted((a, b) => a.seq - b.seq)
  const last = known.at(-1)?.seq ?? 0
  const merged = [...known, ...bySeq]
  return (bySeq[0]?.seq ?? 0) > last ? merged : merged.toSorted((a, b) => a.seq - b.seq)
}

function hasSeq(messages: readonly ChatMessage[], seq: number): boolean {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((messages[middle] as ChatMessage).seq < seq) low = middle + 1
    else high = middle
  }
  return messages[low]?.seq === seq
}

function writeMessage(state: ChatState, key: string, message: PendingMessage): ChatState {
  const isKnown = Object.values(state.threads).some(
    (thread) =>
      isStored(thread, state.selfId, withoutFailedPrefix(message.clientMessageId)) ||
      thread.pending.some(({ clientMessageId }) => clientMessageId === message.clientMessageId),
  )
  if (isKnown) return state
  const thread = state.threads[key] ?? emptyThread(key)
  return withThread(state, { ...thread, pending: [...thread.pending, message] })
}

function changePending(
  state: ChatState,
  clientMessageId: string,
  change: (pending: PendingMessage) => PendingMessage | null,
): ChatState {
  for (const thread of Object.values(state.threads)) {
    if (!thread.pending.some((pending) => pending.clientMessageId === clientMessageId)) continue
    const pending = thread.pending.flatMap((one) => {
      const changed = one.clientMessageId === clientMessageId ? change(one) : one
      return changed === null ? [] : [changed]
    })
    return withThread(state, { ...thread, pending })
  }
  return state
}

function receiveMarker(state: ChatState, { conversationId, userId, readSeq }: ReadMarker): ChatState {
  if (userId === state.selfId) return readBySelf(state, { conversationId, readSeq })
  return changeThread(state, conversationId, (thread) => {
    const markers = forward(thread.markers, userId, readSeq)
    return markers === thread.markers ? thread : { ...thread, markers }
  })
}

function readBySelf(
  state: ChatState,
  {
    conversationId,
    readSeq,
    counted,
  }: { conversationId: string; readSeq: number; counted?: { unreadCount: number; throughSeq: number } },
): ChatState {
  return changeThread(state, conversationId, (thread) => {
    const markers = forward(thread.markers, state.selfId, readSeq)
    if (counted !== undefined) {
      const base = { count: counted.unreadCount, readSeq, throughSeq: counted.throughSeq }
      return { ...thread, markers, unreadBase: laterBase(thread.unreadBase, base) }
    }
    if (readSeq <= thread.unreadBase.readSeq) return markers === thread.markers ? thread : { ...thread, markers }
    // An estimate from the loaded messages, until the server's count replaces it.
    const throughSeq = Math.max(readSeq, completeThrough(thread))
    const count = thread.messages.filter(
      ({ seq, sender }) => seq > readSeq && seq <= throughSeq && sender.id !== state.selfId,
    ).length
    return { ...thread, markers, unreadBase: { count, readSeq, throughSeq } }
  })
}

function openDraft(state: ChatState, peer: ChatUser): ChatState {
  const existing = Object.values(state.threads).find(
    (thread) => !isDraft(thread) && thread.peer?.id === peer.id && thread.conversation !== null,
  )
  if (existing !== undefined) return { ...state, openKey: existing.key }
  const key = draftKey(peer.id)
  const thread = state.threads[key] ?? { ...emptyThread(key), isLoaded: true, peer }
  const presence = {
    ...state.presence,
    [peer.id]: { isOnline: peer.isOnline, lastSeenAtMs: peer.lastSeenAtMs },
  }
  return { ...withThread(state, { ...thread, peer }), presence, openKey: key }
}
