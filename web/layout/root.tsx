import { Outlet } from '@tanstack/react-router'
import { delaysMs } from '#web/boot/delays.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { OfflineBar } from '#web/parts/offline-bar.tsx'
import { ToastHost } from '#web/ui/toast.tsx'
import { contentId, SkipLink } from './screen.tsx'

/** Loads the bar that offers updates. The bar needs a service worker, so it is not used with Vite's dev server. */
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

/** Marks the pages of a demonstration server, which sets `data-demo` in them (setting DEMO_DATA). */
function DemoTag() {
  if (document.documentElement.dataset['demo'] === undefined) return null
  return (
    <p className="pointer-events-none fixed top-0 left-1/2 z-50 -translate-x-1/2 rounded-b-s bg-info-soft px-3 text-[0.625rem]/3 font-medium whitespace-nowrap text-info">
      {commonTexts.demoData}
    </p>
  )
}
