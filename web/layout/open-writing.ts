import { conversationsQuery } from '#web/features/admin-customer/api.ts'
import { openConversationWith } from '#web/features/chat/staff-api.ts'
import { queryClient } from '#web/platform/query-client.ts'

/**
 * The own conversation, else the latest that a colleague holds, which is not passed by but read, and claimed there
 * (rules §7.1).
 */
export async function openWriting(customerId: string, meId: string): Promise<string> {
  const conversations = await queryClient.query({ ...conversationsQuery(customerId), staleTime: 0 })
  const isOwn = conversations.some(({ holder }) => holder.id === meId)
  const { id } = (isOwn ? undefined : conversations[0]) ?? (await openConversationWith(customerId))
  return id
}
