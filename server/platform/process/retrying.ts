import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, type Database, type Tx, type TxOptions } from '#server/platform/database/db.ts'
import { IDLE_TOO_LONG, sqlState } from '#server/platform/database/transaction.ts'

/** SQLSTATEs after which nothing was committed and a second attempt may well succeed. */
const retryable = new Set<string | null>(['40001', '40P01', IDLE_TOO_LONG])

/** The limit of the first pause, in ms; it doubles each time. Pauses are random, so that nothing collides again. */
const PAUSE_MS = 20

export interface RetryOptions extends TxOptions {
  readonly attempts?: number
  /**
   * True for work that first looks up whether an earlier attempt was committed, by ids made before the write (rules
   * §3). Such work is retried even after a COMMIT whose answer was lost.
   */
  readonly looksFirst?: boolean
}

/** Runs a transaction, and repeats it after errors such as a deadlock. `work` must change nothing outside of `tx`. */
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
