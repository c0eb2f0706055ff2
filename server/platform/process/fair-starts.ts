/** Requests are begun for this many ms per turn of the event loop; then answers of the database are handled. */
const BUDGET_MS = 2

/**
 * Begins works, all at once while there are few. When many arrive together, the works of one key begin one after the
 * other, keys take turns, and the event loop runs other events after every few ms: a crowd of requests delays a
 * statement of a settlement by those ms, and not by the whole crowd.
 */
export function createFairStarts(budgetMs: number = BUDGET_MS): (key: string, begin: () => void) => void {
  /** Keys in the order of their next turn: a key that just had one goes last. */
  const waiting = new Map<string, Array<() => void>>()
  let spentMs = 0
  let isScheduled = false

  const run = (begin: () => void): void => {
    const startedAt = performance.now()
    try {
      begin()
    } finally {
      spentMs += performance.now() - startedAt
    }
  }
  const nextTurn = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      spentMs = 0
      for (const [key, begins] of waiting) {
        if (spentMs >= budgetMs) break
        waiting.delete(key)
        const begin = begins.shift()
        if (begins.length > 0) waiting.set(key, begins)
        if (begin !== undefined) run(begin)
      }
      if (waiting.size > 0) nextTurn()
    })
  }

  return (key, begin) => {
    nextTurn()
    if (waiting.size === 0 && spentMs < budgetMs) return run(begin)
    const begins = waiting.get(key)
    if (begins === undefined) waiting.set(key, [begin])
    else begins.push(begin)
  }
}
