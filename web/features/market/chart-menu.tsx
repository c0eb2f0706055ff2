import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { marketTexts } from './market-texts.ts'
import type { ChartChoice } from './use-chart-view.ts'

const views = (['round', '1m', '60m'] as const).map((value) => ({ value, label: marketTexts.views[value] }))

export type ChartMenuProps = {
  readonly choice: ChartChoice
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function ChartMenu({ choice, title, onClose, children }: ChartMenuProps) {
  return (
    <Sheet onClose={onClose} title={title}>
      {children}
      <SegmentedControl
        label={marketTexts.view}
        value={choice.isTradingView ? null : choice.view}
        onChange={choice.choose}
        options={views}
      />
      {!choice.isTradingView && (
        <>
          <Switch label={marketTexts.pin} isOn={choice.isPinned} onChange={choice.togglePin} />
          <Switch label={marketTexts.showTable} isOn={choice.isTable} onChange={choice.setIsTable} />
          <Button
            variant="outline"
            onClick={() => {
              choice.setIsTradingView(true)
              onClose()
            }}
          >
            {marketTexts.showTradingView}
          </Button>
        </>
      )}
      {/* The licence of lightweight-charts, which draws the charts, requires this notice with its link. */}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
        className="-my-2 grid min-h-target place-items-center text-xs text-ink-3 underline underline-offset-2 hover:text-ink"
      >
        {marketTexts.attribution}
      </a>
    </Sheet>
  )
}
