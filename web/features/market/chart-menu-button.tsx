import { type ReactNode, useState } from 'react'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Ellipsis } from '#web/ui/icons/ellipsis.tsx'
import type { ChartChoice } from './use-chart-view.ts'

const loadMenu = () => import('./chart-menu.tsx')

export type ChartMenuButtonProps = {
  readonly id: string
  readonly label: string
  readonly choice: ChartChoice
  readonly children: (close: () => void) => ReactNode
}

export function ChartMenuButton({ id, label, choice, children }: ChartMenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { part } = useLazyPart(loadMenu, isOpen)
  const close = () => setIsOpen(false)
  return (
    <>
      <IconButton id={id} label={label} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Ellipsis aria-hidden size={20} strokeWidth={1.8} />
      </IconButton>
      {isOpen && part !== undefined && (
        <part.ChartMenu choice={choice} title={label} onClose={close}>
          {children(close)}
        </part.ChartMenu>
      )}
    </>
  )
}
