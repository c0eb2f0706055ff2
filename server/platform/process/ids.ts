import { randomUUIDv7 } from 'node:crypto'

/** Returns a UUIDv7 (RFC 9562), made before the write: if the answer is lost, the id finds the row (rules §3.5). */
export const newId = (): string => randomUUIDv7()

/** Returns a UUIDv7 whose time is `atMs`, in Unix ms, so that the bets of a period are a range of ids. */
export function newIdAt(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
}
