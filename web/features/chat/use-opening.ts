import { useEffect, useRef } from 'react'
import type { Thread } from '#domain/chat/thread.ts'
import { type ChatState, threadAt } from '#domain/chat/timeline.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import type { ChatSession } from './chat-session.ts'
import { preparePane } from './lazy-pane.tsx'

/**
 * The open conversation. Opens the one that the address names, once it is known; closing it shows the list. It does so
 * once for each navigation that led here: a conversation that goes to a colleague and comes back does not replace the
 * one that is open by then.
 */
export function useOpening(
  { openThread, closeThread }: ChatSession,
  chat: ChatState,
  conversationId: string,
  way = '',
): Thread | undefined {
  // The back button leads from an open conversation to the list, like the arrow on screen.
  useBackCloses(chat.openKey !== null, closeThread)
  useEffect(preparePane, [])
  const key = threadAt(chat, conversationId)?.key
  const opened = useRef('')
  useEffect(() => {
    const named = conversationId + way
    if (key === undefined || opened.current === named) return
    opened.current = named
    openThread(key)
  }, [openThread, key, conversationId, way])
  return chat.openKey === null ? undefined : chat.threads[chat.openKey]
}
