import type { BookAnswer } from '#domain/book/book-source.ts'
import { ANSWERED_MS, patientGet } from '#domain/book/patient-get.ts'
import { pause } from './pause.ts'

/** Returns a worker's GET for pages of the open book. An abort of `signal` rejects pending calls at once. */
export function bookGet(signal: AbortSignal): (path: string) => Promise<BookAnswer> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  stopped.catch(() => undefined)
  const get = patientGet({
    send: (path) => fetch(path, { signal: AbortSignal.timeout(ANSWERED_MS) }),
    // After the abort there is no retry any more.
    wait: async (ms) => {
      await pause(ms)
      signal.throwIfAborted()
    },
  })
  // AbortSignal.any would do the same, but Safari supports it only since 17.4.
  return (path) => Promise.race([get(path), stopped])
}
