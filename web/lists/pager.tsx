import type { Meta } from '#contract/envelope.ts'
import { PAGE_SIZES } from '#contract/limits.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import { formatCount, formatTime } from '#web/platform/formats.ts'
import { Button } from '#web/ui/button.tsx'
import type { IconComponent } from '#web/ui/icon.tsx'
import { ChevronLeft } from '#web/ui/icons/chevron-left.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { ChevronsLeft } from '#web/ui/icons/chevrons-left.tsx'
import { ChevronsRight } from '#web/ui/icons/chevrons-right.tsx'
import { Picker } from './controls.tsx'

/** Formats a count. The server counts only up to 10,000; a capped count gets a plus sign: `10,000+` (rules §6.1). */
export const countText = (count: number, isCapped = false): string => `${formatCount(count)}${isCapped ? '+' : ''}`

export const pageCount = ({ total }: Pick<Meta, 'total'>, limit: number): number =>
  Math.max(1, Math.ceil(total / limit))

export type PagerProps = {
  readonly meta: Meta
  /** `meta.total`, plus the rows that have left the list but are still on screen. */
  readonly total: number
  readonly page: number
  readonly limit: number
  readonly selectedCount: number
  readonly onClear: (() => void) | undefined
  readonly onPage: (page: number) => void
  readonly onLimit: (limit: number) => void
}

const sizes = PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))

export function Pager({ meta, total, page, limit, selectedCount, onClear, onPage, onLimit }: PagerProps) {
  const pages = pageCount(meta, limit)
  const isCapped = meta.totalCapped === true
  const hasNext = page < pages || meta.hasMore
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-dense text-ink-2 tabular-nums">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2">
        <p aria-live="polite">{texts.selected(formatCount(selectedCount), countText(total, isCapped))}</p>
        {onClear !== undefined && (
          <Button variant="ghost" size="xs" className="max-md:min-h-target" onClick={onClear}>
            {texts.clearSelection}
          </Button>
        )}
        {meta.orderedAt !== undefined && (
          <p className="text-ink-3">{texts.orderedAt(formatTime(Date.parse(meta.orderedAt)))}</p>
        )}
      </div>
      <nav aria-label={texts.paging} className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="flex items-center gap-2">
          <span aria-hidden>{texts.rowsPerPage}</span>
          <Picker
            label={texts.rowsPerPage}
            value={String(limit)}
            onChange={(size) => onLimit(Number(size))}
            choices={sizes}
            className="w-20"
          />
        </span>
        <span>{texts.page(formatCount(page), countText(Math.max(pages, page), isCapped))}</span>
        <span className="flex gap-1">
          <PageButton icon={ChevronsLeft} label={texts.firstPage} isOff={page === 1} onPress={() => onPage(1)} />
          <PageButton
            icon={ChevronLeft}
            label={texts.previousPage}
            isOff={page === 1}
            onPress={() => onPage(page - 1)}
          />
          <PageButton icon={ChevronRight} label={texts.nextPage} isOff={!hasNext} onPress={() => onPage(page + 1)} />
          <PageButton icon={ChevronsRight} label={texts.lastPage} isOff={page >= pages} onPress={() => onPage(pages)} />
        </span>
      </nav>
    </div>
  )
}

type PageButtonProps = {
  readonly icon: IconComponent
  readonly label: string
  readonly isOff: boolean
  readonly onPress: () => void
}

/** Uses `aria-disabled`: with `disabled`, the pressed button would lose the focus when the first or last page opens. */
function PageButton({ icon: Icon, label, isOff, onPress }: PageButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
      className="grid size-target place-items-center rounded-s border border-control bg-surface text-ink transition-colors hover:bg-surface-press aria-disabled:cursor-default aria-disabled:border-line aria-disabled:bg-surface-2 aria-disabled:text-ink-3 md:size-9"
    >
      <Icon aria-hidden size={16} strokeWidth={1.8} />
    </button>
  )
}
