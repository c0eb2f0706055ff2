import { useEffect, useState } from 'react'
import { useMe } from '#web/features/identity/use-me.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'

const loadBadge = () => import('#web/features/chat/unread-badge.tsx')

/** The screen that was asked for comes first. */
const afterMs = 1_500

/** Unread messages as a badge (spec §9); its code and the chat's connection come once the screen is there. */
export function UnreadCount() {
  const me = useMe()
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsWanted(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  const { part } = useLazyPart(loadBadge, isWanted)
  if (part === undefined || me.isFrozen || me.mustChangePassword) return null
  return <part.UnreadBadge self={me} />
}
