import * as z from 'zod/mini'
import { chatEndpoints, type Missed } from '#contract/chat.ts'
import { fileEndpoints, type Upload, upload } from '#contract/files.ts'
import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { ApiError, clientErrorCodes } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { uploadFile } from '#web/platform/upload.ts'

/** Spec §9. */
export const messagesPerPage = 30

/** As many as a page holds; older ones come with the search or with their next message. */
export const conversationsPerPage = 100

export const loadChatUsers = (): Promise<ChatUser[]> => callEndpoint(chatEndpoints.listChatUsers, { query: {} })

export const loadConversations = async (): Promise<Conversation[]> => {
  const { rows } = await callEndpoint(chatEndpoints.listConversations, { query: { limit: conversationsPerPage } })
  return rows
}

/** The newest messages below a seq, oldest first; without a seq the newest of all. */
export async function loadMessages(
  conversationId: string,
  beforeSeq?: number,
): Promise<{ readonly messages: ChatMessage[]; readonly hasMore: boolean }> {
  const query = { limit: messagesPerPage, ...(beforeSeq !== undefined && { beforeSeq }) }
  const { rows, meta } = await callEndpoint(chatEndpoints.listMessages, { params: { id: conversationId }, query })
  return { messages: rows.toReversed(), hasMore: meta.hasMore }
}

export type Known = { readonly conversationId: string; readonly afterSeq: number }

export const loadMissed = (known: Known[]): Promise<Missed> =>
  callEndpoint(chatEndpoints.readMissed, { body: { known } })

export const deleteConversation = (id: string): Promise<{ hiddenThroughSeq: number }> =>
  callEndpoint(chatEndpoints.deleteConversation, { params: { id }, query: {} })

/** Stores an image; `onProgress` is told from 0 to 1. */
export async function sendFile(file: Blob, onProgress: (share: number) => void): Promise<Upload> {
  const data = z.safeDecode(
    upload,
    (await uploadFile({ path: fileEndpoints.uploadFile.path, file, onProgress })) as never,
  )
  if (data.success) return data.data
  const { somethingWrong: message } = commonTexts
  throw new ApiError({ status: 0, code: clientErrorCodes.unreadable, message, cause: data.error })
}
