import { message as messageSchema } from '#contract/chat.ts'
import * as z from 'zod/mini'
import { fileText } from '#domain/chat/file.ts'
import { type ChatMessage, type ChatUser, cleanText } from '#domain/chat/conversation.ts'
import { FAILED_PREFIX, isDraft, type PendingMessage, type Thread, withoutFailedPrefix } from '#domain/chat/thread.ts'
import { ApiError, failureText, isRetryable, newIdempotencyKey, refusalOf } from '#web/platform/http.ts'
import { type ChatDeps, isConnected, isTransient, pause, retryMs } from './chat-deps.ts'
import type { ChatStore, Upload } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'
import type { Drafts } from './drafts.ts'

/** An unsent message with all fields that must survive a reload. */
type UnsentMessage = PendingMessage & {
  readonly id: string
  readonly key: string
  /** The other person. Null if it was unknown; earlier versions kept it only for a thread without conversation. */
  readonly peer: ChatUser | null
  readonly file: Blob | null
}

type ReceiveMessages = (messages: readonly ChatMessage[]) => void

const uploadTries = 4
/** A file is uploaded anew after this time: the server deletes an unsent one after a day (rules §7.7). */
const uploadKeptMs = 23 * 60 * 60_000

const isSame = (one: PendingMessage, other: PendingMessage): boolean =>
  withoutFailedPrefix(one.clientMessageId) === withoutFailedPrefix(other.clientMessageId)

/** Returns the wait in ms before a failed upload is retried, or null if the upload is not retried. */
function uploadRetryMs(error: unknown): number | null {
  const refusal = refusalOf(error)
  if (refusal?.code === 'IMAGES_WAITING') return refusal.retryAfterMs ?? retryMs
  return isRetryable(error) ? retryMs : null
}

const hasUpload = ({ kind, fileFacts }: PendingMessage): boolean => kind === 'image' || fileFacts !== undefined

function createPictures({ api, clock }: Pick<ChatDeps, 'api' | 'clock'>, store: ChatStore) {
  const files = new Map<string, Blob>()
  /** By `clientMessageId`: the upload of a file that succeeded, so that only its message is sent again. */
  const stored = new Map<string, { readonly url: string; readonly atMs: number }>()
  const uploads = () => store.snapshot().uploads
  const show = (id: string, upload: Upload) => store.update({ uploads: { ...uploads(), [id]: upload } })

  return {
    files,
    add: (id: string, file: Blob): void => {
      files.set(id, file)
      show(id, { previewUrl: URL.createObjectURL(file), share: 0 })
    },

    upload: async (id: string): Promise<string> => {
      const known = stored.get(id)
      const atMs = clock.nowMs()
      if (known !== undefined && atMs < known.atMs + uploadKeptMs) return known.url
      const file = files.get(id)
      if (file === undefined)
        throw new ApiError({ status: 400, code: 'FILE_MISSING', message: chatTexts.imageUploadFailed })
      const { url } = await api.sendFile(file, (share) => {
        const upload = uploads()[id]
        if (upload !== undefined) show(id, { ...upload, share })
      })
      stored.set(id, { url, atMs })
      return url
    },

    end: (): void => {
      files.clear()
      for (const { previewUrl } of Object.values(uploads())) URL.revokeObjectURL(previewUrl)
    },
  }
}

