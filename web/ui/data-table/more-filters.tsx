import { ChevronDown, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useIsWide } from '#web/ui/media-query.ts'
import { adminTableTexts as texts } from './table-texts.ts'

export type MoreFiltersProps = {
  /** How many of these filters are set. */
  readonly setCount: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/**
 * The filters that do not fit in the row above a list: a button that says how many are set, and a row of its own beneath.
 * Where there is room the row is open from the start for whoever follows a link with such filters.
 */
export function MoreFilters({ setCount, onClear, children }: MoreFiltersProps) {
  const id = useId()
  const isWide = useIsWide()
  const [isOpen, setIsOpen] = useState(isWide && setCount > 0)
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="border-control px-2.5! text-dense! font-medium! max-md:min-h-target"
      >
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.8} />
        {setCount === 0 ? texts.moreFilters : texts.moreFiltersSet(formatCount(setCount))}
        <ChevronDown aria-hidden size={16} className={classNames('text-ink-3', isOpen && 'rotate-180')} />
      </Button>
      <div
        id={id}
        role="group"
        aria-label={texts.moreFilters}
        hidden={!isOpen}
        className="order-last flex basis-full flex-wrap items-center gap-2 [&[hidden]]:hidden"
      >
        {isOpen && children}
        {isOpen && setCount > 0 && (
          <Button variant="ghost" size="sm" onClick={onClear} className="text-dense! max-md:min-h-target">
            {texts.clearMoreFilters}
          </Button>
        )}
      </div>
    </>
  )
}
