import { groupBy } from '#domain/group-by.ts'
import type { ChatMessage, ChatUser, Conversation, ReadMarker } from './conversation.ts'
import { topicOf } from './case.ts'
import type { ChatAction, ChatState, Presence } from './chat-state.ts'
import { deskAfter } from './desk.ts'
import {
  activityOf,
  completeThrough,
  draftKey,
  emptyThread,
  FAILED_PREFIX,
  hasBeginning,
  isDraft,
  isOutdated,
  isStored,
  laterBase,
  laterOf,
  mergeMessages,
  type PendingMessage,
  type Thread,
  unreadOf,
  withMarker,
  withoutFailedPrefix,
  withoutTyping,
} from './thread.ts'

/**
 * The reducer of a client's conversations (spec §4). Events may be lost, repeated or late; answers to calls with
 * `syncPoints` bring missed messages.
 */

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
    case 'messages-changed':
      return action.messages.reduce(changeMessage, state)
    case 'message-written':
      return writeMessage(state, action)
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
      return withPresence(state, [{ ...action, id: action.userId }])
    case 'draft-opened':
      return openDraft(state, action.peer)
    case 'opened':
      return state.threads[action.key] === undefined ? state : { ...state, openKey: action.key }
    case 'closed':
      return { ...state, openKey: null }
  }
}

export const listThreads = (state: ChatState): Thread[] =>
  Object.values(state.threads)
    .filter((thread) => !isDraft(thread) || thread.pending.length > 0)
    .toSorted((a, b) => activityOf(b) - activityOf(a) || (a.key < b.key ? -1 : 1))

export const threadAt = ({ threads }: ChatState, id: string): Thread | undefined =>
  threads[id] ?? Object.values(threads).find(({ conversation }) => conversation?.mergedFrom?.includes(id))

export const totalUnread = (state: ChatState): number =>
  Object.values(state.threads).reduce((sum, thread) => sum + unreadOf(thread, state.selfId), 0)

/**
 * Returns, for each conversation, the seq after which to ask the server for messages. A thread with neither a
 * conversation nor a page is left out, because it would ask for the messages from the first one on.
 */
export const syncPoints = (state: ChatState): Array<{ conversationId: string; afterSeq: number }> =>
  Object.values(state.threads)
    .filter((thread) => !isDraft(thread) && hasBeginning(thread))
    .map((thread) => ({ conversationId: thread.key, afterSeq: completeThrough(thread) }))

function withThread(state: ChatState, thread: Thread): ChatState {
  return { ...state, threads: { ...state.threads, [thread.key]: thread } }
}

function withPresence(state: ChatState, users: readonly (Presence & { readonly id: string })[]): ChatState {
  const presence = { ...state.presence }
  for (const { id, isOnline, lastSeenAtMs } of users) presence[id] = { isOnline, lastSeenAtMs }
  return { ...state, presence }
}

function changeThread(state: ChatState, key: string, change: (thread: Thread) => Thread): ChatState {
  const thread = state.threads[key]
  if (thread === undefined) return state
  const changed = change(thread)
  return changed === thread ? state : withThread(state, changed)
}

const withoutHidden = (thread: Thread, throughSeq: number): Thread => ({
  ...thread,
  messages: thread.messages.filter(({ seq }) => seq > throughSeq),
  firstSeq: thread.firstSeq === null ? null : Math.max(thread.firstSeq, throughSeq + 1),
})

const hiddenThrough = (state: ChatState, conversationId: string): number =>
  Math.max(0, state.removedThrough[conversationId] ?? 0)

