import { useState } from 'react'
import { type ChartView, readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'

export type ChartChoice = {
  readonly view: ChartView
  /** Whether the shown view is the one that the player pinned. */
  readonly isPinned: boolean
  readonly choose: (view: ChartView) => void
  /** Pins the shown view, or lets go of it. */
  readonly togglePin: () => void
  /** Whether the view is written as a table. */
  readonly isTable: boolean
  readonly setIsTable: (isTable: boolean) => void
  /** Whether TradingView's chart stands in place of ours, until a view is chosen. */
  readonly isTradingView: boolean
  readonly setIsTradingView: (isTradingView: boolean) => void
}

/** Which of its three views the chart shows: the pinned one, else the round, until the player looks at another one. */
export function useChartView(): ChartChoice {
  const [pin, setPin] = useState(readChartViewPin)
  const [view, setView] = useState<ChartView>(pin ?? 'round')
  const [isTable, setIsTable] = useState(false)
  const [isTradingView, setIsTradingView] = useState(false)
  const isPinned = pin === view
  return {
    view,
    isPinned,
    choose: (next) => {
      setView(next)
      setIsTradingView(false)
    },
    togglePin: () => {
      const next = isPinned ? null : view
      writeChartViewPin(next)
      setPin(next)
    },
    isTable,
    setIsTable,
    isTradingView,
    setIsTradingView,
  }
}
