import { randomUUIDv7 } from 'node:crypto'

/** Makes an id before its row is written, to look up a lost answer (rules §3); ordered by time (RFC 9562 v7). */
export const newId = (): string => randomUUIDv7()

/** Makes an id that begins with the database's time in Unix ms: lists find bets by ranges of ids (rules §2.1). */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
