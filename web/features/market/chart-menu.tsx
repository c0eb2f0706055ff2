import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { marketTexts } from './market-texts.ts'
import type { ChartMenuProps } from './use-chart-view.ts'

const views = (['round', '1m', '60m'] as const).map((value) => ({ value, label: marketTexts.views[value] }))

/** The chart's view and whether it stays, its table, and TradingView's chart. */
export function ChartMenu(props: ChartMenuProps & { readonly onClose: () => void }) {
  const { choice, isTable, onTable, onTradingView, onClose } = props
  return (
    <Sheet isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={marketTexts.menu}>
      <SegmentedControl label={marketTexts.view} value={choice.view} onChange={choice.choose} options={views} />
      <Switch label={marketTexts.pin} isOn={choice.isPinned} onChange={choice.togglePin} />
      <Switch label={marketTexts.showTable} isOn={isTable} onChange={onTable} />
      <Button
        variant="outline"
        onClick={() => {
          onTradingView()
          onClose()
        }}
      >
        {marketTexts.showTradingView}
      </Button>
    </Sheet>
  )
}
