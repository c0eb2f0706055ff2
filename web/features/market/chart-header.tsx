import { ChartCandlestick, ChartSpline, type LucideIcon, Pin, Table } from 'lucide-react'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { marketTexts } from './market-texts.ts'
import type { ChartViewChoice } from './use-chart-view.ts'

export type ChartHeaderProps = {
  readonly choice: ChartViewChoice
  readonly isTable: boolean
  readonly onTable: () => void
  readonly onTradingView: () => void
}

const views = (['round', '1m', '60m'] as const).map((value) => ({ value, label: marketTexts.views[value] }))

/** Above the chart: its views and their pin, the way to the table, and the way to TradingView. */
export function ChartHeader({ choice, isTable, onTable, onTradingView }: ChartHeaderProps) {
  const { view, isPinned, choose, togglePin } = choice
  return (
    <div className="flex shrink-0 items-center px-1.5 py-1.5 low:py-0.5">
      <SegmentedControl
        label={marketTexts.view}
        isLabelHidden
        value={view}
        onChange={choose}
        options={views}
        look="slim"
      />
      <Toggle
        icon={Pin}
        isPressed={isPinned}
        label={marketTexts.pin}
        title={isPinned ? marketTexts.unpin : marketTexts.pin}
        onClick={togglePin}
      />
      <span className="flex-1" />
      <Toggle
        icon={isTable ? ChartCandlestick : Table}
        isPressed={isTable}
        label={marketTexts.showTable}
        title={isTable ? marketTexts.showChart : marketTexts.showTable}
        onClick={onTable}
      />
      <Toggle
        icon={ChartSpline}
        label={marketTexts.showTradingView}
        title={marketTexts.showTradingView}
        onClick={onTradingView}
      />
    </div>
  )
}

type ToggleProps = {
  readonly icon: LucideIcon
  readonly label: string
  readonly title: string
  readonly isPressed?: boolean
  readonly onClick: () => void
}

/** A small icon whose target reaches over the header's edges. */
function Toggle({ icon: Icon, label, title, isPressed, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
      className="relative grid h-8 w-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors before:absolute before:-inset-x-1 before:-inset-y-1.5 hover:text-ink aria-pressed:text-gold"
    >
      <Icon aria-hidden size={17} strokeWidth={1.8} className={isPressed === true ? 'fill-gold-soft' : undefined} />
    </button>
  )
}
