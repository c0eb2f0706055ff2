import { chatTexts } from './chat-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import type { ChatSelf } from './chat-deps.ts'
import { useUnreadCount } from './use-chat.ts'

/** How many messages are unread, live, wherever one is (spec §9). It keeps the chat going while it is shown. */
export function UnreadBadge({ self }: { readonly self: ChatSelf }) {
  const unread = useUnreadCount(self)
  return <CountBadge count={unread} label={chatTexts.unread(formatCount(unread))} />
}