function receiveConversation(state: ChatState, received: Conversation): ChatState {
  const { id, participants, readSeq, lastSeq, hiddenThroughSeq, updatedAtMs } = received
  const removedBefore = state.removedThrough[id] ?? -1
  const isOwn = participants.some((one) => one.id === state.selfId)
  // A change of holder undoes the deletions of staff (rules §7.6): from the change on, the server sends them
  // `hiddenThroughSeq` 0. If an admin deletes the conversation later, an answer with the old 0 may still arrive after
  // the deletion. In such an answer, `isLater` is false.
  const isLater = updatedAtMs > (state.removedAtMs[id] ?? 0)
  const isGivenBack = !isOwn || (received.desk !== undefined && hiddenThroughSeq === 0 && isLater)
  // The server read `received` before the conversation was deleted, so `received` is outdated.
  if (!isGivenBack && hiddenThroughSeq < removedBefore) return state
  const known = state.threads[id] ?? emptyThread(id)
  // If the conversation was deleted elsewhere, as in another tab, the deleted messages are removed here, too.
  const before =
    hiddenThroughSeq > removedBefore
      ? withoutHidden(known, hiddenThroughSeq)
      : hiddenThroughSeq < removedBefore
        ? { ...known, hasOlder: (known.firstSeq ?? 1) > 1 }
        : known
  const isNewer = before.conversation === null || !isOutdated(received, before.conversation)
  const peer = participants.find((one) => one.id !== state.selfId) ?? participants[0]
  const base = { count: received.unreadCount, readSeq, throughSeq: lastSeq }
  const thread: Thread = {
    ...(isOwn ? withMarker(withMarker(before, state.selfId, readSeq), peer.id, received.peerReadSeq) : before),
    unreadBase: isOwn ? laterBase(before.unreadBase, base) : before.unreadBase,
    conversation: isNewer
      ? withDesk(withLast(received, before.conversation?.lastMessage), lastSeq, before.messages)
      : before.conversation,
    peer: isNewer ? peer : before.peer,
    lastSeq: Math.max(before.lastSeq, lastSeq),
    lastActivityAtMs: Math.max(before.lastActivityAtMs, received.lastActivityAtMs),
  }
  const removedThrough = { ...state.removedThrough, [id]: hiddenThroughSeq }
  const next = withThread({ ...withPresence(state, participants), removedThrough }, thread)
  return [draftKey(peer.id), ...(received.mergedFrom ?? [])].reduce((known, key) => adoptDraft(known, key, id), next)
}

/**
 * Moves the unsent messages of `key`, a draft or a merged conversation, to another conversation, which is opened if
 * `key` was open (spec §4.8, rules §7.19).
 */
function adoptDraft(state: ChatState, key: string, conversationId: string): ChatState {
  const draft = state.threads[key]
  const thread = state.threads[conversationId]
  if (draft === undefined || thread === undefined) return state
  const { [key]: _, ...threads } = state.threads
  const pending = [...thread.pending, ...draft.pending].filter((one) => !isStored(thread, state.selfId, one))
  return {
    ...state,
    threads: { ...threads, [conversationId]: { ...thread, pending } },
    openKey: state.openKey === key ? conversationId : state.openKey,
  }
}

function removeConversation(state: ChatState, conversationId: string, throughSeq: number | null): ChatState {
  const thread = state.threads[conversationId]
  const { [conversationId]: _, ...threads } = state.threads
  const openKey = state.openKey === conversationId ? null : state.openKey
  if (throughSeq === null) return thread === undefined ? state : { ...state, threads, openKey }
  const before = state.removedThrough[conversationId] ?? -1
  const removedThrough = { ...state.removedThrough, [conversationId]: Math.max(throughSeq, before) }
  if (thread === undefined) return { ...state, removedThrough }
  const changedAtMs = Math.max(
    state.removedAtMs[conversationId] ?? 0,
    thread.conversation?.updatedAtMs ?? 0,
    thread.lastActivityAtMs,
  )
  const removed = { removedThrough, removedAtMs: { ...state.removedAtMs, [conversationId]: changedAtMs } }
  const later = thread.messages.filter(({ seq }) => seq > throughSeq)
  const isKept = later.length > 0 || thread.pending.length > 0
  if (!isKept) return { ...state, threads, ...removed, openKey }
  // Messages after the deletion bring the conversation back, without earlier messages, and unsent ones keep it
  // (rules §7.6).
  const { conversation } = thread
  const isLastHidden = (conversation?.lastMessage?.seq ?? 0) <= throughSeq
  const kept: Thread = {
    ...withMarker(thread, state.selfId, throughSeq),
    conversation: conversation && isLastHidden ? { ...conversation, lastMessage: null } : conversation,
    lastActivityAtMs: later.length > 0 ? thread.lastActivityAtMs : 0,
    messages: later,
    isLoaded: true,
    hasOlder: false,
    firstSeq: throughSeq + 1,
    unreadBase: { count: 0, readSeq: throughSeq, throughSeq },
  }
  return { ...withThread(state, kept), ...removed }
}

