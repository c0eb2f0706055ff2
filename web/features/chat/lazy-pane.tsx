import { lazy, Suspense } from 'react'
import { inTurn } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import type { MessagePaneProps } from './message-pane.tsx'

const load = () => import('./message-pane.tsx').then((module) => ({ default: module.MessagePane }))
const MessagePane = lazy(load)

export function preparePane(): void {
  // A failed prefetch is repeated when the pane is opened.
  inTurn(load).catch(() => {})
}

/** The pane's code is loaded after the list, so that the list appears earlier. */
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
