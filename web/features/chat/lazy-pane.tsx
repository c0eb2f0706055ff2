import { Suspense, useEffect, useRef } from 'react'
import type { Thread } from '#domain/chat/thread.ts'
import { threadAt } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { inTurn } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import type { ChatSession } from './chat-session.ts'
import type { MessagePaneProps } from './message-pane.tsx'

const load = () => import('./message-pane.tsx')
const MessagePane = lazyComponent(load, 'MessagePane')

function preparePane(): void {
  // If this fails, opening the pane loads the code again.
  inTurn(load).catch(() => {})
}

/** Shows the open conversation. Its code loads after the list, so that the list appears earlier. */
export function LazyPane(props: MessagePaneProps) {
  return (
    <Suspense
      fallback={
        <p role="status" className="grid flex-1 place-items-center text-sm text-ink-2">
          {commonTexts.loading}
        </p>
      }
    >
      <MessagePane {...props} />
    </Suspense>
  )
}

/**
 * Returns the open thread. Opens the thread that the address names as soon as it is loaded, but only once per
 * navigation: the same thread may be loaded again later, and must not replace another thread that is open by then.
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
