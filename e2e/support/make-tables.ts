/** Makes the embedded database in the folder that it is given, with all migrations (new-installation.ts). */
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'

const [dataDir = ''] = process.argv.slice(2)
const db = await openEmbedded({ dataDir })
await migrate(db)
await db.close()
