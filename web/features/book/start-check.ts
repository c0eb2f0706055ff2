import { readKeptLogs } from '#web/platform/book-notes.ts'
import type { CheckRequest, FromWorker, ToWorker } from './check-messages.ts'

/** Starts a worker, which ends with its report or failure. */
export function startCheck(request: CheckRequest, tell: (message: FromWorker) => void) {
  const worker = new Worker(new URL('check-worker.ts', import.meta.url), { type: 'module' })
  let isOver = false
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  const send = (message: ToWorker) => worker.postMessage(message)
  const end = () => {
    isOver = true
    worker.terminate()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (isOver) return
    tell(data)
    if (!('step' in data)) end()
  })
  // The worker's code could not be loaded.
  worker.addEventListener('error', () => {
    if (isOver) return
    tell({ failure: 'host' })
    end()
  })
  void readKeptLogs().then((known) => isOver || send({ start: request, known }))
  return {
    /** Stops reading; the faults found so far are reported. */
    stop: () => send('stop'),
    end,
  }
}
