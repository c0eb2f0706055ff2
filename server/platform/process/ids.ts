import { randomUUIDv7 } from 'node:crypto'

/**
 * Makes an id before a row is written, so that a write whose answer was lost can be looked up by it (rules §3). Ids are
 * ordered by time (RFC 9562 v7).
 */
export const newId = (): string => randomUUIDv7()

/**
 * Makes an id that begins with this instant, in Unix ms. Lists find the bets of a time span by ranges of ids, so it has
 * to be the database's time (rules §2.1).
 */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
