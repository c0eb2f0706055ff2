import type { Tx } from '#server/platform/db.ts'

/** Has the last entry of these rounds written again, in the next log (docs/open-book.md §1). */
export async function reopenInBook(tx: Tx, roundIds: readonly string[]): Promise<void> {
  await tx.query(`update rounds set book = 'open' where id = any($1::uuid[]) and book = 'closed'`, [roundIds])
}
