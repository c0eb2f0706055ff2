import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './http.ts'

/** More retries would only show a skeleton for longer while the server is down. */
const maxRetries = 2
const firstRetryMs = 1_000
const longestRetryMs = 10_000

/** Returns true for no response, a 408 or a 5xx (spec §7). */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 408 || (error.status >= 500 && error.status <= 599)
}

/** Decides whether to retry a query. TanStack Query counts the failures from 0. */
export function shouldRetryQuery(failures: number, error: unknown): boolean {
  return failures < maxRetries && isRetryable(error)
}

export function retryDelayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  return Math.min(asked ?? firstRetryMs * 2 ** failures, longestRetryMs)
}

/** Notifications of answers that arrived together. One task runs them all, so that React renders once. */
const notifications: (() => void)[] = []
notifyManager.setScheduler((notify) => {
  if (notifications.push(notify) > 1) return
  setTimeout(() => {
    for (const next of notifications.splice(0)) next()
  })
})

/** Send calls even if the browser reports no network: it may be wrong, and a call without a network fails anyway. */
const networkMode = 'always'

/**
 * The page's only cache of server state. It never retries mutations, because a repeated POST could move points twice:
 * code that repeats such a POST sends the same Idempotency-Key (rules §3).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      retry: shouldRetryQuery,
      retryDelay: retryDelayMs,
      staleTime: 5_000,
    },
    mutations: { networkMode, retry: false },
  },
})

/** Refetches queries whose keys start with one of `keys`: those on screen now, the others when shown again. */
export const refresh = (...keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** The meta of a query for which the server sends no events: the first connection of the socket does not refetch it. */
export const untoldByEvents = { isUntoldByEvents: true } as const

/** The meta of a query about a single bet or a filter: there are too many answers to keep on the device (last-known.ts). */
export const notKept = { isNotKept: true } as const
