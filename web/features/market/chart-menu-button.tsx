import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { marketTexts } from './market-texts.ts'
import type { ChartMenuProps } from './use-chart-view.ts'

const loadMenu = () => import('./chart-menu.tsx')

/** In the chart's corner: everything that can be chosen about it, behind one button. */
export function ChartMenuButton(props: ChartMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { part, hasFailed, retry } = useLazyPart(loadMenu, isOpen)
  return (
    <>
      <button
        type="button"
        aria-label={marketTexts.menu}
        aria-haspopup="dialog"
        onClick={() => {
          setIsOpen(true)
          if (hasFailed) retry()
        }}
        className="absolute top-0 right-0 z-[3] grid h-7 w-11 place-items-center rounded-s text-ink-2 transition-colors hover:text-ink"
      >
        <Ellipsis aria-hidden size={18} strokeWidth={1.8} />
      </button>
      {isOpen && part !== undefined && <part.ChartMenu {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}
