import { message as messageSchema } from '#contract/chat.ts'
import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import * as z from 'zod/mini'
import { type ChatMessage, type ChatUser, cleanText, type Conversation } from '#domain/chat/conversation.ts'
import {
  type ChatAction,
  type ChatState,
  emptyChat,
  hasHole,
  isDraft,
  type PendingMessage,
  reduceChat,
  syncPoints,
  type Thread,
  totalUnread,
} from '#domain/chat/timeline.ts'
import type { Role } from '#domain/identity/permissions.ts'
import { chatTexts } from './chat-texts.ts'
import { ApiError, failureText, newIdempotencyKey } from '#web/platform/http.ts'
import { keepUnsent, readUnsent, removeUnsent } from '#web/platform/unsent.ts'
import { pause } from '#web/platform/pause.ts'
import { isRetryable } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import {
  type Acknowledgement,
  askServer,
  connectionProblem,
  connectionState,
  type ConnectionState,
  holdConnection,
  onConnectionChanged,
  onServerEvent,
  stayJoined,
} from '#web/platform/socket.ts'
import { readChatSound } from '#web/platform/storage.ts'
import { deleteConversation, loadChatUsers, loadConversations, loadMessages, loadMissed, sendFile } from './api.ts'
import { playChime } from './sound.ts'
import { showInTitle } from './title-counter.ts'

/**
 * The page's one chat: what happened goes into the reducer of domain/chat, what is written goes through the outbox to
 * the socket. It lives as long as somebody holds it, the badge of the tab bar or a screen.
 */

export type ChatSelf = { readonly id: string; readonly username: string; readonly role: Role }

/** An image on its way: drawn from this device until the server has it. */
export type Upload = { readonly previewUrl: string; readonly share: number }

export type ChatSnapshot = {
  readonly chat: ChatState
  /** Null until they were loaded. */
  readonly users: readonly ChatUser[] | null
  readonly hasConversations: boolean
  /** Why the first load failed. */
  readonly loadFailure: string | null
  readonly connection: ConnectionState
  /** False until the socket stood once: before, the whole screen says that it connects (spec §2). */
  readonly wasConnected: boolean
  readonly connectionProblem: string | null
  /** Images by their clientMessageId. */
  readonly uploads: Readonly<Record<string, Upload>>
  /** Threads whose page is being loaded, and why the last try failed. */
  readonly pages: Readonly<Record<string, 'loading' | { readonly failure: string } | undefined>>
  /** The holder of this thread was gone when something was sent: its text, to be sent to another. */
  readonly unanswered: { readonly key: string; readonly text: string } | null
  readonly alert: { readonly id: number; readonly text: string } | null
}

/** What a reload must not lose. */
type OutboxMessage = PendingMessage & {
  readonly id: string
  readonly key: string
  /** Of a draft: whom it is for. */
  readonly peer: ChatUser | null
  readonly file: Blob | null
}

/** Spec §9. */
const typingIdleMs = 3_000
/** A message that came out of order is given this long to be followed by the missing one. */
const holeMs = 400
const retryMs = 1_500
const uploadTries = 4
const missedAtOnce = 500

/** Refusals that say "not now": the same message is sent again. */
const passing: ReadonlySet<string> = new Set([
  'UNSENT',
  'SENDING_TOO_FAST',
  'TOO_MANY_REQUESTS',
  'STARTING',
  // The outcome may be unknown: the same id again is answered with what was stored.
  'DATABASE_AWAY',
  'INTERNAL',
  'CLOCK_UNSURE',
])

const listeners = new Set<() => void>()
let self: ChatSelf | null = null
let snapshot: ChatSnapshot = emptySnapshot('')
let holders = 0
let stops: (() => void)[] = []
let leaveRoom: (() => void) | undefined
const files = new Map<string, Blob>()
/** Peers whose messages are being sent; one after the other, so that their order is kept. */
const lanes = new Set<string>()
let syncing: Promise<void> | undefined
let holeTimer: ReturnType<typeof setTimeout> | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
let typingIn: string | null = null
let alerts = 0

