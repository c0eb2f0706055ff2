import { readKeptLogs } from '#web/platform/book-notes.ts'
import type { CheckRequest, FromWorker, ToWorker } from './check-messages.ts'

export type RunningCheck = {
  /** Ends without what is being read; the faults found until then are reported. */
  readonly stop: () => void
  /** Ends at once, and reports nothing more. */
  readonly end: () => void
}

/** Starts a worker for one check. Its messages come until its report or its failure. */
export function startCheck(request: CheckRequest, tell: (message: FromWorker) => void): RunningCheck {
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
  return { stop: () => send('stop'), end }
}
