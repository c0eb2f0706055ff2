import { useEffect, useRef } from 'react'
import type { ChatSession } from './chat-session.ts'

/**
 * Makes the device's back button lead from an open conversation to the list, as the arrow on screen does: an open
 * conversation is a history entry without an address of its own.
 */
export function useOpenInHistory({ closeThread }: ChatSession, openKey: string | null): void {
  const isOpen = openKey !== null
  const hasEntry = useRef(false)
  useEffect(() => {
    const handlePop = () => {
      if (!hasEntry.current) return
      hasEntry.current = false
      closeThread()
    }
    globalThis.addEventListener('popstate', handlePop)
    return () => globalThis.removeEventListener('popstate', handlePop)
  }, [closeThread])
  useEffect(() => {
    if (isOpen && !hasEntry.current) {
      hasEntry.current = true
      history.pushState(history.state, '')
    } else if (!isOpen && hasEntry.current) {
      hasEntry.current = false
      history.back()
    }
  }, [isOpen])
}