function emptySnapshot(userId: string): ChatSnapshot {
  return {
    chat: emptyChat(userId),
    users: null,
    hasConversations: false,
    loadFailure: null,
    connection: 'connecting',
    wasConnected: false,
    connectionProblem: null,
    uploads: {},
    pages: {},
    unanswered: null,
    alert: null,
  }
}

export function chatSnapshot(): ChatSnapshot {
  return snapshot
}

export function onChatChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function update(change: Partial<ChatSnapshot>): void {
  snapshot = { ...snapshot, ...change }
  for (const listener of [...listeners]) listener()
}

function dispatch(action: ChatAction): void {
  const chat = reduceChat(snapshot.chat, action)
  if (chat === snapshot.chat) return
  const previousOpen = snapshot.chat.openKey
  update({ chat })
  if (chat.openKey !== previousOpen) followOpen()
  showInTitle(totalUnread(chat))
}

/** Shows "Lỗi!" at the bottom right (spec §2). */
export function tellProblem(text: string): void {
  alerts += 1
  update({ alert: { id: alerts, text } })
}

export function dismissProblem(): void {
  update({ alert: null })
}

/** Keeps the chat going for this user until the returned function is called. */
export function holdChat(user: ChatSelf): () => void {
  if (self?.id !== user.id) {
    stop()
    self = user
    snapshot = emptySnapshot(user.id)
  }
  holders += 1
  if (holders === 1 && stops.length === 0) start(user)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    // From one screen to the next, nothing is torn down.
    if (holders === 0) setTimeout(() => holders === 0 && stop(), 1_000)
  }
}

function stop(): void {
  for (const end of stops) end()
  stops = []
  leaveRoom?.()
  leaveRoom = undefined
  clearTimeout(holeTimer)
  clearTimeout(typingTimer)
  typingIn = null
  for (const { previewUrl } of Object.values(snapshot.uploads)) URL.revokeObjectURL(previewUrl)
  files.clear()
  self = null
  snapshot = emptySnapshot('')
  showInTitle(0)
}

function start({ id, username }: ChatSelf): void {
  stops = [
    onServerEvent('receive_message', (message) => takeMessages([message])),
    onServerEvent('message_sent', ({ message }) => confirm(message)),
    onServerEvent('conversation_created', (conversation) => tellConversations([conversation])),
    onServerEvent('conversation_changed', (conversation) => tellConversations([conversation])),
    onServerEvent('conversation_removed', ({ conversationId, throughSeq }) =>
      dispatch({ is: 'conversation-removed', conversationId, throughSeq }),
    ),
    onServerEvent('user_typing', (typing) => dispatch({ is: 'typing-told', ...typing })),
    onServerEvent('user_stop_typing', ({ conversationId, userId }) =>
      dispatch({ is: 'typing-ended', conversationId, userId }),
    ),
    onServerEvent('message_read', ({ conversationId, readerId, readSeq, unreadCount, lastSeq }) =>
      readerId === id
        ? dispatch({
            is: 'read-by-self',
            conversationId,
            readSeq,
            ...(unreadCount !== undefined &&
              lastSeq !== undefined && { counted: { unreadCount, throughSeq: lastSeq } }),
          })
        : dispatch({ is: 'markers-told', markers: [{ conversationId, userId: readerId, readSeq }] }),
    ),
    onServerEvent('user_online', (told) => dispatch({ is: 'presence-told', isOnline: true, ...told })),
    onServerEvent('user_offline', (told) => dispatch({ is: 'presence-told', isOnline: false, ...told })),
    onConnectionChanged(followConnection),
    holdConnection({ userId: id, username }),
  ]
  followConnection()
  void restoreOutbox(id).then(() => load())
}

function followConnection(): void {
  const connection = connectionState()
  const isNew = connection === 'connected' && snapshot.connection !== 'connected'
  update({
    connection,
    connectionProblem: connectionProblem(),
    wasConnected: snapshot.wasConnected || connection === 'connected',
  })
  if (connection !== 'connected') typingIn = null
  if (!isNew) return
  // The first list may have been asked for without a network.
  if (snapshot.hasConversations) void sync().then(flush)
  else void load()
}

