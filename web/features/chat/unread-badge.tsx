import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import type { ChatSelf } from './chat-deps.ts'
import { useUnreadCount } from './use-chat.ts'

/** Shows the number of unread messages (spec §9.4). While mounted, the badge keeps the chat session running. */
export function UnreadBadge({ self }: { readonly self: ChatSelf }) {
  const unread = useUnreadCount(self)
  return <CountBadge count={unread} label={chatTexts.unread(formatCount(unread))} />
}
