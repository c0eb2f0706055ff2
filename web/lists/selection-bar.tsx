import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { formatCount } from '#web/platform/formats.ts'
import { countText } from './pager.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

export type SelectionBarProps = {
  readonly onClear: () => void
  readonly all: ReactNode
  readonly children: ReactNode
}

export function SelectionBar({ onClear, all, children }: SelectionBarProps) {
  return (
    <div className="sticky bottom-2 z-20 flex flex-wrap items-center justify-end gap-2 rounded-m border border-line bg-surface p-2 shadow-overlay md:static md:shadow-card">
      <div className="mr-auto flex flex-wrap items-center gap-2">
        <Button variant="ghost" size="sm" className="max-md:min-h-target" onClick={onClear}>
          {texts.clearSelection}
        </Button>
        {all}
      </div>
      {children}
    </div>
  )
}

export type AllOfFilterProps = {
  readonly total: number
  readonly isCapped: boolean
  readonly most: number
  readonly isAll: boolean
  readonly isOffered: boolean
  readonly onAll: () => void
}

/** Offers to choose all rows that match the filters, beyond those on screen (rules §6.1). */
export function AllOfFilter({ total, isCapped, most, isAll, isOffered, onAll }: AllOfFilterProps) {
  if (isAll)
    return (
      <p role="status" className="px-1 text-dense font-medium text-ink">
        {texts.allChosen(formatCount(total))}
      </p>
    )
  if (!isOffered) return null
  if (isCapped || total > most)
    return (
      <p className="px-1 text-dense text-ink-2">
        {texts.tooManyToChoose(countText(total, isCapped), formatCount(most))}
      </p>
    )
  return (
    <BulkButton variant="outline" onClick={onAll}>
      {texts.chooseAll(formatCount(total))}
    </BulkButton>
  )
}

export function BulkButton(props: Pick<ButtonProps, 'variant' | 'onClick' | 'children'>) {
  return <Button {...props} size="sm" className="max-md:min-h-target" />
}