let loading: Promise<void> | undefined

/** Loads what the screen begins with; again when it failed. */
export function load(): Promise<void> {
  const user = self
  loading ??= (async () => {
    try {
      const [users, conversations] = await Promise.all([loadChatUsers(), loadConversations()])
      if (self !== user) return
      update({ users, hasConversations: true, loadFailure: null })
      tellConversations(conversations)
      flush()
    } catch (error) {
      if (self === user) update({ loadFailure: failureText(error, chatTexts.initialLoadFailed) })
    }
  })().finally(() => {
    loading = undefined
  })
  return loading
}

function tellConversations(conversations: readonly Conversation[]): void {
  const own = conversations.filter(({ participants }) => participants.some(({ id }) => id === self?.id))
  dispatch({ is: 'conversations-told', conversations: own })
}

function takeMessages(messages: readonly ChatMessage[]): void {
  const isUnknown = messages.some(({ conversationId }) => snapshot.chat.threads[conversationId]?.conversation == null)
  const isForUs = messages.some(({ sender }) => sender.id !== self?.id)
  dispatch({ is: 'messages-told', messages })
  for (const { sender, clientMessageId } of messages) if (sender.id === self?.id) forget(clientMessageId)
  if (isForUs && document.visibilityState === 'hidden' && readChatSound()) playChime()
  if (isUnknown || Object.values(snapshot.chat.threads).some(hasHole)) {
    clearTimeout(holeTimer)
    holeTimer = setTimeout(() => void sync(), holeMs)
  }
}

function confirm(message: ChatMessage): void {
  dispatch({ is: 'message-confirmed', message })
  forget(message.clientMessageId)
}

/** It is stored: nothing of it has to stay here. */
function forget(clientMessageId: string): void {
  files.delete(clientMessageId)
  if (self !== null) void removeUnsent(self.id, clientMessageId)
}

/** Asks for everything missed in all conversations, by their last complete seq (rules §7). One at a time. */
export function sync(): Promise<void> {
  const user = self
  syncing ??= (async () => {
    try {
      for (;;) {
        const known = syncPoints(snapshot.chat).slice(0, missedAtOnce)
        const missed = await loadMissed(known)
        if (self !== user) return
        tellConversations(missed.conversations)
        takeMissed(missed.messages)
        dispatch({ is: 'markers-told', markers: missed.markers })
        for (const conversationId of missed.gone) {
          const throughSeq = snapshot.chat.threads[conversationId]?.lastSeq ?? 0
          dispatch({ is: 'conversation-removed', conversationId, throughSeq })
        }
        if (!missed.hasMore) return
      }
    } catch {
      // The next reconnect, or the next hole, asks again.
    }
  })().finally(() => {
    syncing = undefined
  })
  return syncing
}

function takeMissed(messages: readonly ChatMessage[]): void {
  dispatch({ is: 'messages-told', messages })
  for (const { sender, clientMessageId } of messages) if (sender.id === self?.id) forget(clientMessageId)
}

/* Opening and reading. */

export function openThread(key: string): void {
  dispatch({ is: 'opened', key })
}

/** Opens the conversation with somebody, or the draft of one (spec §4). */
export function openWith(peer: ChatUser): void {
  dispatch({ is: 'draft-opened', peer })
}

export function closeThread(): void {
  dispatch({ is: 'closed' })
}

/** The open thread is another one: leave its room, join the new one, load its newest page if there is none (spec §4). */
function followOpen(): void {
  stopTyping()
  leaveRoom?.()
  leaveRoom = undefined
  const key = snapshot.chat.openKey
  const thread = key === null ? undefined : snapshot.chat.threads[key]
  if (thread === undefined || isDraft(thread)) return
  leaveRoom = stayJoined('join_room', 'leave_room', { conversationId: thread.key })
  if (!thread.isLoaded) void loadPage(thread.key)
}