/** Keeps unsent messages in memory and in the browser's database, so that they survive a reload. */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
function createUnsent(
  { self, entries, clock }: Pick<ChatDeps, 'self' | 'entries' | 'clock'>,
  store: ChatStore,
  { files, add }: Pick<ReturnType<typeof createPictures>, 'files' | 'add'>,
) {
  function keep(thread: Thread, message: PendingMessage): Promise<void> {
    const peer = thread.peer && { isOnline: false, lastSeenAtMs: null, ...thread.peer }
    const id = withoutFailedPrefix(message.clientMessageId)
    const entry: UnsentMessage = { ...message, id, key: thread.key, peer, file: files.get(id) ?? null }
    return entries.keepEntry('unsent', self.id, entry)
  }

  function forget(clientMessageId: string): void {
    const id = withoutFailedPrefix(clientMessageId)
    files.delete(id)
    void entries.removeEntry('unsent', self.id, id)
  }

  return {
    keep,
    forget,

    write: async (
      key: string,
      written: Pick<PendingMessage, 'kind' | 'content' | 'fileFacts'>,
      file?: File,
    ): Promise<void> => {
      const thread = store.snapshot().chat.threads[key]
      if (thread === undefined) return store.showProblem(chatTexts.chooseFirst)
      const [clientMessageId, writtenAtMs] = [newIdempotencyKey(), clock.nowMs()]
      const { picked } = store.snapshot()
      const quoted = picked?.is === 'answer' && picked.key === key ? { ...picked.quoted, id: picked.id } : undefined
      const message: PendingMessage = {
        ...written,
        ...(quoted !== undefined && { quoted }),
        clientMessageId,
        writtenAtMs,
        state: 'sending',
        reason: null,
      }
      if (quoted !== undefined) store.update({ picked: null })
      if (file !== undefined) add(clientMessageId, file)
      store.dispatch({ is: 'message-written', key, message })
      await keep(thread, message)
    },

    discard: (clientMessageId: string): void => {
      store.dispatch({ is: 'message-discarded', clientMessageId })
      forget(clientMessageId)
    },

    /** Gives a failed message a new id, under which it is sent again. */
    retry: async (key: string, failedId: string): Promise<void> => {
      const newClientMessageId = newIdempotencyKey()
      const file = files.get(withoutFailedPrefix(failedId))
      if (file !== undefined) add(newClientMessageId, file)
      store.dispatch({ is: 'message-retried', clientMessageId: failedId, newClientMessageId })
      const thread = store.snapshot().chat.threads[key]
      const message = thread?.pending.find(({ clientMessageId }) => clientMessageId === newClientMessageId)
      if (thread !== undefined && message !== undefined) await keep(thread, message)
      forget(failedId)
    },

    /** Shows the unsent messages again after a reload, under their old ids. */
    restore: async (): Promise<void> => {
      const kept = await entries.readEntries<UnsentMessage>('unsent', self.id)
      if (store.isEnded()) return
      const { openKey } = store.snapshot().chat
      for (const { id, key, peer, file, ...message } of kept.toSorted((a, b) => a.writtenAtMs - b.writtenAtMs)) {
        if (file !== null) add(id, file)
        const isForDraft = isDraft({ key }) && peer !== null
        if (isForDraft) store.dispatch({ is: 'draft-opened', peer })
        const draftedIn = isForDraft ? store.snapshot().chat.openKey : null
        store.dispatch({ is: 'message-written', key: draftedIn ?? key, message, peer })
      }
      store.dispatch(openKey === null ? { is: 'closed' } : { is: 'opened', key: openKey })
    },
  }
}

type TakeRefusal = (thread: Thread, message: PendingMessage, reason: string, code?: string) => void

/**
 * Returns the key of a thread's lane. A lane's messages are sent one after another (`createLanes`). The key stays the
 * same when the thread's conversation is created.
 */
const laneOf = (thread: Thread): string => thread.peer?.id ?? thread.key

/** Returns a function that sends pending messages: within a lane (`laneOf`) one by one, different lanes in parallel. */
function createLanes(
  { socket, clock }: Pick<ChatDeps, 'socket' | 'clock'>,
  store: ChatStore,
  upload: (clientMessageId: string) => Promise<string>,
  receiveMessages: ReceiveMessages,
  takeRefusal: TakeRefusal,
): () => void {
  const busy = new Set<string>()
  const threads = (): Thread[] => Object.values(store.snapshot().chat.threads)

  function nextOf(lane: string): { readonly thread: Thread; readonly message: PendingMessage } | null {
    if (store.isEnded() || !isConnected(socket)) return null
    for (const thread of threads()) {
      const message = thread.pending.find(({ state }) => state === 'sending')
      if (laneOf(thread) === lane && message !== undefined) return { thread, message }
    }
    return null
  }

  async function sendLane(lane: string): Promise<void> {
    let failedUploads = 0
    for (let next = nextOf(lane); next !== null; next = nextOf(lane)) {
      const { thread, message } = next
      let { content } = message
      try {
        if (hasUpload(message)) content = await upload(message.clientMessageId)
      } catch (error) {
        if (store.isEnded()) return
        failedUploads += 1
        const waitMs = uploadRetryMs(error)
        if (waitMs !== null && failedUploads < uploadTries) await pause(clock, waitMs)
        else if (isConnected(socket)) {
          failedUploads = 0
          takeRefusal(
            thread,
            message,
            failureText(error, message.kind === 'image' ? chatTexts.imageNotSent : chatTexts.fileNotSent),
          )
        }
        continue
      }
      failedUploads = 0
      await send(thread, message, content)
    }
  }

  async function send(thread: Thread, message: PendingMessage, content: string): Promise<void> {
    const to = isDraft(thread) ? { receiverId: thread.peer?.id ?? null } : { conversationId: thread.key }
    const { clientMessageId, quoted } = message
    const kind = message.fileFacts === undefined ? message.kind : 'file'
    const quotedMessageId = quoted?.id ?? null
    const answer = await socket.askServer('send_message', { ...to, content, kind, clientMessageId, quotedMessageId })
    if (store.isEnded()) return
    const stored = answer.ok ? z.safeDecode(messageSchema, answer.answer['message']) : null
    if (stored?.success === true) receiveMessages([stored.data])
    else if (!answer.ok && !isTransient(answer.code)) takeRefusal(thread, message, answer.message, answer.code)
    // Without a connection the loop in `sendLane` ends. The next connection calls `flush`.
    else if (isConnected(socket)) await pause(clock, (!answer.ok && answer.retryAfterMs) || retryMs)
  }

  return () => {
    if (!store.snapshot().hasConversations) return
    for (const lane of new Set(threads().map(laneOf))) {
      if (busy.has(lane) || nextOf(lane) === null) continue
      busy.add(lane)
      void sendLane(lane).finally(() => busy.delete(lane))
    }
  }
}

