import type { Database } from '#server/platform/database/db.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { openNative } from '#server/platform/database/native.ts'

/** Opens the database of a journey's server, whose environment this process has. */
export async function openDatabase(): Promise<Database> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = null } = process.env
  return url === undefined ? await openEmbedded({ dataDir }) : openNative({ url, max: 1 })
}