/** The newest page, or the one before what is loaded. */
export async function loadPage(key: string): Promise<void> {
  if (snapshot.pages[key] === 'loading') return
  const thread = snapshot.chat.threads[key]
  if (thread === undefined) return
  const beforeSeq = thread.isLoaded ? (thread.firstSeq ?? undefined) : undefined
  const setPage = (state: ChatSnapshot['pages'][string]) => update({ pages: { ...snapshot.pages, [key]: state } })
  setPage('loading')
  try {
    const { messages, hasMore } = await loadMessages(key, beforeSeq)
    setPage(undefined)
    dispatch({ is: 'page-loaded', conversationId: key, messages, hasOlder: hasMore })
  } catch {
    const fallback = beforeSeq === undefined ? chatTexts.messagesLoadFailed : chatTexts.olderLoadFailed
    setPage({ failure: fallback })
    // With nothing to show, the list's place says it. Rows may have come by the socket meanwhile.
    const shown = snapshot.chat.threads[key] ?? thread
    if (shown.messages.length + shown.pending.length > 0) tellProblem(fallback)
  }
}

/** A row of the other has been on screen in a visible tab: everything up to it is read. */
export function markRead(key: string, seq: number): void {
  const thread = snapshot.chat.threads[key]
  if (thread === undefined || self === null || seq <= (thread.markers[self.id] ?? 0)) return
  const message = thread.messages.find((one) => one.seq === seq)
  if (message === undefined || connectionState() !== 'connected') return
  dispatch({ is: 'read-by-self', conversationId: key, readSeq: seq })
  void askServer('mark_as_read', { conversationId: key, messageId: message.id })
}

/* Typing. */

/** Told once when typing begins; ended after 3 s without a letter (spec §4). */
export function noteTyping(key: string): void {
  const thread = snapshot.chat.threads[key]
  if (thread === undefined || isDraft(thread) || connectionState() !== 'connected') return
  if (typingIn !== key) {
    stopTyping()
    typingIn = key
    void askServer('typing_start', { conversationId: key })
  }
  clearTimeout(typingTimer)
  typingTimer = setTimeout(stopTyping, typingIdleMs)
}

export function stopTyping(): void {
  clearTimeout(typingTimer)
  if (typingIn !== null) void askServer('typing_stop', { conversationId: typingIn })
  typingIn = null
}

/* Writing. */

/** Sends a text into a thread; false when there was nothing to send or no connection (spec §5). */
export function sendText(key: string, text: string): boolean {
  const content = cleanText(text)
  if (content === null || !isConnected()) return false
  stopTyping()
  void write(key, { kind: 'text', content, file: null })
  return true
}

/** Sends an image into a thread, or says what is wrong with it (spec §5). */
export function sendImage(key: string, file: File): boolean {
  const problem = problemWithImage(file)
  if (problem !== null) {
    tellProblem(problem)
    return false
  }
  if (!isConnected()) return false
  void write(key, { kind: 'image', content: '', file })
  return true
}

export function problemWithImage(file: File): string | null {
  if (!file.type.startsWith('image/')) return chatTexts.imageTypeRefused
  return file.size > UPLOAD_BYTES_MAX ? chatTexts.imageTooLarge : null
}

function isConnected(): boolean {
  if (connectionState() === 'connected') return true
  tellProblem(chatTexts.connectionLost)
  return false
}

type Written = Pick<PendingMessage, 'kind' | 'content'> & { readonly file: Blob | null }

async function write(key: string, { kind, content, file }: Written): Promise<void> {
  const thread = snapshot.chat.threads[key]
  if (thread === undefined || self === null) return tellProblem(chatTexts.chooseFirst)
  const message: PendingMessage = {
    clientMessageId: newIdempotencyKey(),
    kind,
    content,
    writtenAtMs: serverNowMs(),
    state: 'sending',
    reason: null,
  }
  if (file !== null) keepFile(message.clientMessageId, file)
  dispatch({ is: 'message-written', key, message })
  await keep(self.id, thread, message)
  flush()
}

