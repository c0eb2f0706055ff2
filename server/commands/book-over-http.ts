import { setTimeout as sleep } from 'node:timers/promises'
import type { BookAnswer } from '#domain/book/book-source.ts'
import { ANSWERED_MS, patientGet } from '#domain/book/patient-get.ts'

/** Thrown when a host gives no answer. The message is one line for the person who named the host. */
export class HostAwayError extends Error {
  override readonly name = 'HostAwayError'
}

/** Returns a function that reads a log from a host such as `https://example.com` (docs/open-book.md §1). */
export function bookOverHttp(base: string): (path: string) => Promise<BookAnswer> {
  const get = patientGet({
    send: (path) => fetch(`${base}${path}`, { signal: AbortSignal.timeout(ANSWERED_MS) }),
    wait: (ms) => sleep(ms),
  })
  return (path) =>
    get(path).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error
      throw new HostAwayError(`${base} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
}
