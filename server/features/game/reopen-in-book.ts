import type { Tx } from '#server/platform/database/db.ts'

/**
 * Has the last entry of these rounds written again, in the next log (docs/open-book.md §1). The measured rates count
 * them no second time.
 */
export async function reopenInBook(tx: Tx, roundIds: readonly string[]): Promise<void> {
  await tx.query(`update rounds set book = 'open', in_rates = true where id = any($1::uuid[]) and book = 'closed'`, [
    roundIds,
  ])
}
