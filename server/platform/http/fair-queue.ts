export const QUEUE_FULL = Symbol('queue full')

export interface FairQueueOptions {
  readonly concurrent: number
  readonly keyMax?: number
  readonly max?: number
}

export interface FairQueue {
  /**
   * Runs the work in its turn. Resolves with QUEUE_FULL when there is no room, or when the work gives way to a key with
   * a lower total cost. Rejects with the reason of `signal` if `signal` aborts before the work began.
   * @param work its signal aborts when nobody waits for the result any more
   */
  run<T>(
    key: string,
    cost: number,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | typeof QUEUE_FULL>
}

interface Job {
  readonly key: string
  readonly cost: number
  /**
   * The job with the lowest `turn` is started next. A job's `turn` is its `cost` plus the higher of two numbers:
   * the last `turn` of its key, and the highest `turn` of all started jobs.
   */
  readonly turn: number
  readonly start: () => void
  readonly giveWay: () => void
}

/**
 * Makes a queue by self-clocked fair queueing, weighted by cost: a small work does not wait for many works of another
 * key. If the queue is full, the newest work of the key with the highest total cost gives way to a key with a lower
 * total. All keys share the places of this queue; in turns.ts, each key has its own.
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createFairQueue({
  concurrent,
  keyMax = Number.POSITIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
}: FairQueueOptions): FairQueue {
  const waiting = new Set<Job>()
  const running = new Set<Job>()
  const keys = new Map<string, { works: number; cost: number; turn: number }>()
  let total = 0
  /** Counts running works, also those whose result nobody waits for any more. */
  let busy = 0
  let served = 0

  const costOf = (key: string): number => keys.get(key)?.cost ?? 0

  function leave(job: Job): void {
    if (!waiting.delete(job) && !running.delete(job)) return
    total -= job.cost
    const left = keys.get(job.key)
    if (left === undefined) return
    left.works -= 1
    left.cost -= job.cost
    if (left.works === 0) keys.delete(job.key)
  }

  function makeRoom(key: string, cost: number): boolean {
    if (costOf(key) + cost > keyMax) return false
    while (total + cost > max) {
      const [most] = [...keys].toSorted(([, a], [, b]) => b.cost - a.cost)
      if (most === undefined || most[1].cost <= costOf(key) + cost) return false
      ;[...running, ...waiting].findLast((job) => job.key === most[0])?.giveWay()
    }
    return true
  }

  function next(): void {
    while (busy < concurrent) {
      let first: Job | undefined
      for (const job of waiting) if (first === undefined || job.turn < first.turn) first = job
      if (first === undefined) return
      waiting.delete(first)
      running.add(first)
      busy += 1
      served = Math.max(served, first.turn)
      first.start()
    }
  }

  return {
    run: (key, cost, work, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(reasonOf(signal))
        if (!makeRoom(key, cost)) return resolve(QUEUE_FULL)
        const controller = new AbortController()
        const before = keys.get(key) ?? { works: 0, cost: 0, turn: 0 }
        const job: Job = {
          key,
          cost,
          turn: Math.max(served, before.turn) + cost,
          start: () => {
            void work(controller.signal)
              .then(resolve, reject)
              .finally(() => {
                signal?.removeEventListener('abort', goAway)
                leave(job)
                busy -= 1
                next()
              })
          },
          giveWay: () => {
            resolve(QUEUE_FULL)
            controller.abort()
            leave(job)
          },
        }
        function goAway(): void {
          if (waiting.has(job)) {
            leave(job)
            reject(reasonOf(signal))
          }
          controller.abort(signal?.reason)
        }
        signal?.addEventListener('abort', goAway, { once: true })
        waiting.add(job)
        total += cost
        keys.set(key, { works: before.works + 1, cost: before.cost + cost, turn: job.turn })
        next()
      }),
  }
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error('Nobody waits for it any more')
