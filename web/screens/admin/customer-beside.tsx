import { Suspense } from 'react'
import { CustomerPanel as Panel, CustomerSheet as InSheet } from '#web/features/chat/customer-panel.tsx'
import type { CustomerShownProps } from '#web/features/chat/staff-chat.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'

const Parts = lazyComponent(() => import('./customer-parts.tsx'), 'CustomerParts')

function useMore() {
  const { id: meId } = useMe()
  return (of: { readonly id: string; readonly username: string; readonly onActed: () => void }) => (
    <Suspense fallback={<Skeleton className="h-96" />}>
      <Parts {...of} meId={meId} />
    </Suspense>
  )
}

export const CustomerPanel = (props: CustomerShownProps) => <Panel {...props} drawMore={useMore()} />

export const CustomerSheet = (props: CustomerShownProps) => <InSheet {...props} drawMore={useMore()} />
