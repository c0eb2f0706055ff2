import { tryServerNow, useLastKnown, useReach } from '#web/platform/online.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { WifiOff } from '#web/ui/icons/wifi-off.tsx'

/** Shows a bar while there is no connection. Its element is always there, so that screen readers announce changes. */
export function OfflineBar() {
  const reach = useReach()
  const lastKnown = useLastKnown()
  return (
    <div role="status" className="sticky top-0 z-30 bg-warn-soft text-xs text-warn">
      {reach !== 'reachable' && (
        <p className="flex min-h-6 items-center justify-center gap-1.5 px-2 font-medium whitespace-nowrap">
          <WifiOff aria-hidden size={14} className="shrink-0" />
          <span className="shrink-0">{reach === 'offline' ? commonTexts.offline : commonTexts.serverAway}</span>
          {lastKnown !== null && <span className="truncate">· {lastKnown}</span>}
          {reach === 'server-away' && (
            <button
              type="button"
              onClick={tryServerNow}
              className="relative shrink-0 px-1 underline underline-offset-4 after:absolute after:-inset-3"
            >
              {commonTexts.tryNow}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
