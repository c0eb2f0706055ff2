import { randomUUIDv7 } from 'node:crypto'

/** Makes an id before the write, by which a write whose answer was lost can be looked up (rules §3). Ordered by time (RFC 9562 v7). */
export const newId = (): string => randomUUIDv7()

/** Makes an id that begins with this instant, in Unix ms. Lists find bets by it, and only the database's time counts (rules §2.1). */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
