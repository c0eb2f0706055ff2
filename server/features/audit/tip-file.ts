import { createHmac, timingSafeEqual } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { parseJson } from '#domain/json.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { type ChainTip, emptyChain } from './chain.ts'
import { auditKey } from './key.ts'
import { readAnchors } from './read-anchors.ts'

/**
 * A file with a signed copy of the log's tip. An attacker with access to the database alone can delete the newest rows
 * and rewrite the stored tip, but cannot change this file.
 */
const FILE = 'audit-tip.json'
const WRITE_EVERY_MS = 60_000

const tipFile = z.object({
  seq: z.string().check(z.regex(/^\d{1,18}$/)),
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  mark: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})

const markOf = (seq: string, hash: string): Buffer =>
  createHmac('sha256', auditKey()).update(`audit tip ${seq} ${hash}`).digest()

export async function writeAuditTip(db: Database, dataDir: string): Promise<void> {
  const known = readAuditTip(dataDir)
  const { rows } = await db.query<{ seq: bigint; hash: Uint8Array }>(`select seq, hash from audit_tip`)
  const tip = rows[0]
  if (tip === undefined) throw new Error('The audit log has lost its tip')
  const [seq, hash] = [String(tip.seq), Buffer.from(tip.hash).toString('hex')]
  // If the log lacks the row that the file names, the file is kept: `npm run audit:log` reports the loss from the file.
  if (known !== null && !(await stillHas(db, known)))
    throw new Error(`The audit log ends at ${seq}, and once reached a row ${known.seq} that it does not have`)
  await replaceFile(join(dataDir, FILE), `${JSON.stringify({ seq, hash, mark: markOf(seq, hash).toString('hex') })}\n`)
}

/** Returns whether the log has a row with the seq and hash of an earlier tip, or has detached that row since. */
async function stillHas(db: Database, known: ChainTip): Promise<boolean> {
  const { rows } = await db.query<{ hash: Uint8Array }>(
    `select a.hash from audit_log a, audit_tip t where a.seq = $1 and a.seq <= t.seq`,
    [known.seq],
  )
  if (rows.some(({ hash }) => Buffer.compare(hash, known.hash) === 0)) return true
  // An anchor is stored before its rows are detached, so a row that was detached before the query above has its anchor.
  const { signed } = await readAnchors(db)
  return rows.length === 0 && known.seq <= (signed.at(-1) ?? emptyChain).seq
}

/**
 * Renames the tip file if the database lacks the row that the file names. Only for a restore from a backup: the rows
 * after the backup are missing, and would otherwise be reported as deleted.
 */
export async function setAuditTipAside(db: Database, dataDir: string): Promise<void> {
  const known = readAuditTip(dataDir)
  const path = join(dataDir, FILE)
  if (known !== null && !(await stillHas(db, known))) await rename(path, `${path}.before-restore-${known.seq}`)
}

/** Returns null if there is no file. @throws Error if the file was not written with the audit key */
export function readAuditTip(dataDir: string): ChainTip | null {
  const text = readIfThere(join(dataDir, FILE))
  if (text === null) return null
  const parsed = tipFile.safeParse(parseJson(text))
  if (
    !parsed.success ||
    !timingSafeEqual(Buffer.from(parsed.data.mark, 'hex'), markOf(parsed.data.seq, parsed.data.hash))
  )
    throw new Error(`${join(dataDir, FILE)} was not written with this audit key`)
  return { seq: BigInt(parsed.data.seq), hash: Buffer.from(parsed.data.hash, 'hex') }
}

export function startAuditTip(db: Database, dataDir: string, log: Logger): Stop {
  const write = () => writeAuditTip(db, dataDir)
  const failed = logging(log, 'The tip of the audit log was not written', 'error')
  const stop = repeating(WRITE_EVERY_MS, write, failed, { isAtOnce: true })
  return async () => {
    await stop()
    await write().catch(failed)
  }
}
