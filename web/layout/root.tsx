import { Outlet } from '@tanstack/react-router'
import { delaysMs } from '#web/boot/delays.ts'
import { afterPause, useLazyPart, useIsReloadNeeded } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ToastHost } from '#web/ui/toast.tsx'
import { contentId, SkipLink } from './screen.tsx'
import { tryServerNow, useLastKnown, useReach } from '#web/platform/online.ts'
import { WifiOff } from '#web/ui/icons/wifi-off.tsx'

/** The bar that offers updates is loaded in production only, because Vite's dev server has no service worker. */
const loadUpdateBar = afterPause(delaysMs.serviceWorker, () => import('./update-bar.tsx'))

export function Root() {
  const { part: updates } = useLazyPart(loadUpdateBar, import.meta.env.PROD)
  return (
    <>
      <SkipLink ids={[contentId]}>{commonTexts.skipToContent}</SkipLink>
      <DemoTag />
      <OfflineBar />
      {updates !== undefined && <updates.UpdateBar />}
      <Outlet />
      <ToastHost />
    </>
  )
}

/** Marks the pages of a server with the setting DEMO_DATA, which writes `data-demo` into its pages. */
function DemoTag() {
  if (document.documentElement.dataset['demo'] === undefined) return null
  return (
    <p className="pointer-events-none fixed top-0 left-1/2 z-50 -translate-x-1/2 rounded-b-s bg-info-soft px-3 text-[0.625rem]/3 font-medium whitespace-nowrap text-info">
      {commonTexts.demoData}
    </p>
  )
}

const lineClass = 'flex min-h-6 items-center justify-center gap-1.5 px-2 font-medium whitespace-nowrap'
const actClass = 'relative shrink-0 px-1 underline underline-offset-4 after:absolute after:-inset-3'

/**
 * Shows a bar while there is no connection, or while only a reload can fetch a part of the page. Its element is always
 * there, so that screen readers announce changes.
 */
function OfflineBar() {
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
