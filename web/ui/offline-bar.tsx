import { WifiOff } from 'lucide-react'
import { useIsOnline } from '#web/platform/online.ts'
import { commonTexts } from '#web/platform/texts.ts'

/**
 * A slim bar at the top while the device is offline. The region is always rendered, so that a screen reader announces
 * the change.
 */
export function OfflineBar() {
  const isOnline = useIsOnline()
  return (
    <div role="status" className="sticky top-0 z-30">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-gutter py-1.5 text-center text-xs font-medium text-warn">
          <WifiOff aria-hidden size={14} className="shrink-0" />
          {commonTexts.offline}
        </p>
      )}
    </div>
  )
}
