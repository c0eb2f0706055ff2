import { MISSED_CONVERSATIONS_MAX } from '#contract/chat.ts'

/**
 * What a body, a query or a socket's payload may hold before any schema looks at it: a schema names every fault it
 * finds, so what it is given must be small. Each bound lies above what any call of the contract takes (rules §6).
 */
const KEYS_MAX = 64
const ITEMS_MAX = MISSED_CONVERSATIONS_MAX
const DEPTH_MAX = 8
/** Of all objects and arrays together. */
const VALUES_MAX = 2_000

/**
 * True when a parsed payload is small enough to be judged by a schema. Takes time in proportion to the bounds and not
 * to the payload, and no stack. Bytes, which only sockets can carry, are never right.
 */
export function isWithinBounds(payload: unknown): boolean {
  let level: unknown[] = [payload]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (depth === DEPTH_MAX || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return false
      const isList = Array.isArray(value)
      const items: readonly unknown[] = isList ? value : Object.values(value)
      count += items.length
      if (items.length > (isList ? ITEMS_MAX : KEYS_MAX) || count > VALUES_MAX) return false
      for (const item of items) if (typeof item === 'object' && item !== null) next.push(item)
    }
    level = next
  }
  return true
}
