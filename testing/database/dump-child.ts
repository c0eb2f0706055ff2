/** Writes a dump of a new embedded database with all migrations to the path that it is given (global-setup.ts). */
import { writeFileSync } from 'node:fs'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { rememberSeedRows } from './prepared-database.ts'

const [path = ''] = process.argv.slice(2)
const db = await openEmbedded({ dataDir: null })
await migrate(db)
await rememberSeedRows(db)
// A copy of this database then has no write-ahead log to replay.
await db.query('checkpoint')
writeFileSync(path, Buffer.from(await (await db.dump()).arrayBuffer()))
// Not closed before: V8 now and then ends a process that frees the engine's code (nodejs/node#64500).
process.exit()
