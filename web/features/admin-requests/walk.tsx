import { formatCount } from '#web/platform/formats.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { toast } from '#web/ui/toast.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'

export type WalkProps = {
  /** The place in the list, counted from 1. */
  readonly place: number
  readonly total: number
  /** True while the request is not among the rows, such as while another page loads, so the neighbours are unknown. */
  readonly isMoving: boolean
  /** Undefined at the list's first request; `onNext` is undefined at the last. Both are undefined while `isMoving`. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** Shows "‹ 3 / 25 ›". A button without a neighbour is skipped by Tab, but not disabled, so it keeps the focus. */
export function Walk({ place, total, isMoving, onPrevious, onNext }: WalkProps) {
  const previous = onPrevious ?? (() => !isMoving && toast.info(texts.wasFirst))
  const next = onNext ?? (() => !isMoving && toast.info(texts.wasLast))
  useShortcuts({ k: previous, j: next }, { isInDialog: true })
  const step = (key: string, isLast: boolean, run: () => unknown) => ({
    'aria-keyshortcuts': key,
    'aria-disabled': isLast,
    tabIndex: isLast ? -1 : 0,
    className: 'aria-disabled:text-ink-3 aria-disabled:opacity-60',
    onClick: () => run(),
  })
  return (
    <span className="-my-2 flex shrink-0 items-center text-sm text-ink-2 tabular-nums">
      <IconButton label={texts.previous} title={texts.previousKey} {...step('k', onPrevious === undefined, previous)}>
        <ChevronLeft aria-hidden size={20} strokeWidth={1.8} />
      </IconButton>
      <span role="status" className="px-1.5" aria-label={texts.placeLabel(formatCount(place), formatCount(total))}>
        {texts.place(formatCount(place), formatCount(total))}
      </span>
      <IconButton label={texts.next} title={texts.nextKey} {...step('j', onNext === undefined, next)}>
        <ChevronRight aria-hidden size={20} strokeWidth={1.8} />
      </IconButton>
    </span>
  )
}
