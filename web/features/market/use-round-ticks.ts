import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { recordedTicks } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { ticksQuery } from './api.ts'
import { type ChartRound, hasHole, type RoundTick, ticksOf } from './live-round.ts'

/** The least time between two requests for missed ticks. */
const askAgainMs = 5_000

const none: readonly RoundTick[] = []

/**
 * The ticks of a round that this page missed: because it was opened after the round, or because it had no connection.
 * They are asked for as long as a second of the round is unknown here.
 */
export function useMissedTicks(round: ChartRound): readonly RoundTick[] {
  const { data = none, refetch } = useQuery(ticksQuery(round.source, round.opensAtMs, round.closesAtMs))
  const askedAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const look = (nowMs: number) => {
      if (
        nowMs - askedAtMs.current < askAgainMs ||
        !hasHole(round, ticksOf(round, data, recordedTicks(round.source)), nowMs)
      )
        return
      askedAtMs.current = nowMs
      void refetch()
    }
    look(serverNowMs())
    return onEachSecond(look)
  }, [round, data, refetch])
  return data
}
