import type { Database } from './db.ts'

/** Rows per statement: few, because on the embedded engine a statement keeps all others waiting. */
const AT_ONCE = 2_000

export async function deleteInBatches(
  db: Database,
  deletion: `delete from ${string}`,
  key: string,
  condition: string,
): Promise<number> {
  const table = deletion.slice('delete from '.length)
  const batch = `select ${key} from ${table} where ${condition} limit $1 for update skip locked`
  const sql = `${deletion} where (${key}) in (${batch})`
  for (let deleted = 0; ;) {
    const { rowCount } = await db.query(sql, [AT_ONCE])
    deleted += rowCount
    if (rowCount < AT_ONCE) return deleted
  }
}
