import type { BookAnswer } from '#domain/book/book-source.ts'
import { ANSWERED_MS, patientGet } from '#domain/book/patient-get.ts'
import { pause } from './pause.ts'

/** Returns a function that fetches pages of the open book and retries. An abort rejects pending calls at once. */
export function bookGet(signal: AbortSignal): (path: string) => Promise<BookAnswer> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  stopped.catch(() => undefined)
  const get = patientGet({
    send: (path) => fetch(path, { signal: AbortSignal.timeout(ANSWERED_MS) }),
    // Throws after an abort, so that `patientGet` does not retry.
    wait: async (ms) => {
      await pause(ms)
      signal.throwIfAborted()
    },
  })
  // `AbortSignal.any` could pass the abort on to fetch, but is missing in Safari before 17.4.
  return (path) => Promise.race([get(path), stopped])
}
