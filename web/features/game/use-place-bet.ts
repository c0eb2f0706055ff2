import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { failureText, newIdempotencyKey, ApiError } from '#web/platform/http.ts'
import { pause } from '#web/platform/pause.ts'
import { isRetryable, queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { gameTexts } from './game-texts.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  betsKey,
  betsPerPage,
  betsQuery,
  type BetOrder,
  configQuery,
  currentRoundKey,
  type GameBet,
  placeBet,
} from './api.ts'
import { refreshGame } from './use-game.ts'

export type PlaceBet = {
  readonly send: (order: BetOrder) => void
  readonly isSending: boolean
  /** The last order's failure, until the next one is sent. */
  readonly failure: string | null
  readonly clearFailure: () => void
  /** What decides has changed, and what is on screen is not yet the new state (rules §1.2). */
  readonly isDisclosureStale: boolean
}

/** Sends bets: one Idempotency-Key for one intent, however often it is tried (rules §3). */
export function usePlaceBet(userId: string): PlaceBet {
  // An order that may have arrived although no answer came. The same order again carries the same key.
  const unanswered = useRef<{ readonly order: string; readonly key: string }>(undefined)
  const [isDisclosureStale, setIsDisclosureStale] = useState(false)

  const mutation = useMutation({
    mutationFn: (order: BetOrder) => {
      const text = JSON.stringify([order.roundId, String(order.stakeMinor), order.direction, order.seenBasis])
      const key = unanswered.current?.order === text ? unanswered.current.key : newIdempotencyKey()
      unanswered.current = { order: text, key }
      return placeBet(userId, order, key)
    },
    onSuccess: (bet) => {
      unanswered.current = undefined
      toast.success(gameTexts.betPlaced)
      addToLatest(bet)
      void queryClient.invalidateQueries({ queryKey: betsKey })
      void queryClient.invalidateQueries({ queryKey: sharedKeys.config })
    },
    onError: (error) => {
      if (!isRetryable(error)) unanswered.current = undefined
      if (error instanceof ApiError && error.code === 'DISCLOSURE_CHANGED') void showDisclosure()
      else void refreshGame()
    },
  })

  /** Nothing can be sent again before what decides has been loaded, and thereby shown. */
  const showDisclosure = async () => {
    setIsDisclosureStale(true)
    const seenAtMs = deviceNowMs()
    const isLoaded = () =>
      [configQuery.queryKey, currentRoundKey.all].every((queryKey) =>
        queryClient
          .getQueryCache()
          .findAll({ queryKey, type: 'active' })
          .every((query) => query.state.dataUpdatedAt >= seenAtMs),
      )
    while (!isLoaded()) {
      await Promise.all([askAgain(sharedKeys.config), askAgain(currentRoundKey.all)])
      if (!isLoaded()) await pause(1_000)
    }
    setIsDisclosureStale(false)
  }

  return {
    send: mutation.mutate,
    isSending: mutation.isPending,
    failure: mutation.error === null ? null : betFailure(mutation.error),
    clearFailure: mutation.reset,
    isDisclosureStale,
  }
}

const askAgain = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey })

/** Spec §8: the rule that refused, else one sentence for everything. */
const betFailure = (error: Error): string =>
  error instanceof ApiError && error.status >= 400 && error.status < 500
    ? failureText(error, gameTexts.betFailed)
    : gameTexts.betFailed

/** The bet is on screen before the list is asked for again, so that the buttons close at once. */
function addToLatest(bet: GameBet): void {
  queryClient.setQueryData(betsQuery(1).queryKey, (page) =>
    page === undefined || page.bets.some((one) => one.id === bet.id)
      ? page
      : { ...page, bets: [bet, ...page.bets].slice(0, betsPerPage), total: page.total + 1 },
  )
}
