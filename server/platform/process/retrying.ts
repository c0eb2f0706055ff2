import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, type Database, type Tx, type TxOptions } from '#server/platform/database/db.ts'
import { IDLE_TOO_LONG, sqlState } from '#server/platform/database/transaction.ts'

/** SQLSTATEs after which nothing was committed and a retry may succeed. */
const retryable = new Set<string | null>(['40001', '40P01', IDLE_TOO_LONG])

/** The limit of the first pause, in ms, doubled for each retry. Pauses are random, so that retries do not collide. */
const PAUSE_MS = 20

export interface RetryOptions extends TxOptions {
  readonly attempts?: number
  /** True for work that first looks up whether an earlier attempt was committed (rules §3.5). */
  readonly looksFirst?: boolean
}

/** Runs a transaction, and retries it after errors such as a deadlock. `work` must change nothing outside of `tx`. */
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
