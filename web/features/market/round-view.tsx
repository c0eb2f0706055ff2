import { useEffect, useRef } from 'react'
import type { ChartBet, ChartRound, RoundTick } from './live-round.ts'
import { createRoundDrawing, type RoundDrawing } from './round-drawing.ts'
import { RoundStatus } from './round-status.tsx'
import { RoundTable } from './round-table.tsx'
import { useMissedTicks } from './use-round-ticks.ts'

export type RoundViewProps = {
  readonly round: ChartRound
  readonly bet: ChartBet | null
  readonly isTable: boolean
}

/** The chart's view "Phiên": the running round second by second, as a line or as a table. */
export function RoundView({ round, bet, isTable }: RoundViewProps) {
  const fetched = useMissedTicks(round)
  return (
    <div className="flex h-full flex-col">
      <RoundStatus round={round} bet={bet} fetched={fetched} />
      <div className="min-h-0 flex-1">
        {isTable ? (
          <RoundTable round={round} bet={bet} fetched={fetched} />
        ) : (
          <RoundLine round={round} bet={bet} fetched={fetched} />
        )}
      </div>
    </div>
  )
}

type RoundLineProps = {
  readonly round: ChartRound
  readonly bet: ChartBet | null
  readonly fetched: readonly RoundTick[]
}

function RoundLine({ round, bet, fetched }: RoundLineProps) {
  const hostRef = useRef<HTMLDivElement>(null)
  const drawingRef = useRef<RoundDrawing>(undefined)
  useEffect(() => {
    if (hostRef.current === null) return
    const drawing = createRoundDrawing(hostRef.current)
    drawingRef.current = drawing
    return () => {
      drawingRef.current = undefined
      drawing.remove()
    }
  }, [])
  useEffect(() => drawingRef.current?.show({ round, bet, fetched }), [round, bet, fetched])
  return <div ref={hostRef} className="size-full" />
}
