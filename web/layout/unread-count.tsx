import type { Me } from '#contract/identity.ts'
import { delaysMs } from '#web/boot/delays.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'

const loadBadge = afterPause(delaysMs.unreadBadge, () => import('#web/features/chat/unread-badge.tsx'))

const mayChat = ({ role, capabilities }: Me) => role === 'player' || capabilities?.includes('care') === true

export function UnreadCount() {
  const me = useMe()
  const { part } = useLazyPart(loadBadge)
  if (part === undefined || me.isFrozen || me.mustChangePassword || !mayChat(me)) return null
  return (
    <>
      <PresentName me={me} />
      <part.UnreadBadge self={me} />
    </>
  )
}

/**
 * Holds the connection under the user's present name. After a rename this is needed, since the running chat session
 * holds the connection under the old name.
 */
function PresentName({ me }: { readonly me: Me }) {
  useConnection(me)
  return null
}
