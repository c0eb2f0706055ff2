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

/** Waiting notifications of TanStack Query to React. One task runs all of them, so that React renders only once. */
const notifications: (() => void)[] = []
notifyManager.setScheduler((notify) => {
  if (notifications.push(notify) > 1) return
  setTimeout(() => {
    for (const next of notifications.splice(0)) next()
  })
})

/** Send calls even if the browser reports no network: the report may be wrong, and if it is right, the call fails. */
const networkMode = 'always'

/**
 * The page's only cache of server state. Mutations are not retried, because a repeated POST could move points twice.
 * Code that repeats such a POST itself sends the same Idempotency-Key (rules §3).
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

/** Refetches queries whose keys start with one of `keys`: now if they are on screen, otherwise when they are shown. */
export const refresh = (...keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** Meta of a query whose data no server event covers. The socket's first connection does not refetch such a query. */
export const untoldByEvents = { isUntoldByEvents: true } as const

/** Meta of a query about a single bet or a filter. Such queries are too many to keep their answers on the device. */
export const notKept = { isNotKept: true } as const
