import { useEffect, useRef } from 'react'
import type { Thread } from '#domain/chat/thread.ts'
import type { ChatState } from '#domain/chat/timeline.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import type { ChatSession } from './chat-session.ts'
import { preparePane } from './lazy-pane.tsx'

/**
 * The open conversation. Opens the one that the address names, once it is known; whoever closes it gets the list. It
 * does so once: one that goes to a colleague and comes back is not put in the place of what is open by then.
 */
export function useOpening(
  { openThread, closeThread }: ChatSession,
  chat: ChatState,
  conversationId: string,
): Thread | undefined {
  // Back leads from an open conversation to the list, as the arrow on screen does.
  useBackCloses(chat.openKey !== null, closeThread)
  useEffect(preparePane, [])
  const isKnown = chat.threads[conversationId] !== undefined
  const opened = useRef('')
  useEffect(() => {
    if (!isKnown || opened.current === conversationId) return
    opened.current = conversationId
    openThread(conversationId)
  }, [openThread, isKnown, conversationId])
  return chat.openKey === null ? undefined : chat.threads[chat.openKey]
}
