import { useState } from 'react'
import { type ChartView, readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'

export type ChartViewChoice = {
  readonly view: ChartView
  /** Whether the shown view is the one that the player pinned. */
  readonly isPinned: boolean
  readonly choose: (view: ChartView) => void
  /** Pins the shown view, or lets go of it. */
  readonly togglePin: () => void
}

/** The state of the chart's menu, and its changes. */
export type ChartMenuProps = {
  readonly choice: ChartViewChoice
  readonly isTable: boolean
  readonly onTable: (isTable: boolean) => void
  readonly onTradingView: () => void
}

/** Which of its three views the chart shows: the pinned one, else the round, until the player looks at another one. */
export function useChartView(): ChartViewChoice {
  const [pin, setPin] = useState(readChartViewPin)
  const [view, choose] = useState<ChartView>(pin ?? 'round')
  const isPinned = pin === view
  return {
    view,
    isPinned,
    choose,
    togglePin: () => {
      const next = isPinned ? null : view
      writeChartViewPin(next)
      setPin(next)
    },
  }
}
