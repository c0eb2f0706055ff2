import { message as messageSchema } from '#contract/chat.ts'
import { UPLOAD_BYTES_MAX } from '#contract/files.ts'
import * as z from 'zod/mini'
import { type ChatMessage, type ChatUser, cleanText } from '#domain/chat/conversation.ts'
import { FAILED_PREFIX, isDraft, type PendingMessage, type Thread, withoutFailedPrefix } from '#domain/chat/timeline.ts'
import { ApiError, failureText, newIdempotencyKey } from '#web/platform/http.ts'
import { isRetryable } from '#web/platform/query-client.ts'
import type { Unacknowledged } from '#web/platform/socket.ts'
import { type ChatDeps, isTransient, pause, retryMs } from './chat-deps.ts'
import type { ChatStore, Upload } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'

/** A pending message, with the fields that must survive a reload. */
type UnsentMessage = PendingMessage & {
  readonly id: string
  readonly key: string
  /** The addressee of a draft; null for a conversation. */
  readonly peer: ChatUser | null
  readonly file: Blob | null
}

const uploadTries = 4

const isSame = (one: PendingMessage, other: PendingMessage): boolean =>
  withoutFailedPrefix(one.clientMessageId) === withoutFailedPrefix(other.clientMessageId)

/** The delay before an image is sent again after this failure; null when a retry is pointless. */
function uploadRetryMs(error: unknown): number | null {
  if (error instanceof ApiError && error.code === 'IMAGES_WAITING') return error.retryAfterMs ?? retryMs
  return isRetryable(error) ? retryMs : null
}

/** The reason why a file can't be sent (spec §5); null when it can. */
export function problemWithImage(file: File): string | null {
  if (!file.type.startsWith('image/')) return chatTexts.imageTypeRefused
  return file.size > UPLOAD_BYTES_MAX ? chatTexts.imageTooLarge : null
}

/**
 * Sends messages, each under one id until the server acknowledges or refuses it, also after a reload (rules §7).
 * Messages to one person are sent one after the other, which keeps their order.
 */
