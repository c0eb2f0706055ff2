import type { Database } from './db.ts'
import { newId } from './ids.ts'

/**
 * The id of this installation: a UUID, made once for a database and the same in every process on it. What several
 * installations may share, such as a Redis server, tells them apart by it.
 */
export async function readInstallationId(db: Database): Promise<string> {
  await db.query('insert into installation (id) values ($1) on conflict do nothing', [newId()])
  const { rows } = await db.query<{ id: string }>('select id from installation')
  if (rows[0] === undefined) throw new Error('The installation has no id.')
  return rows[0].id
}
