import { conversationsQuery } from '#web/features/admin-customer/api.ts'
import { openConversationWith } from '#web/features/chat/staff-api.ts'
import { queryClient } from '#web/platform/query-client.ts'

/**
 * Returns the id of the conversation in which the admin writes to a customer: the admin's own or a new conversation. If
 * only colleagues have conversations with the customer, returns the latest of these, which the admin can read and claim
 * (rules §7.1).
 */
export async function openWriting(customerId: string, meId: string): Promise<string> {
  const conversations = await queryClient.query({ ...conversationsQuery(customerId), staleTime: 0 })
  const isOwn = conversations.some(({ holder }) => holder.id === meId)
  const { id } = (isOwn ? undefined : conversations[0]) ?? (await openConversationWith(customerId))
  return id
}