/** Sends messages. Automatic retries and reloads keep a message's id, so it is stored only once (rules §7.2). */
export function createSending(
  deps: Pick<ChatDeps, 'self' | 'socket' | 'api' | 'entries' | 'clock'>,
  store: ChatStore,
  drafts: Pick<Drafts, 'append'>,
  receiveMessages: ReceiveMessages,
) {
  const pictures = createPictures(deps, store)
  const unsent = createUnsent(deps, store, pictures)

  /** Marks a message as failed. A text refused with HOLDER_GONE goes to the draft in the message field instead. */
  const takeRefusal: TakeRefusal = (thread, message, reason, code) => {
    const { clientMessageId } = message
    const isPending = ({ chat }: ReturnType<ChatStore['snapshot']>) =>
      Object.values(chat.threads).some(({ pending }) => pending.some((one) => isSame(one, message)))
    // If the message was discarded or its conversation was removed meanwhile, no list could show it as failed.
    if (!isPending(store.snapshot())) return
    if (code === 'HOLDER_GONE') {
      // The player can send the draft to another admin (rules §7.1).
      if (!hasUpload(message)) drafts.append(thread.key, message.content)
      store.update({ unanswered: thread.key })
      if (!hasUpload(message)) return unsent.discard(clientMessageId)
    }
    store.dispatch({ is: 'message-refused', clientMessageId, reason })
    void unsent.keep(thread, { ...message, clientMessageId: FAILED_PREFIX + clientMessageId, state: 'failed', reason })
    store.showProblem(hasUpload(message) ? reason : chatTexts.serverError(reason), (snapshot) => !isPending(snapshot))
  }
  const flush = createLanes(deps, store, pictures.upload, receiveMessages, takeRefusal)

  const canWrite = (): boolean => {
    const canSend = isConnected(deps.socket)
    if (!canSend) store.showProblem(chatTexts.connectionLost, ({ connection }) => connection === 'connected')
    return canSend
  }

  return {
    flush,
    discard: unsent.discard,
    restore: unsent.restore,
    end: pictures.end,

    /** Sends a text to a thread. Returns false for an empty or too long text, or without a connection (spec §5.4). */
    sendText: (key: string, text: string): boolean => {
      const content = cleanText(text)
      if (content === null || !canWrite()) return false
      void unsent.write(key, { kind: 'text', content }).then(flush)
      return true
    },

    sendFile: (key: string, file: File): boolean => {
      if (!canWrite()) return false
      const { name, size: bytes } = file
      const written: Parameters<typeof unsent.write>[1] = file.type.startsWith('image')
        ? { kind: 'image', content: '' }
        : { kind: 'text', content: fileText(name), fileFacts: { url: '', name, bytes } }
      void unsent.write(key, written, file).then(flush)
      return true
    },

    /** Sends a failed message again, under a new id (rules §7.2). */
    sendAgain: async (key: string, failedId: string): Promise<void> => {
      if (!canWrite()) return
      await unsent.retry(key, failedId)
      flush()
    },

    confirm: (messages: readonly ChatMessage[]): void => {
      for (const { sender, clientMessageId } of messages) if (sender.id === deps.self.id) unsent.forget(clientMessageId)
    },
  }
}
