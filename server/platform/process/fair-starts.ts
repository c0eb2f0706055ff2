const BEGUN_PER_TURN = 8

/**
 * Returns a function that calls `begin` at once, but at most `perTurn` times in a turn of the event loop. Further calls
 * wait for later turns, so that a settlement does not wait for all of them. Among waiting calls, the keys take turns,
 * with one call each.
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
