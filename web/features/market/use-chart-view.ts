import { useState } from 'react'
import { type ChartView, readChartViewPin, writeChartViewPin } from '#web/platform/storage.ts'

export type ChartChoice = {
  readonly view: ChartView
  readonly isPinned: boolean
  readonly choose: (view: ChartView) => void
  /** Pins the shown view, or unpins it. */
  readonly togglePin: () => void
  readonly isTable: boolean
  readonly setIsTable: (isTable: boolean) => void
  readonly isTradingView: boolean
  readonly setIsTradingView: (isTradingView: boolean) => void
}

/** Shows the pinned view, or else the round, until the player chooses another one. */
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
