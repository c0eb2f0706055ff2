import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import type { Dispute } from './api.ts'
import type { CaseInChatProps } from './case-in-chat.tsx'

const CaseInChat = lazyComponent(() => import('./case-in-chat.tsx'), 'CaseInChat')
const AnswerInChat = lazyComponent(() => import('./answer-dialog.tsx'), 'AnswerInChat')

/** A dispute under a message. The code of disputes is loaded only when a dispute is shown. */
export function CaseSlot(props: CaseInChatProps) {
  return (
    <Suspense fallback={<SkeletonGroup className="mt-1 w-full max-w-sm" shapes={['h-44']} />}>
      <CaseInChat {...props} />
    </Suspense>
  )
}

/** For staff: returns a function that draws a dispute under a message, and the answer dialog (false while closed). */
export function useAnsweredCases(self: CaseInChatProps['self']) {
  /** The dispute as it was when the admin opened the dialog; null while no dialog is open. */
  const [answering, setAnswering] = useState<Dispute | null>(null)
  const drawCase = useCallback(
    (of: Pick<CaseInChatProps, 'disputeId' | 'senderId'>): ReactNode => (
      <CaseSlot {...of} self={self} onAnswer={setAnswering} />
    ),
    [self],
  )
  const dialog = answering !== null && (
    <Suspense>
      <AnswerInChat seen={answering} onClose={() => setAnswering(null)} />
    </Suspense>
  )
  return { drawCase, dialog }
}
