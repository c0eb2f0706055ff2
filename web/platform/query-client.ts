import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError, isRetryable } from './http.ts'

const maxRetries = 2
const firstRetryMs = 1_000
const longestRetryMs = 10_000

/** `failures` is the number of failures before this one, as TanStack Query counts. */
export function shouldRetryQuery(failures: number, error: unknown): boolean {
  return failures < maxRetries && isRetryable(error)
}

export function retryDelayMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  return Math.min(asked ?? firstRetryMs * 2 ** failures, longestRetryMs)
}

/** TanStack Query's waiting notifications to React. One task runs them all, so that React renders them together. */
const notifications: (() => void)[] = []
notifyManager.setScheduler((notify) => {
  if (notifications.push(notify) > 1) return
  setTimeout(() => {
    for (const next of notifications.splice(0)) next()
  })
})

/** Send calls even if the browser reports no network: the report may be wrong (rules §6.7). */
const networkMode = 'always'

/** Mutations are not retried, because a repeated POST could move points twice. */
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

/** Meta of a query that the socket's first connection does not refetch, because no server event covers its data. */
export const untoldByEvents = { isUntoldByEvents: true } as const

/** Meta of a query whose answers last-known.ts does not keep on the device. */
export const notKept = { isNotKept: true } as const
