import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './http.ts'

/** More retries would only hide a dead server behind a skeleton. */
const maxRetries = 2
const firstRetryMs = 1_000
const longestRetryMs = 10_000

/** No response, a 408 or a 5xx (spec §7). */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 408 || (error.status >= 500 && error.status <= 599)
}

/** TanStack Query counts the failures from 0. */
export function shouldRetryQuery(failures: number, error: unknown): boolean {
  return failures < maxRetries && isRetryable(error)
}

export function retryDelayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  return Math.min(asked ?? firstRetryMs * 2 ** failures, longestRetryMs)
}

/** Notifications of answers that arrive together run in one task, so that React renders them once. */
const notifications: (() => void)[] = []
notifyManager.setScheduler((notify) => {
  if (notifications.push(notify) > 1) return
  setTimeout(() => {
    for (const next of notifications.splice(0)) next()
  })
})

/**
 * Also while the browser believes that there is no network: it may be wrong, and a call that fails says so by itself.
 */
const networkMode = 'always'

/**
 * The page's only cache of server state. Mutations are never retried automatically: only a money POST's own code
 * repeats it, with its Idempotency-Key (rules §3).
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

/** Refetches the queries on screen now, the others when they are shown again. */
export const refresh = (...keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/** The meta of a query for which the server sends no events. */
export const untoldByEvents = { isUntoldByEvents: true } as const

/** The meta of a query about one of many things: the device does not keep its answer (last-known.ts). */
export const notKept = { isNotKept: true } as const