export function createSending(
  { self, socket, api, unsent, clock }: Pick<ChatDeps, 'self' | 'socket' | 'api' | 'unsent' | 'clock'>,
  store: ChatStore,
  receiveMessages: (messages: readonly ChatMessage[]) => void,
) {
  const files = new Map<string, Blob>()
  /** The lanes with a message under way. */
  const busyLanes = new Set<string>()

  const threads = (): Readonly<Record<string, Thread>> => store.snapshot().chat.threads
  const isConnected = (): boolean => socket.connectionState() === 'connected'
  const canWrite = (): boolean => {
    if (!isConnected()) store.showProblem(chatTexts.connectionLost, ({ connection }) => connection === 'connected')
    return isConnected()
  }

  const setUpload = (clientMessageId: string, upload: Upload): void =>
    store.update({ uploads: { ...store.snapshot().uploads, [clientMessageId]: upload } })

  function takeFile(clientMessageId: string, file: Blob): void {
    files.set(clientMessageId, file)
    setUpload(clientMessageId, { previewUrl: URL.createObjectURL(file), share: 0 })
  }

  function keep(thread: Thread, message: PendingMessage): Promise<void> {
    const isForDraft = isDraft(thread) && thread.peer !== null
    const peer = isForDraft ? { isOnline: false, lastSeenAtMs: null, ...thread.peer } : null
    const id = withoutFailedPrefix(message.clientMessageId)
    const entry: UnsentMessage = { ...message, id, key: thread.key, peer, file: files.get(id) ?? null }
    return unsent.keepUnsent(self.id, entry)
  }

  /** Deletes a message from this device after it was stored or discarded. */
  function forget(clientMessageId: string): void {
    files.delete(clientMessageId)
    void unsent.removeUnsent(self.id, clientMessageId)
  }

  async function write(key: string, written: Pick<PendingMessage, 'kind' | 'content'>, file?: File): Promise<void> {
    const thread = threads()[key]
    if (thread === undefined) return store.showProblem(chatTexts.chooseFirst)
    const message: PendingMessage = {
      ...written,
      clientMessageId: newIdempotencyKey(),
      writtenAtMs: clock.nowMs(),
      state: 'sending',
      reason: null,
    }
    if (file !== undefined) takeFile(message.clientMessageId, file)
    store.dispatch({ is: 'message-written', key, message })
    await keep(thread, message)
    flush()
  }

  /** A lane holds the messages to one person; a draft and the conversation it becomes share a lane. */
  const laneOf = (thread: Thread): string => thread.peer?.id ?? thread.key

  function nextOf(lane: string): { readonly thread: Thread; readonly message: PendingMessage } | null {
    if (store.isEnded() || !isConnected()) return null
    for (const thread of Object.values(threads())) {
      const message = thread.pending.find(({ state }) => state === 'sending')
      if (laneOf(thread) === lane && message !== undefined) return { thread, message }
    }
    return null
  }

  /** Sends every waiting message. */
  function flush(): void {
    if (!store.snapshot().hasConversations) return
    for (const lane of new Set(Object.values(threads()).map(laneOf))) {
      if (busyLanes.has(lane) || nextOf(lane) === null) continue
      busyLanes.add(lane)
      void sendLane(lane).finally(() => busyLanes.delete(lane))
    }
  }

  async function sendLane(lane: string): Promise<void> {
    let tries = 0
    for (let next = nextOf(lane); next !== null; next = nextOf(lane)) {
      const { thread, message } = next
      let { content } = message
      if (message.kind === 'image' && content === '') {
        try {
          content = await uploadImage(message.clientMessageId)
        } catch (error) {
          if (store.isEnded()) return
          tries += 1
          const waitMs = uploadRetryMs(error)
          if (waitMs !== null && tries < uploadTries) await pause(clock, waitMs)
          else if (isConnected()) {
            tries = 0
            fail(thread, message, failureText(error, chatTexts.imageNotSent))
          }
          continue
        }
      }
      tries = 0
      const to = isDraft(thread) ? { receiverId: thread.peer?.id ?? null } : { conversationId: thread.key }
      const { kind, clientMessageId } = message
      const answer = await socket.askServer('send_message', { ...to, content, kind, clientMessageId })
      if (store.isEnded()) return
      const stored = answer.ok ? z.safeDecode(messageSchema, answer.answer['message']) : null
      if (stored?.success === true) receiveMessages([stored.data])
      else if (!answer.ok && !isTransient(answer.code)) takeRefusal(thread, message, answer)
      // Without a connection the lane stops; the next connection restarts it.
      else if (isConnected()) await pause(clock, (!answer.ok && answer.retryAfterMs) || retryMs)
    }
  }

  /**
   * Uploads the image and answers its address. After a lost answer it is uploaded again; the server deletes the unused
   * file.
   */
  async function uploadImage(clientMessageId: string): Promise<string> {
    const file = files.get(clientMessageId)
    if (file === undefined)
      throw new ApiError({ status: 400, code: 'FILE_MISSING', message: chatTexts.imageUploadFailed })
    const { url } = await api.sendFile(file, (share) => {
      const upload = store.snapshot().uploads[clientMessageId]
      if (upload !== undefined) setUpload(clientMessageId, { ...upload, share })
    })
    return url
  }

  function takeRefusal(thread: Thread, message: PendingMessage, answer: Unacknowledged<'send_message'>): void {
    if (answer.code !== 'HOLDER_GONE' || message.kind !== 'text') return fail(thread, message, answer.message)
    // The text is kept for another admin, whom the player chooses (rules §7).
    discard(message.clientMessageId)
    const { unanswered } = store.snapshot()
    const earlier = unanswered?.key === thread.key ? `${unanswered.text}\n` : ''
    store.update({ unanswered: { key: thread.key, text: earlier + message.content } })
  }

  /** After a permanent refusal the message stays as failed until the user resends or discards it. */
  function fail(thread: Thread, message: PendingMessage, reason: string): void {
    const { clientMessageId } = message
    store.dispatch({ is: 'message-refused', clientMessageId, reason })
    void keep(thread, { ...message, clientMessageId: FAILED_PREFIX + clientMessageId, state: 'failed', reason })
    // It is over once the message was sent again or discarded.
    store.showProblem(
      message.kind === 'image' ? reason : chatTexts.serverError(reason),
      ({ chat }) => !Object.values(chat.threads).some(({ pending }) => pending.some((one) => isSame(one, message))),
    )
  }

  function discard(clientMessageId: string): void {
    store.dispatch({ is: 'message-discarded', clientMessageId })
    forget(withoutFailedPrefix(clientMessageId))
  }

  return {
    flush,
    discard,

    /** Sends a text to a thread; false for an empty text or without a connection (spec §5). */
    sendText: (key: string, text: string): boolean => {
      const content = cleanText(text)
      if (content === null || !canWrite()) return false
      void write(key, { kind: 'text', content })
      return true
    },

    /** Sends an image to a thread; false with the reason on screen when it can't be sent (spec §5). */
    sendImage: (key: string, file: File): boolean => {
      const problem = problemWithImage(file)
      if (problem !== null) store.showProblem(problem)
      if (problem !== null || !canWrite()) return false
      void write(key, { kind: 'image', content: '' }, file)
      return true
    },

    /** "Gửi lại": sends the same message under a new id (rules §7). */
    sendAgain: async (key: string, failedId: string): Promise<void> => {
      if (!canWrite()) return
      const newClientMessageId = newIdempotencyKey()
      const file = files.get(withoutFailedPrefix(failedId))
      if (file !== undefined) takeFile(newClientMessageId, file)
      store.dispatch({ is: 'message-retried', clientMessageId: failedId, newClientMessageId })
      const thread = threads()[key]
      const message = thread?.pending.find(({ clientMessageId }) => clientMessageId === newClientMessageId)
      if (thread !== undefined && message !== undefined) await keep(thread, message)
      forget(withoutFailedPrefix(failedId))
      flush()
    },

    /** Settles own messages that the server has stored. */
    confirm: (messages: readonly ChatMessage[]): void => {
      for (const { sender, clientMessageId } of messages) if (sender.id === self.id) forget(clientMessageId)
    },

    /** After a reload: resends unacknowledged messages under their old ids. */
    restore: async (): Promise<void> => {
      const entries = await unsent.readUnsent<UnsentMessage>(self.id)
      if (store.isEnded()) return
      const { openKey } = store.snapshot().chat
      for (const { id, key, peer, file, ...message } of entries.toSorted((a, b) => a.writtenAtMs - b.writtenAtMs)) {
        if (file !== null) takeFile(id, file)
        if (peer !== null) store.dispatch({ is: 'draft-opened', peer })
        const draftedIn = peer === null ? null : store.snapshot().chat.openKey
        store.dispatch({ is: 'message-written', key: draftedIn ?? key, message })
      }
      store.dispatch(openKey === null ? { is: 'closed' } : { is: 'opened', key: openKey })
    },

    end: (): void => {
      files.clear()
      for (const { previewUrl } of Object.values(store.snapshot().uploads)) URL.revokeObjectURL(previewUrl)
    },
  }
}
