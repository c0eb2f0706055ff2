import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { filterSheetTexts as texts } from './filter-sheet-texts.ts'

export type FilterSheetProps = {
  /** How many rows match, once they are counted. */
  readonly total: string | undefined
  /** Clears the filters, where any is set. */
  readonly clear: ReactNode
  readonly onClose: () => void
  /** The filters and the order; each takes effect as it is set. */
  readonly children: ReactNode
}

/** Every filter and the order of a list, where there is no room for them above it. */
export function FilterSheet({ total, clear, onClose, children }: FilterSheetProps) {
  return (
    <Sheet
      onClose={onClose}
      title={texts.title}
      footer={
        <>
          {clear}
          <Button onClick={onClose}>{total === undefined ? texts.show : texts.showRows(total)}</Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </Sheet>
  )
}
