const BEGUN_PER_TURN = 8

/**
 * Starts works immediately while there are few. When many arrive together, the keys take turns with one work each, and
 * the event loop goes on after every `perTurn` works, so that a settlement does not wait for all of them. Works are
 * counted and not timed, because most of a request runs after its `begin` has returned, but before the next event.
 */
export function createFairStarts(perTurn: number = BEGUN_PER_TURN): (key: string, begin: () => void) => void {
  const waiting = new Map<string, Array<() => void>>()
  let begun = 0
  let isScheduled = false

  const nextTurn = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      begun = 0
      for (const [key, begins] of waiting) {
        if (begun >= perTurn) break
        begun += 1
        waiting.delete(key)
        const begin = begins.shift()
        if (begins.length > 0) waiting.set(key, begins)
        begin?.()
      }
      if (waiting.size > 0) nextTurn()
    })
  }

  return (key, begin) => {
    nextTurn()
    if (waiting.size === 0 && begun < perTurn) {
      begun += 1
      return begin()
    }
    const begins = waiting.get(key)
    if (begins === undefined) waiting.set(key, [begin])
    else begins.push(begin)
  }
}
