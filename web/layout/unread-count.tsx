import { delaysMs } from '#web/boot/delays.ts'
import { useMe } from '#web/features/identity/use-me.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'

const loadBadge = afterPause(delaysMs.unreadBadge, () => import('#web/features/chat/unread-badge.tsx'))

/** Unread messages as a badge (spec §9); its code and the chat connection load after the screen. */
export function UnreadCount() {
  const me = useMe()
  const { part } = useLazyPart(loadBadge)
  if (part === undefined || me.isFrozen || me.mustChangePassword) return null
  return <part.UnreadBadge self={me} />
}
