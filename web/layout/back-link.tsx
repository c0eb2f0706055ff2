import { Link, type LinkProps, useCanGoBack, useRouter } from '@tanstack/react-router'
import { commonTexts } from '#web/platform/texts.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.tsx'

/** Steps back like the device's back button, or leads to `fallback` if no step is possible. */
export function BackLink({ fallback }: { readonly fallback: NonNullable<LinkProps['to']> }) {
  const canGoBack = useCanGoBack()
  const router = useRouter()
  return (
    <Link
      to={fallback}
      replace
      aria-label={commonTexts.back}
      onClick={(event) => {
        // With a modifier key the browser opens the address `fallback` in another tab or window.
        if (!canGoBack || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        router.history.back()
      }}
      className="grid size-target shrink-0 place-items-center rounded-s text-ink transition-colors hover:bg-surface-press"
    >
      <ChevronLeft aria-hidden size={22} strokeWidth={1.8} />
    </Link>
  )
}