function keepFile(clientMessageId: string, file: Blob): void {
  files.set(clientMessageId, file)
  setUpload(clientMessageId, { previewUrl: URL.createObjectURL(file), share: 0 })
}

function setUpload(clientMessageId: string, upload: Upload): void {
  update({ uploads: { ...snapshot.uploads, [clientMessageId]: upload } })
}

function keep(userId: string, thread: Thread, message: PendingMessage): Promise<void> {
  const peer = isDraft(thread) && thread.peer !== null ? { isOnline: false, lastSeenAtMs: null, ...thread.peer } : null
  const id = plainId(message.clientMessageId)
  const entry: OutboxMessage = { ...message, id, key: thread.key, peer, file: files.get(id) ?? null }
  return keepUnsent(userId, entry)
}

const failedPrefix = 'failed_'
const plainId = (id: string) => (id.startsWith(failedPrefix) ? id.slice(failedPrefix.length) : id)

/** After a reload: what was not acknowledged goes on under its old id. */
async function restoreOutbox(userId: string): Promise<void> {
  const entries = await readUnsent<OutboxMessage>(userId)
  if (self?.id !== userId) return
  for (const { id, key, peer, file, ...message } of entries.toSorted((a, b) => a.writtenAtMs - b.writtenAtMs)) {
    if (file !== null) keepFile(id, file)
    if (peer !== null) {
      const { openKey } = snapshot.chat
      dispatch({ is: 'draft-opened', peer })
      const at = snapshot.chat.openKey ?? key
      dispatch({ is: 'message-written', key: at, message })
      dispatch(openKey === null ? { is: 'closed' } : { is: 'opened', key: openKey })
    } else dispatch({ is: 'message-written', key, message })
  }
}

/** Sends whatever waits, one after the other for each person. */
function flush(): void {
  if (connectionState() !== 'connected' || !snapshot.hasConversations) return
  for (const thread of Object.values(snapshot.chat.threads)) {
    const lane = laneOf(thread)
    if (lanes.has(lane) || !thread.pending.some(({ state }) => state === 'sending')) continue
    lanes.add(lane)
    void sendLane(lane).finally(() => lanes.delete(lane))
  }
}

/** A draft and the conversation it becomes are one lane. */
const laneOf = (thread: Thread) => thread.peer?.id ?? thread.key

function nextOf(lane: string): { readonly thread: Thread; readonly message: PendingMessage } | null {
  for (const thread of Object.values(snapshot.chat.threads)) {
    if (laneOf(thread) !== lane) continue
    const message = thread.pending.find(({ state }) => state === 'sending')
    if (message !== undefined) return { thread, message }
  }
  return null
}

async function sendLane(lane: string): Promise<void> {
  const user = self
  let tries = 0
  for (;;) {
    const next = nextOf(lane)
    if (next === null || self !== user || user === null || connectionState() !== 'connected') return
    const { thread, message } = next
    const { clientMessageId } = message
    let content = message.content
    if (message.kind === 'image' && content === '') {
      try {
        content = await uploadImage(clientMessageId)
      } catch (error) {
        tries += 1
        const waitMs = uploadRetryMs(error)
        if (waitMs !== null && tries < uploadTries) await pause(waitMs)
        else if (connectionState() === 'connected') {
          tries = 0
          refuse(user.id, thread, message, failureText(error, chatTexts.imageNotSent))
        }
        continue
      }
    }
    const to = isDraft(thread) ? { receiverId: thread.peer?.id ?? null } : { conversationId: thread.key }
    const answer = await askServer('send_message', { ...to, content, kind: message.kind, clientMessageId })
    if (self !== user) return
    tries = 0
    if (answer.ok) {
      const stored = z.safeDecode(messageSchema, answer.answer['message'])
      if (stored.success) confirm(stored.data)
      else await sync()
    } else if (passing.has(answer.code)) await pause(answer.retryAfterMs ?? retryMs)
    else takeRefusal(user.id, thread, message, answer)
  }
}

