import { MISSED_CONVERSATIONS_MAX } from '#contract/chat.ts'

/** Limits of payloads. They are checked before the schema, because the schema would list each fault. */
const KEYS_MAX = 64
const ITEMS_MAX = MISSED_CONVERSATIONS_MAX
const DEPTH_MAX = 8
const VALUES_MAX = 2_000

/** Returns whether a payload keeps the limits, which also bound the time of this check. False for binary data. */
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
