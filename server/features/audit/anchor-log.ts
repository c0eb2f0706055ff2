import type { Database } from '#server/platform/database/db.ts'
import { brokenText, type ChainTip } from './chain.ts'
import { recordKnownRow } from './known-rows.ts'
import { anchorMark } from './read-anchors.ts'
import { verifyWith } from './verify-log.ts'

/**
 * Verifies the log and stores a signed anchor: the place where the log begins once the acts before `untilMs` (Unix ms)
 * are detached (decision 033). Returns why these acts may not be detached; null if they may, or if there are none.
 * @param known a tip that this machine saw earlier (tip-file.ts)
 */
export async function anchorLog(db: Database, untilMs: number, known: ChainTip | null): Promise<string | null> {
  const until = new Date(untilMs)
  const { rows } = await db.query<{ through: bigint | null; next: bigint | null }>(
    `select (select max(seq) from audit_log where at < $1) as through, (select min(seq) from audit_log where at >= $1) as next`,
    [until],
  )
  const { through = null, next = null } = rows[0] ?? {}
  if (through === null) return null
  if (next === null) return 'the newest act is among them'
  if (next !== through + 1n)
    return `the clock was set back at their end: act ${next} is newer than act ${through} by its number alone. Take a month more`
  const { broken, known: acknowledged, hashes } = await verifyWith(db, known, through)
  if (broken.length > 0) return `the audit log is broken: ${brokenText(broken)}`
  const hash = hashes.get(through)
  if (hash === undefined) throw new Error(`Row ${through} was verified without its hash`)
  const anchor = { seq: through, hash, untilMs }
  await db.tx(async (tx) => {
    await tx.query(
      `insert into audit_anchors (through_seq, hash, until, mark) values ($1, $2, $3, $4) on conflict do nothing`,
      [through, hash, until, anchorMark(anchor)],
    )
    // Acknowledgements among the acts to be detached are recorded again, so that the log still has them afterwards.
    for (const row of acknowledged.filter(({ bySeq }) => bySeq <= through)) await recordKnownRow(tx, row)
  })
  return null
}
