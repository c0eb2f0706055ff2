import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, type Database, type Tx, type TxOptions } from './db.ts'
import { IDLE_TOO_LONG, sqlState } from './transaction.ts'

/**
 * Serialization failure, deadlock, and a process that was suspended in its transaction: nothing was committed, and the
 * same work may well succeed when it begins again.
 */
const retryable = new Set<string | null>(['40001', '40P01', IDLE_TOO_LONG])

/** A first pause of up to this many ms, doubled each time: two who collided should not meet again. */
const PAUSE_MS = 20

export interface RetryOptions extends TxOptions {
  /** How often the work may begin, in all. Default 3. */
  readonly attempts?: number
  /**
   * True for a work that looks, when it begins again, whether it was committed before, by ids made before the write
   * (rules §3). Then a COMMIT whose answer was lost begins it again, too.
   */
  readonly looksFirst?: boolean
}

/**
 * Runs `work` as a transaction and begins again when the database asks for it. The work must not change anything outside
 * of its transaction before that committed. It gets the number of the attempt, from 1.
 */
export async function retrying<T>(
  db: Database,
  work: (tx: Tx, attempt: number) => Promise<T>,
  { attempts = 3, looksFirst = false, ...options }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.tx((tx) => work(tx, attempt), options)
    } catch (error) {
      const isWorthIt = retryable.has(sqlState(error)) || (looksFirst && error instanceof CommitUnknownError)
      if (attempt >= attempts || !isWorthIt) throw error
      await sleep(Math.random() * PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}
