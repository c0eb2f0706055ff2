import type { FromWorker, ToWorker } from './check-messages.ts'
import { runCheck } from './run-check.ts'

/** The worker of a check: hashing thousands of lines would stop a phone's screen. */

const signal = { aborted: false }

const get = async (path: string) => {
  const response = await fetch(path)
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data === 'stop') signal.aborted = true
  else
    void runCheck(data.start, {
      get,
      known: data.known,
      signal,
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's page needs no origin
      tell: (message: FromWorker) => globalThis.postMessage(message),
    })
})