function loadPage(state: ChatState, page: Extract<ChatAction, { is: 'page-loaded' }>): ChatState {
  const hidden = hiddenThrough(state, page.conversationId)
  const kept = page.messages.filter(({ seq }) => seq > hidden)
  // The server read this page before the conversation was deleted, so the page must not bring the conversation back.
  if (state.threads[page.conversationId] === undefined && kept.length < page.messages.length) return state
  const merged = receiveMessages(state, kept)
  const thread = merged.threads[page.conversationId] ?? emptyThread(page.conversationId)
  // Messages that events brought earlier stay in the list. The next sync fills a hole between them and this page.
  const lowest = thread.messages[0]?.seq ?? Number.POSITIVE_INFINITY
  const isEmpty = kept.length === 0
  const loadedFrom = state.threads[page.conversationId]?.firstSeq ?? null
  const isOlder = loadedFrom === null || kept.some(({ seq }) => seq < loadedFrom)
  // If the page has no visible message, no message is missing between the hidden ones and the next one to arrive.
  const firstSeq = isEmpty ? (thread.firstSeq ?? hidden + 1) : Math.min(lowest, thread.firstSeq ?? lowest)
  // A page that is not the oldest one loaded cannot say whether anything older exists.
  const hasOlder = !thread.isLoaded || isOlder || isEmpty ? page.hasOlder && firstSeq > hidden + 1 : thread.hasOlder
  return withThread(merged, { ...thread, isLoaded: true, hasOlder, firstSeq })
}

function receiveMessages(state: ChatState, messages: readonly ChatMessage[]): ChatState {
  const shown = messages.filter(({ conversationId, seq }) => seq > hiddenThrough(state, conversationId))
  return [...groupBy(shown, ({ conversationId }) => conversationId)].reduce(
    (next, [conversationId, group]) => receiveGroup(next, conversationId, group),
    state,
  )
}

function withLast(conversation: Conversation, known: ChatMessage | null | undefined): Conversation {
  const lastMessage = laterOf(known, conversation.lastMessage)
  return lastMessage === conversation.lastMessage ? conversation : { ...conversation, lastMessage }
}

const laterKnown = (known: readonly ChatMessage[], message: ChatMessage): ChatMessage =>
  laterOf(
    known.find(({ seq }) => seq === message.seq),
    message,
  )

/** Applies a sender's change to a message. `changed` keeps the change of a message that no page has loaded yet. */
function changeMessage(state: ChatState, message: ChatMessage): ChatState {
  const { conversationId, seq } = message
  const thread = state.threads[conversationId]
  const isLoaded = thread?.messages.some((one) => one.seq === seq) === true
  if (thread === undefined || isLoaded || seq > completeThrough(thread)) return receiveMessages(state, [message])
  return withThread(state, {
    ...thread,
    changed: [...thread.changed.filter((one) => one.seq !== seq), laterKnown(thread.changed, message)],
    conversation: thread.conversation && withLast(thread.conversation, message),
  })
}

