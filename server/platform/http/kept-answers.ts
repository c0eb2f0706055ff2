import { givenUp, whileWaitedFor } from '#server/platform/database/given-up.ts'

interface Kept<T> {
  readonly answer: Promise<T>
  readonly stop: AbortController
  waiting: number
  until: number
  size: number
}

/**
 * Keeps answers that are the same for everybody. Calls with the same key share an answer, also while it is being
 * computed. The computation is given up when no caller waits for it any more.
 * @param sizeOf returns the size of an answer; 0 means that the answer is not kept
 * @param maxSize of all kept answers and keys together; the oldest answers are dropped first
 */
export function createKeptAnswers<T>(sizeOf: (answer: T) => number, keptMs: number, maxSize: number) {
  const kept = new Map<string, Kept<T>>()
  let total = 0

  const drop = (key: string, entry: Kept<T>): void => {
    if (kept.get(key) !== entry) return
    kept.delete(key)
    total -= entry.size
  }

  function begin(key: string, work: () => Promise<T>): Kept<T> {
    const stop = new AbortController()
    const entry: Kept<T> = {
      answer: whileWaitedFor(stop.signal, async () => await work()),
      stop,
      waiting: 0,
      until: Number.POSITIVE_INFINITY,
      size: 0,
    }
    kept.set(key, entry)
    entry.answer.then(
      (answer) => {
        if (kept.get(key) !== entry) return
        entry.until = performance.now() + keptMs
        const size = sizeOf(answer)
        if (size === 0) return drop(key, entry)
        entry.size = size + key.length
        total += entry.size
        for (const [oldest, its] of kept) {
          if (total <= maxSize) break
          if (its.size > 0) drop(oldest, its)
        }
      },
      () => drop(key, entry),
    )
    return entry
  }

  return async (key: string, work: () => Promise<T>): Promise<T> => {
    let entry = kept.get(key)
    if (entry !== undefined && entry.until <= performance.now()) {
      drop(key, entry)
      entry = undefined
    }
    const asked = entry ?? begin(key, work)
    const signal = givenUp()
    const leave = (): void => {
      if (--asked.waiting > 0) return
      drop(key, asked)
      asked.stop.abort(signal?.reason)
    }
    asked.waiting++
    if (asked.until === Number.POSITIVE_INFINITY) signal?.addEventListener('abort', leave, { once: true })
    try {
      return await asked.answer
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}
