import type { SealAnswer, SealJob } from './seal-jobs.ts'

/** Gives jobs to seal-worker.ts. The worker is terminated `idleMs` after its last answer, unless a job is waiting. */

const idleMs = 60_000

let worker: Worker | undefined
let lastId = 0
let idle: ReturnType<typeof setTimeout> | undefined
const waiting = new Map<number, (answer: SealAnswer) => void>()

function end(): void {
  worker?.terminate()
  worker = undefined
  for (const answer of waiting.values()) answer({ is: 'away' })
  waiting.clear()
}

function start(): Worker {
  const started = new Worker(new URL('seal-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener(
    'message',
    ({ data }: MessageEvent<{ readonly id: number; readonly answer: SealAnswer }>) => {
      waiting.get(data.id)?.(data.answer)
      waiting.delete(data.id)
      clearTimeout(idle)
      idle = setTimeout(() => waiting.size === 0 && end(), idleMs)
    },
  )
  // This event fires if the worker's code can't be loaded. The next job starts a new worker.
  started.addEventListener('error', end)
  return started
}

/** Gives the worker a job. Resolves with `away` if the worker could not do it. */
export function askWorker(job: SealJob): Promise<SealAnswer> {
  worker ??= start()
  const id = ++lastId
  const answer = new Promise<SealAnswer>((resolve) => waiting.set(id, resolve))
  worker.postMessage({ id, job }, { transfer: [] })
  return answer
}
