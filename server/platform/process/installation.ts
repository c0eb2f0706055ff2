import type { Database } from '#server/platform/database/db.ts'
import { onlyRow } from '#server/platform/database/rows.ts'
import { newId } from './ids.ts'

export async function readInstallationId(db: Database): Promise<string> {
  await db.query('insert into installation (id) values ($1) on conflict do nothing', [newId()])
  return onlyRow(await db.query<{ id: string }>('select id from installation')).id
}