/** How long after this failure an image is sent again; null when that would change nothing. */
function uploadRetryMs(error: unknown): number | null {
  if (error instanceof ApiError && error.code === 'IMAGES_WAITING') return error.retryAfterMs ?? retryMs
  return isRetryable(error) ? retryMs : null
}

/** Stores the image and answers its address. A repeat after a lost answer stores it again; the unsent one is swept. */
async function uploadImage(clientMessageId: string): Promise<string> {
  const file = files.get(clientMessageId)
  if (file === undefined)
    throw new ApiError({ status: 400, code: 'FILE_MISSING', message: chatTexts.imageUploadFailed })
  const { url } = await sendFile(file, (share) => {
    const upload = snapshot.uploads[clientMessageId]
    if (upload !== undefined) setUpload(clientMessageId, { ...upload, share })
  })
  return url
}

function takeRefusal(
  userId: string,
  thread: Thread,
  message: PendingMessage,
  { code, message: reason }: Extract<Acknowledgement, { ok: false }>,
): void {
  if (code === 'HOLDER_GONE' && message.kind === 'text') {
    // The text is kept for whoever is chosen instead (rules §7).
    dispatch({ is: 'message-discarded', clientMessageId: message.clientMessageId })
    forget(message.clientMessageId)
    const earlier = snapshot.unanswered?.key === thread.key ? `${snapshot.unanswered.text}\n` : ''
    update({ unanswered: { key: thread.key, text: earlier + message.content } })
    return
  }
  refuse(userId, thread, message, reason)
}

/** Refused for good: it stays as a failed message until somebody sends it again or throws it away. */
function refuse(userId: string, thread: Thread, message: PendingMessage, reason: string): void {
  const { clientMessageId } = message
  dispatch({ is: 'message-refused', clientMessageId, reason })
  void keep(userId, thread, { ...message, clientMessageId: failedPrefix + clientMessageId, state: 'failed', reason })
  tellProblem(message.kind === 'image' ? reason : chatTexts.serverError(reason))
}

/** "Gửi lại": the same again under a new id (rules §7). */
export async function sendAgain(key: string, failedId: string): Promise<void> {
  const user = self
  const newClientMessageId = newIdempotencyKey()
  const file = files.get(plainId(failedId))
  if (user === null || !isConnected()) return
  if (file !== undefined) keepFile(newClientMessageId, file)
  dispatch({ is: 'message-retried', clientMessageId: failedId, newClientMessageId })
  const thread = snapshot.chat.threads[key]
  const message = thread?.pending.find(({ clientMessageId }) => clientMessageId === newClientMessageId)
  if (thread !== undefined && message !== undefined) await keep(user.id, thread, message)
  forget(plainId(failedId))
  flush()
}

export function discard(failedId: string): void {
  dispatch({ is: 'message-discarded', clientMessageId: failedId })
  forget(plainId(failedId))
}

/** The text of an unanswered message was taken over into another conversation. */
export function clearUnanswered(): void {
  update({ unanswered: null })
}

/** Hides a conversation for oneself, up to now (rules §7). */
export async function removeThread(key: string): Promise<boolean> {
  const thread = snapshot.chat.threads[key]
  if (thread === undefined) return false
  try {
    const throughSeq = isDraft(thread) ? 0 : (await deleteConversation(key)).hiddenThroughSeq
    for (const { clientMessageId } of thread.pending) discard(clientMessageId)
    dispatch({ is: 'conversation-removed', conversationId: key, throughSeq })
    return true
  } catch (error) {
    tellProblem(failureText(error, chatTexts.deleteFailed))
    return false
  }
}

/** After a claim or a hand-over was answered. */
export function takeConversation(conversation: Conversation): void {
  const isOurs = conversation.participants.some(({ id }) => id === self?.id)
  if (isOurs) tellConversations([conversation])
  else dispatch({ is: 'conversation-removed', conversationId: conversation.id, throughSeq: conversation.lastSeq })
}
