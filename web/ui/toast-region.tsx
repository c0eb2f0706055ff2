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

/** A header is 56 px high. */
const belowHeader = 'calc(env(safe-area-inset-top, 0px) + 64px)'

/** The office's dialogs reach the top of a wide window; beneath its sidebar nothing is read or pressed. */
const isOffice = (): boolean =>
  location.pathname.startsWith('/admin') && globalThis.matchMedia('(min-width: 768px)').matches

/**
 * At the top, where neither a bar nor the keyboard covers it, and below the header, whose buttons it must not cover.
 * The pointer goes through a toast to the button beneath; otherwise resting on a toast would keep it there.
 */
export function ToastRegion({ requests, takeWaiting }: ToastRegionProps) {
  // Runs after the Toaster's own effect, which adds the listener; a toast sent earlier would be lost.
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
