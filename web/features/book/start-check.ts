import { readKeptLogs } from '#web/platform/book-notes.ts'
import type { CheckRequest, FromWorker, ToWorker } from './check-messages.ts'

/** Starts a worker that runs the check. The worker is terminated after its report or failure. */
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
  // This event fires if the worker's code can't be loaded.
  worker.addEventListener('error', () => {
    if (isOver) return
    tell({ failure: 'host' })
    end()
  })
  void readKeptLogs().then((known) => isOver || send({ start: request, known }))
  return {
    /** Stops the check, which still sends a report. */
    stop: () => send('stop'),
    end,
  }
}
