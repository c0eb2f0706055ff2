/** Lets every admin of a stopped server have had their rights for a week. */
import { openEmbedded } from '#server/platform/database/embedded.ts'

const db = await openEmbedded({ dataDir: process.env['DATA_DIR'] ?? null })
await db.query(`update users set money_since = money_since - interval '7 days'`)
await db.close()