function receiveGroup(state: ChatState, conversationId: string, group: readonly ChatMessage[]): ChatState {
  const before = state.threads[conversationId] ?? emptyThread(conversationId)
  const current = group.map((one) => laterKnown(before.changed, one))
  const messages = mergeMessages(before.messages, current)
  const own = new Set(group.filter(({ sender }) => sender.id === state.selfId).map((m) => m.clientMessageId))
  const isConfirmed = (pending: PendingMessage): boolean => own.has(withoutFailedPrefix(pending.clientMessageId))
  const newest = group.reduce((a, b) => (b.seq > a.seq ? b : a))
  const other = group.find(({ sender }) => sender.id !== state.selfId)
  const firstSeq = before.firstSeq === null ? null : Math.min(before.firstSeq, messages[0]?.seq ?? before.firstSeq)
  const thread: Thread = {
    ...group.reduce((typing, { sender }) => withoutTyping(typing, sender.id), before),
    messages,
    firstSeq,
    hasOlder: before.hasOlder && (firstSeq === null || firstSeq > hiddenThrough(state, conversationId) + 1),
    peer: before.peer ?? other?.sender ?? null,
    pending: before.pending.filter((one) => !isConfirmed(one)),
    conversation: withDesk(before.conversation, before.lastSeq, group),
    lastSeq: Math.max(before.lastSeq, newest.seq),
    lastActivityAtMs: Math.max(before.lastActivityAtMs, newest.sentAtMs),
  }
  // If `group` has a message of a draft, the draft has become a conversation, so its other messages move there. If it
  // has one of another conversation, that one was merged into this one, and is replaced when its `mergedFrom` arrives.
  return Object.values(state.threads)
    .filter(({ key, pending }) => key !== conversationId && pending.some(isConfirmed))
    .reduce(
      (next, { key, peer, pending }) =>
        isDraft({ key })
          ? adoptDraft(
              changeThread(next, conversationId, (adopter) => (adopter.peer === null ? { ...adopter, peer } : adopter)),
              key,
              conversationId,
            )
          : changeThread(next, key, (of) => ({ ...of, pending: pending.filter((one) => !isConfirmed(one)) })),
      withThread(state, thread),
    )
}

function withDesk<C extends Conversation | null>(
  conversation: C,
  lastSeq: number,
  messages: readonly ChatMessage[],
): C {
  const later = messages.filter(({ seq }) => seq > lastSeq).toSorted((a, b) => a.seq - b.seq)
  if (conversation?.desk === undefined || later.length === 0) return conversation
  const [player] = conversation.participants
  const desk = later.reduce(
    (known, message) =>
      deskAfter(known, {
        isOfPlayer: message.sender.id === player.id,
        sentAtMs: message.sentAtMs,
        topic: topicOf(message),
      }),
    conversation.desk,
  )
  return { ...conversation, desk }
}

function writeMessage(
  state: ChatState,
  { key, message, peer = null }: Extract<ChatAction, { is: 'message-written' }>,
): ChatState {
  const isKnown = Object.values(state.threads).some(
    (thread) =>
      isStored(thread, state.selfId, message) ||
      thread.pending.some(({ clientMessageId }) => clientMessageId === message.clientMessageId),
  )
  if (isKnown) return state
  const thread = state.threads[key] ?? { ...emptyThread(key), peer }
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
  return changeThread(state, conversationId, (thread) => withMarker(thread, userId, readSeq))
}

function readBySelf(
  state: ChatState,
  { conversationId, readSeq, counted }: Omit<Extract<ChatAction, { is: 'read-by-self' }>, 'is'>,
): ChatState {
  return changeThread(state, conversationId, (before) => {
    const thread = withMarker(before, state.selfId, readSeq)
    if (counted !== undefined) {
      const base = { count: counted.unreadCount, readSeq, throughSeq: counted.throughSeq }
      return { ...thread, unreadBase: laterBase(thread.unreadBase, base) }
    }
    if (readSeq <= thread.unreadBase.readSeq) return thread
    const throughSeq = Math.max(readSeq, completeThrough(thread))
    const count = thread.messages.filter(
      ({ seq, sender }) => seq > readSeq && seq <= throughSeq && sender.id !== state.selfId,
    ).length
    return { ...thread, unreadBase: { count, readSeq, throughSeq } }
  })
}

function openDraft(state: ChatState, peer: ChatUser): ChatState {
  const existing = Object.values(state.threads).find(
    (thread) => !isDraft(thread) && thread.peer?.id === peer.id && thread.conversation !== null,
  )
  if (existing !== undefined) return { ...state, openKey: existing.key }
  const key = draftKey(peer.id)
  const thread = state.threads[key] ?? { ...emptyThread(key), isLoaded: true, peer }
  return { ...withThread(withPresence(state, [peer]), { ...thread, peer }), openKey: key }
}
