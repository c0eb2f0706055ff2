import type { Database } from './db.ts'

/** Rows per statement: what else happens on the embedded engine waits while one runs. */
const AT_ONCE = 2_000

/**
 * Deletes row after row until nothing is left to delete. Answers how many.
 * @param sql a delete whose `$1` is how many rows it takes at most
 */
export async function deleteInBatches(db: Database, sql: string): Promise<number> {
  for (let deleted = 0; ;) {
    const { rowCount } = await db.query(sql, [AT_ONCE])
    deleted += rowCount
    if (rowCount < AT_ONCE) return deleted
  }
}
