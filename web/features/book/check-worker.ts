import { bookGet } from '#web/platform/book-get.ts'
import type { FromWorker, ToWorker } from './check-messages.ts'
import { runCheck } from './run-check.ts'

/** The check runs in a worker, because hashing thousands of entries would freeze the page on a phone. */

const stopping = new AbortController()

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data === 'stop') stopping.abort()
  else
    void runCheck(data.start, {
      get: bookGet(stopping.signal),
      known: data.known,
      signal: stopping.signal,
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's page needs no origin
      tell: (message: FromWorker) => globalThis.postMessage(message),
    })
})
