import { Outlet } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { delaysMs } from '#web/boot/delays.ts'
import { afterPause, useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { OfflineBar } from '#web/parts/offline-bar.tsx'
import { ToastHost } from '#web/ui/toast.tsx'
import { contentId } from './screen.tsx'

/** Useful only with a service worker: Vite's dev server has none. */
const loadUpdateBar = afterPause(delaysMs.serviceWorker, () => import('./update-bar.tsx'))

export function Root() {
  const { part: updates } = useLazyPart(loadUpdateBar, import.meta.env.PROD)
  // Moves the focus by script: a real fragment would become a navigation.
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById(contentId)?.focus()
  }
  return (
    <>
      <a
        href={`#${contentId}`}
        onClick={skip}
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-s bg-surface px-4 py-3 text-sm font-medium text-ink focus:translate-y-0 focus:shadow-overlay"
      >
        {commonTexts.skipToContent}
      </a>
      <DemoTag />
      <OfflineBar />
      {updates !== undefined && <updates.UpdateBar />}
      <Outlet />
      <ToastHost />
    </>
  )
}

/** The server marks the pages of a demonstration (DEMO_DATA). */
function DemoTag() {
  if (document.documentElement.dataset['demo'] === undefined) return null
  return (
    <p className="pointer-events-none fixed top-0 left-1/2 z-50 -translate-x-1/2 rounded-b-s bg-info-soft px-3 text-[0.625rem]/3 font-medium whitespace-nowrap text-info">
      {commonTexts.demoData}
    </p>
  )
}
