import { useEffect, useRef } from 'react'
import type { Thread } from '#domain/chat/thread.ts'
import { type ChatState, threadAt } from '#domain/chat/timeline.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import type { ChatSession } from './chat-session.ts'
import { preparePane } from './lazy-pane.tsx'

/**
 * The open conversation. Opens the one that the address names once it is known, and once for each navigation: a
 * conversation that goes to a colleague and comes back does not replace the one that is open by then.
 */
export function useOpening(
  { openThread, closeThread }: ChatSession,
  chat: ChatState,
  conversationId: string,
  way = 0,
): Thread | undefined {
  useBackCloses(chat.openKey !== null, closeThread)
  useEffect(preparePane, [])
  const key = threadAt(chat, conversationId)?.key
  const named = conversationId && conversationId + way
  const opened = useRef('')
  useEffect(() => {
    if (opened.current === named || (named && key === undefined)) return
    opened.current = named
    if (key !== undefined) openThread(key)
  }, [openThread, key, named])
  return chat.openKey === null ? undefined : chat.threads[chat.openKey]
}
