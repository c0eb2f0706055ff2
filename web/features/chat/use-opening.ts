import { useEffect } from 'react'
import type { ChatState } from '#domain/chat/timeline.ts'
import type { ChatSession } from './chat-session.ts'

/** Opens the conversation that the address names, once it is known; whoever closes it gets the list. */
export function useOpening({ openThread }: ChatSession, chat: ChatState, conversationId: string): void {
  const isKnown = chat.threads[conversationId] !== undefined
  useEffect(() => {
    if (isKnown) openThread(conversationId)
  }, [openThread, isKnown, conversationId])
}
