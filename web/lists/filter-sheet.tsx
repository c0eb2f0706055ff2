import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { filterSheetTexts as texts } from './filter-sheet-texts.ts'

export type FilterSheetProps = {
  readonly total: string | undefined
  readonly clear: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

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
