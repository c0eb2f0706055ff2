import { type BetToQueue, queuedBetsCte, queuedBetsValues } from '#server/features/book/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { sql, statement } from '#server/platform/database/sql.ts'

const QUEUE_BETS = statement(sql`with ${queuedBetsCte} select from queued`, { name: 'queue-bets' })

/** Queues the entries of bets alone, without the bets. */
export const queueBets = async (tx: Queryable, bets: readonly BetToQueue[], atMs: number): Promise<void> =>
  void (await tx.query(...QUEUE_BETS(queuedBetsValues(bets, atMs))))
