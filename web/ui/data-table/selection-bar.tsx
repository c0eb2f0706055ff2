import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

export type SelectionBarProps = { readonly onClear: () => void; readonly children: ReactNode }

/** The acts on the selected rows, beneath the list while rows are selected; always visible on a phone. */
export function SelectionBar({ onClear, children }: SelectionBarProps) {
  return (
    <div className="sticky bottom-2 z-20 flex flex-wrap items-center justify-end gap-2 rounded-m border border-line bg-surface p-2 shadow-overlay md:static md:shadow-card">
      <Button variant="ghost" size="sm" className="mr-auto max-md:min-h-target" onClick={onClear}>
        {texts.clearSelection}
      </Button>
      {children}
    </div>
  )
}

export function BulkButton(props: Pick<ButtonProps, 'variant' | 'onClick' | 'children'>) {
  return <Button {...props} size="sm" className="max-md:min-h-target" />
}
