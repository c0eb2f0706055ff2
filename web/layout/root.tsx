import { Outlet } from '@tanstack/react-router'
import { delaysMs } from '#web/boot/delays.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { OfflineBar } from '#web/parts/offline-bar.tsx'
import { ToastHost } from '#web/ui/toast.tsx'
import { contentId, SkipLink } from './screen.tsx'

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
