import { useEffect } from 'react'
import { toast as sonner, Toaster } from 'sonner'
import { commonTexts } from '#web/platform/texts.ts'

export type ToastKind = 'success' | 'error' | 'info'
export type ToastRequest = { readonly kind: ToastKind; readonly text: string }

type ToastRegionProps = {
  readonly requests: readonly ToastRequest[]
  readonly takeWaiting: () => readonly ToastRequest[]
}

const edges: Record<ToastKind, string> = {
  success: 'border-l-up-fill',
  error: 'border-l-down-fill',
  info: 'border-l-info',
}

/** The headers are 56 px high; this leaves 8 px below them. */
const belowHeader = 'calc(env(safe-area-inset-top, 0px) + 64px)'

/** In a wide window of the back office, a toast at the top could cover a dialog, so toasts are at the lower left. */
const isOffice = (): boolean =>
  location.pathname.startsWith('/admin') && globalThis.matchMedia('(min-width: 768px)').matches

/**
 * Shows toasts below the header, whose buttons they must not cover; see `isOffice` for the exception. Presses go
 * through a toast to the element beneath, and a pointer that rests on a toast does not keep it open.
 */
export function ToastRegion({ requests, takeWaiting }: ToastRegionProps) {
  // Effects of children run first, so the Toaster already listens, and no toast gets lost.
  useEffect(() => {
    if (requests.length === 0) return
    for (const { kind, text } of takeWaiting()) {
      sonner[kind](text, { className: edges[kind], ...(isOffice() && { position: 'bottom-left' }) })
    }
  }, [requests, takeWaiting])
  return (
    <Toaster
      position="top-center"
      duration={4000}
      offset={{ top: belowHeader }}
      mobileOffset={{ top: belowHeader }}
      style={{ fontFamily: 'var(--font)' }}
      containerAriaLabel={commonTexts.notifications}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'pointer-events-none flex w-full items-center gap-2.5 rounded-s border border-l-4 border-line-strong bg-surface px-3 py-3 text-sm font-medium text-ink shadow-overlay',
          icon: 'shrink-0 text-ink-2',
        },
      }}
    />
  )
}
