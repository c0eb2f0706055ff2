import type { BookAnswer } from '#domain/book/book-source.ts'
import { ANSWERED_MS, patientGet } from '#domain/book/patient-get.ts'
import { pause } from './pause.ts'

/** GETs of the open book from this host, for workers. Those under way when the signal is aborted reject at once. */
export function bookGet(signal: AbortSignal): (path: string) => Promise<BookAnswer> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  stopped.catch(() => undefined)
  const get = patientGet({
    send: (path) => fetch(path, { signal: AbortSignal.timeout(ANSWERED_MS) }),
    // Nobody waits any more for a retry after the stop.
    wait: async (ms) => {
      await pause(ms)
      signal.throwIfAborted()
    },
  })
  // AbortSignal.any would be shorter, but Safari has it only since 17.4.
  return (path) => Promise.race([get(path), stopped])
}
