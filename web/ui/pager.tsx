import { formatCount } from '#web/platform/formats.ts'
import { controlTexts } from './control-texts.ts'
import { IconButton } from './button.tsx'
import { ChevronLeft } from './icons/chevron-left.tsx'
import { ChevronRight } from './icons/chevron-right.tsx'

export type PagerProps = {
  readonly label: string
  readonly page: number
  readonly pages: number
  readonly hasMore: boolean
  readonly onChange: (page: number) => void
}

export function Pager({ label, page, pages, hasMore, onChange }: PagerProps) {
  if (page === 1 && !hasMore) return null
  // Uses `aria-disabled`: with `disabled`, the pressed button would lose the focus when the first or last page opens.
  const turn = (to: number, isOff: boolean) => ({
    'aria-disabled': isOff || undefined,
    onClick: isOff ? undefined : () => onChange(to),
    className: 'aria-disabled:cursor-default aria-disabled:text-ink-3',
  })
  return (
    <nav aria-label={label} className="flex items-center justify-center gap-2 pt-2 text-sm">
      <IconButton label={controlTexts.previousPage} {...turn(page - 1, page === 1)}>
        <ChevronLeft aria-hidden size={20} />
      </IconButton>
      <span aria-live="polite" className="tabular-nums text-ink-2">
        {controlTexts.page(formatCount(page), formatCount(Math.max(page, pages)))}
      </span>
      <IconButton label={controlTexts.nextPage} {...turn(page + 1, !hasMore)}>
        <ChevronRight aria-hidden size={20} />
      </IconButton>
    </nav>
  )
}
