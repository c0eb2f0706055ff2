import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedQuote } from './ticks.ts'

/** Options and callbacks of a reader of a live feed. */
export interface FeedReaderOptions {
  /** The provider's base address, such as https://host/path, without a trailing slash. */
  readonly baseUrl: string
  readonly onQuote: (quote: SignedQuote) => void
  /** Called for input that is no quote. It is skipped, and reading goes on. */
  readonly onGarbage: (reason: string) => void
  /** Called when the provider can't be read. The reader tries again by itself. */
  readonly onFailure: (reason: string) => void
  /** Ends the reading. */
  readonly signal: AbortSignal
}

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 10_000

/** The delay before the next attempt, in ms: doubling, with jitter so that many processes don't reconnect at once. */
export const retryDelayMs = (failures: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)

/** Waits for `ms`, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})
}

/** The reason of an error, in one line for the log; fetch hides it in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
