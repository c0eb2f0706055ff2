import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx, TxOptions } from './db.ts'
import { sqlState } from './transaction.ts'

/** Serialization failure and deadlock: the same work may well succeed when it begins again. */
const retryable = new Set<string | null>(['40001', '40P01'])

/** A first pause of up to this many ms, doubled each time: two who collided should not meet again. */
const PAUSE_MS = 20

/**
 * Runs `work` as a transaction and begins again, at most `attempts` times in all, when the database asks for it. The
 * work must not change anything outside of its transaction before that committed.
 */
export async function retrying<T>(
  db: Database,
  work: (tx: Tx) => Promise<T>,
  { attempts = 3, ...options }: TxOptions & { readonly attempts?: number } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.tx(work, options)
    } catch (error) {
      if (attempt >= attempts || !retryable.has(sqlState(error))) throw error
      await sleep(Math.random() * PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}
