import { Link, type LinkProps, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { commonTexts } from '#web/platform/texts.ts'

export type BackLinkProps = {
  /** Where it leads when nothing of ours comes before this screen, such as after a reload of a bookmark. */
  readonly fallback: NonNullable<LinkProps['to']>
}

/**
 * The arrow before a screen's title. It takes the step back that the device's own back button would take, so that the
 * two never contradict each other; without such a step it replaces this screen by its parent.
 */
export function BackLink({ fallback }: BackLinkProps) {
  const canGoBack = useCanGoBack()
  const router = useRouter()
  return (
    <Link
      to={fallback}
      replace
      aria-label={commonTexts.back}
      onClick={(event) => {
        // With a modifier the fallback opens in another tab, as any link does.
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
