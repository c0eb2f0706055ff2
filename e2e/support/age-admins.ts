/** Lets every admin of a stopped server have had their rights for a week. */
import { openDatabase } from './open-database.ts'

const db = await openDatabase()
await db.query(`update users set money_since = money_since - interval '7 days'`)
await db.close()
