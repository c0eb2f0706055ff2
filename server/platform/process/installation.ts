import type { Database } from '#server/platform/database/db.ts'
import { newId } from './ids.ts'

/** Returns an id that is the same in all processes on one database. It separates installations that share a service such as Redis. */
export async function readInstallationId(db: Database): Promise<string> {
  await db.query('insert into installation (id) values ($1) on conflict do nothing', [newId()])
  const { rows } = await db.query<{ id: string }>('select id from installation')
  if (rows[0] === undefined) throw new Error('The installation has no id.')
  return rows[0].id
}
