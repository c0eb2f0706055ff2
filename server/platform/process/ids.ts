import { randomUUIDv7 } from 'node:crypto'

/**
 * A new id, made before the write so that the write can be looked up after a lost answer (rules §3). Ordered by time
 * (RFC 9562 v7).
 */
export const newId = (): string => randomUUIDv7()
