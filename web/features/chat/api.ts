import * as z from 'zod/mini'
import { chatEndpoints, type Missed } from '#contract/chat.ts'
import { fileEndpoints, type Upload, upload as storedUpload } from '#contract/files.ts'
import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { callEndpoint, type CallInput, firstCall } from '#web/platform/api.ts'
import { ApiError, clientErrorCodes, isRetryable, refusalOf } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { uploadFile } from './upload.ts'

/** The default number of messages per page (spec §9.4). */
export const messagesPerPage = 30

export const conversationsPerPage = 100

export const firstCalls = () => [
  firstCall(chatEndpoints.listChatUsers, { query: {} }),
  firstCall(chatEndpoints.listConversations, { query: { limit: conversationsPerPage } }),
]

export const createChatApi = (call: typeof callEndpoint, upload: typeof uploadFile) => ({
  loadUsers: (): Promise<ChatUser[]> => call(chatEndpoints.listChatUsers, { query: {} }),

  async loadConversations(): Promise<Conversation[]> {
    const { rows } = await call(chatEndpoints.listConversations, { query: { limit: conversationsPerPage } })
    return rows
  },

  /** Loads a conversation. Returns null if the server refuses and a retry cannot help, such as for an unknown id. */
  loadConversation: (id: string): Promise<Conversation | null> =>
    call(chatEndpoints.getConversation, { params: { id } }).catch((error: unknown) => {
      if (isRetryable(error) || refusalOf(error)?.retryAfterMs !== undefined) throw error
      return null
    }),

  /** Loads a page of messages, sorted by seq: the newest ones, or with `beforeSeq` the newest ones below that seq. */
  async loadMessages(conversationId: string, beforeSeq?: number, limit = messagesPerPage) {
    const query = { limit, ...(beforeSeq !== undefined && { beforeSeq }) }
    const { rows, meta } = await call(chatEndpoints.listMessages, { params: { id: conversationId }, query })
    return { messages: rows.toReversed(), hasMore: meta.hasMore }
  },

  loadMissed: (known: CallInput<typeof chatEndpoints.readMissed>['body']['known']): Promise<Missed> =>
    call(chatEndpoints.readMissed, { body: { known } }),

  editMessage: (id: string, content: string): Promise<ChatMessage> =>
    call(chatEndpoints.editMessage, { params: { id }, body: { content } }),

  deleteConversation: (id: string, throughSeq: number): Promise<{ hiddenThroughSeq: number }> =>
    call(chatEndpoints.deleteConversation, { params: { id }, query: { throughSeq } }),

  /** @param onProgress receives the share of the file that has been sent, from 0 to 1 */
  async sendFile(file: Blob, onProgress: (share: number) => void): Promise<Upload> {
    const { path, refusals } = fileEndpoints.uploadFile
    const data = z.safeDecode(storedUpload, (await upload({ path, refusals, file, onProgress })) as never)
    if (data.success) return data.data
    const { somethingWrong: message } = commonTexts
    throw new ApiError({ status: 0, code: clientErrorCodes.unreadable, message, cause: data.error })
  },
})

export const chatApi = createChatApi(callEndpoint, uploadFile)
