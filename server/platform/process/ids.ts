import { randomUUIDv7 } from 'node:crypto'

/** Makes an id ordered by time (RFC 9562 v7). It is made before a write, to look up a lost answer by it (rules §3). */
export const newId = (): string => randomUUIDv7()

/** Makes an id that begins with `atMs`, in Unix ms, so that the bets of a time are a range of ids (rules §2.1). */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
