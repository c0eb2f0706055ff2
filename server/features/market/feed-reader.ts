import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedQuote } from './ticks.ts'

/** What a reader of a live feed is given, and whom it tells. */
export interface FeedReaderOptions {
  /** The provider's base address, such as https://host/path, without a slash at its end. */
  readonly baseUrl: string
  readonly onQuote: (quote: SignedQuote) => void
  /** Something came that is no quote; it is skipped and the reading goes on. */
  readonly onGarbage: (reason: string) => void
  /** The provider can't be read right now; the reader tries again by itself. */
  readonly onFailure: (reason: string) => void
  /** Ends the reading. */
  readonly signal: AbortSignal
}

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 10_000

/** How long to wait before the next try: doubling, with jitter so that many processes don't come back at once. */
export const retryDelayMs = (failures: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)

/** Waits, and answers at once when the reading ends. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})
}

/** What went wrong, in one line for the log; fetch hides the reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
