import { conversationsQuery } from '#web/features/admin-customer/api.ts'
import { openConversationWith } from '#web/features/chat/staff-api.ts'
import { queryClient } from '#web/platform/query-client.ts'

/**
 * Returns the conversation in which the admin writes to a customer: their own, else the latest one of a colleague, else
 * a new one. A colleague's is not bypassed by a new one: the admin reads it, and can claim it there (rules §7.1).
 */
export async function openWriting(customerId: string, meId: string): Promise<string> {
  const conversations = await queryClient.query({ ...conversationsQuery(customerId), staleTime: 0 })
  const isOwn = conversations.some(({ holder }) => holder.id === meId)
  const { id } = (isOwn ? undefined : conversations[0]) ?? (await openConversationWith(customerId))
  return id
}
