import { Suspense } from 'react'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import type { CaseInChatProps } from './case-in-chat.tsx'

const CaseInChat = lazyComponent(() => import('./case-in-chat.tsx'), 'CaseInChat')

/** A dispute under a message. Few conversations contain a dispute, so the code loads only when one is shown. */
export function CaseSlot(props: CaseInChatProps) {
  return (
    <Suspense fallback={<SkeletonGroup className="mt-1 w-full max-w-sm" shapes={['h-44']} />}>
      <CaseInChat {...props} />
    </Suspense>
  )
}
