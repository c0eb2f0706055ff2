import { isConnectionLost } from './transaction.ts'

export interface BatchOptions<Call, Answer> {
  /**
   * Returns an answer for each call, in the same order, or throws. After an error, the halves of a batch are run one
   * after the other, to find the call that fails. A single call, or a batch that lost its connection, is retried up to
   * `retries` times.
   */
  readonly run: (calls: readonly Call[], isRetry: boolean) => Promise<Answer[]>
  /** Calls with the same key never share a batch and never run at the same time. */
  readonly keyOf: (call: Call) => unknown
  readonly maxSize: number
  /**
   * If this many calls wait while one batch is in flight, a second batch starts, so that this process prepares one
   * batch while the database works on another. Infinity allows only one batch at a time.
   */
  readonly secondLaneFrom: number
  readonly retries: number
  /** A batch that fails later than this after its start is neither halved nor retried. */
  readonly giveUpAfterMs: number
}

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly key: unknown
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Batches calls without a timer: calls that arrive while a batch is in flight wait for a later batch. */
export function createBatcher<Call, Answer>(options: BatchOptions<Call, Answer>): (call: Call) => Promise<Answer> {
  let queue: Array<Waiting<Call, Answer>> = []
  const busyKeys = new Set<unknown>()
  let inFlight = 0

  const take = (size: number): Array<Waiting<Call, Answer>> => {
    const batch: Array<Waiting<Call, Answer>> = []
    const rest: Array<Waiting<Call, Answer>> = []
    for (const waiting of queue) {
      if (batch.length < size && !busyKeys.has(waiting.key)) {
        busyKeys.add(waiting.key)
        batch.push(waiting)
      } else rest.push(waiting)
    }
    queue = rest
    return batch
  }

  const attempt = async (
    batch: ReadonlyArray<Waiting<Call, Answer>>,
    startedAtMs: number,
    isRetry: boolean,
    retriesLeft: number,
  ): Promise<void> => {
    try {
      const calls = batch.map(({ call }) => call)
      const answers = await options.run(calls, isRetry)
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      const isOver = performance.now() - startedAtMs >= options.giveUpAfterMs
      const isWhole = batch.length === 1 || isConnectionLost(error)
      if (isOver || (isWhole && retriesLeft === 0)) for (const { reject } of batch) reject(error)
      else if (isWhole) await attempt(batch, startedAtMs, true, retriesLeft - 1)
      else {
        const half = batch.length >> 1
        await attempt(batch.slice(0, half), startedAtMs, true, retriesLeft)
        await attempt(batch.slice(half), startedAtMs, true, retriesLeft)
      }
    }
  }

  const pump = (): void => {
    while (queue.length > 0 && (inFlight === 0 || (inFlight === 1 && queue.length >= options.secondLaneFrom))) {
      const isShared = inFlight === 0 && queue.length >= 2 * options.secondLaneFrom
      const batch = take(Math.min(options.maxSize, isShared ? Math.ceil(queue.length / 2) : queue.length))
      if (batch.length === 0) return
      inFlight++
      void attempt(batch, performance.now(), false, options.retries).finally(() => {
        inFlight--
        for (const { key } of batch) busyKeys.delete(key)
        pump()
      })
    }
  }

  let isScheduled = false
  return (call) =>
    new Promise((resolve, reject) => {
      queue.push({ call, key: options.keyOf(call), resolve, reject })
      if (isScheduled) return
      isScheduled = true
      // Waits for the end of this turn of the event loop, so that all calls that are made in it can share a batch.
      setImmediate(() => {
        isScheduled = false
        pump()
      })
    })
}
