export interface Turns {
  /** Runs the work in its turn. Returns null without running it if too many works of the key wait. */
  run<T>(key: string, work: () => Promise<T> | T): Promise<T> | null
  isBusy(key: string): boolean
  isFull(key: string): boolean
}

interface Line {
  running: number
  readonly waiting: Array<() => void>
}

/**
 * Gives each key turns of its own: up to `atOnce` works of a key run together, and up to `waiting` more wait in the
 * order of arrival. Unlike in fair-queue.ts, no key waits for another key.
 */
export function createTurns(atOnce: number, waiting: number): Turns {
  const lines = new Map<string, Line>()

  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift()
    // The free place goes directly to the next waiting work, so that no new work can overtake it.
    if (next !== undefined) next()
    else if (--line.running === 0) lines.delete(key)
  }

  return {
    isBusy: (key) => (lines.get(key)?.running ?? 0) >= atOnce,
    isFull: (key) => (lines.get(key)?.waiting.length ?? 0) >= waiting,
    run(key, work) {
      let line = lines.get(key)
      if (line === undefined) lines.set(key, (line = { running: 0, waiting: [] }))
      const own = line
      const start = async () => {
        try {
          return await work()
        } finally {
          leave(key, own)
        }
      }
      if (own.running < atOnce) {
        own.running++
        return start()
      }
      if (own.waiting.length >= waiting) return null
      return new Promise<void>((resolve) => own.waiting.push(resolve)).then(start)
    },
  }
}
