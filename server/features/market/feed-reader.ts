import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedQuote } from './ticks.ts'

export interface FeedReaderOptions {
  /** For example https://host/path, without a slash at the end. */
  readonly baseUrl: string
  readonly onQuote: (quote: SignedQuote) => void
  readonly onGarbage: (reason: string) => void
  readonly onFailure: (reason: string) => void
  readonly signal: AbortSignal
}

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 10_000

/** Returns a delay that doubles with each failure, up to 10 s; jitter keeps processes from retrying all at once. */
export const retryDelayMs = (failures: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})
}

/** Returns one line for the log: an error's message, and that of its `cause`, where `fetch` puts the actual reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
