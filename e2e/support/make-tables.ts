/** Makes every table in the database of its environment (new-installation.ts). */
import { migrate } from '#server/platform/database/migrate.ts'
import { openDatabase } from './open-database.ts'

const db = await openDatabase()
await migrate(db)
await db.close()
