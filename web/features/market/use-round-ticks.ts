import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { recordedTicks } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onConnectionChanged } from '#web/platform/socket.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { ticksQuery } from './api.ts'
import { type ChartRound, hasHole, type RoundTick, ticksOf } from './live-round.ts'

/**
 * The least time between two requests. The second request may follow after `askSoonMs`, because the ticks between the
 * first answer and the socket's first tick may be missing.
 */
const askAgainMs = 5_000
const askSoonMs = 2_000

const unasked = { count: 0, atMs: Number.NEGATIVE_INFINITY }

const none: readonly RoundTick[] = []

/** Fetches the round's ticks if some are missing, for example because the page was opened during the round. */
export function useMissedTicks(round: ChartRound): readonly RoundTick[] {
  const { data = none, refetch } = useQuery(ticksQuery(round.source, round.opensAtMs, round.closesAtMs))
  const asked = useRef(unasked)
  useEffect(() => onConnectionChanged(() => void (asked.current = unasked)), [])
  useEffect(() => {
    const look = (nowMs: number) => {
      const { count, atMs } = asked.current
      if (
        nowMs - atMs < (count === 1 ? askSoonMs : askAgainMs) ||
        !hasHole(round, ticksOf(round, data, recordedTicks(round.source)), nowMs)
      )
        return
      asked.current = { count: count + 1, atMs: nowMs }
      // While a slow answer is awaited, no second request is sent.
      void refetch({ cancelRefetch: false })
    }
    look(serverNowMs())
    return onEachSecond(look)
  }, [round, data, refetch])
  return data
}
