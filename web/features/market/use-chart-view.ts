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

/**
 * Which of its three views the chart shows: without a pin, the round while a bet is held, else hours. The player may
 * look at another one; that choice lasts until a bet begins or ends. A pinned view stays.
 */
export function useChartView(holdsBet: boolean): ChartViewChoice {
  const [pin, setPin] = useState(readChartViewPin)
  const [chosen, setChosen] = useState<ChartView | null>(null)
  const [heldBet, setHeldBet] = useState(holdsBet)
  if (heldBet !== holdsBet) {
    setHeldBet(holdsBet)
    setChosen(null)
  }
  const view = viewOf(chosen, pin, holdsBet)
  const isPinned = pin === view
  return {
    view,
    isPinned,
    choose: setChosen,
    togglePin: () => {
      const next = isPinned ? null : view
      writeChartViewPin(next)
      setPin(next)
      // The view that was let go of stays in sight until a bet begins or ends.
      setChosen(view)
    },
  }
}

/** The shown view. */
export const viewOf = (chosen: ChartView | null, pin: ChartView | null, holdsBet: boolean): ChartView =>
  chosen ?? pin ?? (holdsBet ? 'round' : '60m')
