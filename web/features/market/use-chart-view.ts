import { useState } from 'react'
import { type ChartView, readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'

export type ChartChoice = ReturnType<typeof useChartView>

/** Holds the chosen view of the chart: at first the pinned view, or the round if no view is pinned. */
export function useChartView() {
  const [pin, setPin] = useState(readChartViewPin)
  const [view, setView] = useState<ChartView>(pin ?? 'round')
  const [isTable, setIsTable] = useState(false)
  const [isTradingView, setIsTradingView] = useState(false)
  const isPinned = pin === view
  return {
    view,
    isPinned,
    choose: (next: ChartView) => {
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
