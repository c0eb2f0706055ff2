import { queryOptions } from '@tanstack/react-query'
import { type BetTicks, gameEndpoints, type OwnBetsSummary } from '#contract/game.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { betsKey, betsPerPage, type BetsPage, type GameBet } from './api.ts'

/** The filters of the bet list; null means any. Days are days in Vietnam; both ends are included. */
export type BetsFilter = {
  readonly type: RoundType | null
  readonly status: BetStatus | null
  /** `2026-11-20`. */
  readonly fromDay: string | null
  readonly toDay: string | null
}

export const everyBet: BetsFilter = { type: null, status: null, fromDay: null, toDay: null }

const dayMs = 86_400_000

/** Midnight in Vietnam at the start of a day such as `2026-11-20`; null for an invalid day. */
export function dayStartMs(day: string | null): number | null {
  const atMs = day === null ? Number.NaN : Date.parse(`${day}T00:00:00.000+07:00`)
  return Number.isNaN(atMs) ? null : atMs
}

function periodOf({ type, fromDay, toDay }: BetsFilter) {
  const fromMs = dayStartMs(fromDay)
  const toMs = dayStartMs(toDay)
  return {
    ...(type !== null && { type }),
    ...(fromMs !== null && { from: fromMs }),
    ...(toMs !== null && { to: toMs + dayMs }),
  }
}

/** Own bets that match a filter, newest first. */
export const filteredBetsQuery = (filter: BetsFilter, page: number) =>
  queryOptions({
    queryKey: [...betsKey, 'filtered', filter, page],
    queryFn: async ({ signal }): Promise<BetsPage> => {
      const { status } = filter
      const query = { ...periodOf(filter), ...(status !== null && { status }), page, limit: betsPerPage }
      const { rows, meta } = await callEndpoint(gameEndpoints.listOwnBets, { query, signal })
      return { bets: rows.map(withoutServerTime), total: meta.total, hasMore: meta.hasMore }
    },
  })

/** The totals of a type and period, for bets of every status. */
export const betsSummaryQuery = (filter: BetsFilter) =>
  queryOptions({
    queryKey: [...betsKey, 'summary', { ...filter, status: null }],
    queryFn: ({ signal }): Promise<OwnBetsSummary> =>
      callEndpoint(gameEndpoints.sumOwnBets, { query: periodOf(filter), signal }),
  })

/** One own bet; null for an unknown id. */
export const oneBetQuery = (betId: string) =>
  queryOptions({
    queryKey: [...betsKey, 'one', betId],
    queryFn: async ({ signal }): Promise<GameBet | null> => {
      const { rows } = await callEndpoint(gameEndpoints.listOwnBets, { query: { ids: [betId] }, signal })
      return rows.map(withoutServerTime)[0] ?? null
    },
  })

/** The prices around an own bet, second by second. */
export const betTicksQuery = (betId: string) =>
  queryOptions({
    queryKey: [...betsKey, 'ticks', betId],
    queryFn: ({ signal }): Promise<BetTicks> =>
      callEndpoint(gameEndpoints.listBetTicks, { params: { id: betId }, signal }),
  })

const withoutServerTime = <T extends { serverTimeMs?: number }>({ serverTimeMs: _, ...bet }: T) => bet
