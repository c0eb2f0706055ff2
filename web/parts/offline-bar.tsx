import { WifiOff } from 'lucide-react'
import { tryServerNow, useLastKnown, useReach } from '#web/platform/online.ts'
import { commonTexts } from '#web/platform/texts.ts'

/**
 * A slim bar at the top while the device is offline, or while its server is away: with the age of what is shown, and
 * what can't be done meanwhile. The region is always rendered, so that a screen reader announces the change; the age,
 * which changes by the minute, is outside of it.
 */
export function OfflineBar() {
  const reach = useReach()
  const lastKnown = useLastKnown()
  const isReachable = reach === 'reachable'
  return (
    <div className="sticky top-0 z-30 bg-warn-soft text-center text-xs text-warn">
      <div role="status">
        {!isReachable && (
          <p className="flex items-center justify-center gap-2 px-gutter py-1.5 font-medium">
            <WifiOff aria-hidden size={14} className="shrink-0" />
            {reach === 'offline' ? commonTexts.offline : commonTexts.serverAway}
            {reach === 'server-away' && (
              <button
                type="button"
                onClick={tryServerNow}
                className="-my-1.5 min-h-target shrink-0 px-1 underline underline-offset-4"
              >
                {commonTexts.tryNow}
              </button>
            )}
          </p>
        )}
      </div>
      {!isReachable && lastKnown !== null && <p className="px-gutter pb-1.5">{lastKnown}</p>}
    </div>
  )
}
