import { randomUUIDv7 } from 'node:crypto'

/** Made before the write, which can then be looked up after a lost answer (rules §3). Ordered by time (RFC 9562 v7). */
export const newId = (): string => randomUUIDv7()

/** Begins with this instant, Unix ms: lists find bets by it, and time is the database's (rules §2.1). */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
