import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import type { ChatSelf } from './chat-deps.ts'
import { useUnreadCount } from './use-chat.ts'

/** Shows the number of unread messages on every screen (spec §9). While mounted, it keeps the chat session running. */
export function UnreadBadge({ self }: { readonly self: ChatSelf }) {
  const unread = useUnreadCount(self)
  return <CountBadge count={unread} label={chatTexts.unread(formatCount(unread))} />
}
