/** Loaded with the acts on a message, separate from api.ts so that a conversation opens without it. */
import { chatEndpoints } from '#contract/chat.ts'
import type { ChatMessage } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'

/** Takes an own message back, for both sides. */
export const retractMessage = (id: string): Promise<ChatMessage> =>
  callEndpoint(chatEndpoints.retractMessage, { params: { id } })
