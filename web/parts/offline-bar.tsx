import { useIsReloadNeeded } from '#web/platform/lazy-part.ts'
import { tryServerNow, useLastKnown, useReach } from '#web/platform/online.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { WifiOff } from '#web/ui/icons/wifi-off.tsx'

const lineClass = 'flex min-h-6 items-center justify-center gap-1.5 px-2 font-medium whitespace-nowrap'
const actClass = 'relative shrink-0 px-1 underline underline-offset-4 after:absolute after:-inset-3'

/**
 * Shows a bar while there is no connection, or while only a reload can fetch a part of the page. Its element is always
 * there, so that screen readers announce changes.
 */
export function OfflineBar() {
  const reach = useReach()
  const lastKnown = useLastKnown()
  const isReloadNeeded = useIsReloadNeeded()
  return (
    <div role="status" className="sticky top-0 z-30 bg-warn-soft text-xs text-warn">
      {reach === 'reachable' && isReloadNeeded && (
        <p className={lineClass}>
          <span>{commonTexts.partsMissing}</span>
          <button type="button" onClick={() => globalThis.location.reload()} className={actClass}>
            {commonTexts.reload}
          </button>
        </p>
      )}
      {reach !== 'reachable' && (
        <p className={lineClass}>
          <WifiOff aria-hidden size={14} className="shrink-0" />
          <span className="shrink-0">{reach === 'offline' ? commonTexts.offline : commonTexts.serverAway}</span>
          {lastKnown !== null && <span className="truncate">· {lastKnown}</span>}
          {reach === 'server-away' && (
            <button type="button" onClick={tryServerNow} className={actClass}>
              {commonTexts.tryNow}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
