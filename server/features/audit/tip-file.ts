import { createHmac, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { parseJson } from '#domain/json.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { ChainTip } from './chain.ts'
import { auditKey } from './key.ts'

/**
 * The tip of the audit log, kept outside the database: somebody who can cut the log's tail and rewrite its tip row can
 * neither reach this file nor sign another one. The file is at most a minute old.
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

/** Writes the tip, so that it outlives a power cut. */
export async function writeAuditTip(db: Database, dataDir: string): Promise<void> {
  const { rows } = await db.query<{ seq: bigint; hash: Uint8Array }>(`select seq, hash from audit_tip`)
  const tip = rows[0]
  if (tip === undefined) throw new Error('The audit log has lost its tip')
  const [seq, hash] = [String(tip.seq), Buffer.from(tip.hash).toString('hex')]
  const known = readAuditTip(dataDir)
  // A tip that went back is evidence of tampering. audit:log reports it, and it must not overwrite the file.
  if (known !== null && known.seq > tip.seq)
    throw new Error(`The audit log ends at ${seq}, and once reached ${known.seq}`)
  await replaceFile(join(dataDir, FILE), `${JSON.stringify({ seq, hash, mark: markOf(seq, hash).toString('hex') })}\n`)
}

/**
 * The tip as this machine last saw it; null when none was ever written.
 * @throws Error when the file was changed without the key
 */
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

/** Writes the tip now and then once a minute. Returns a function that stops, after writing it a last time. */
export function startAuditTip(db: Database, dataDir: string, log: Logger): Stop {
  const write = () => writeAuditTip(db, dataDir)
  const failed = logging(log, 'The tip of the audit log was not written', 'error')
  const stop = repeating(WRITE_EVERY_MS, write, failed, { isAtOnce: true })
  return async () => {
    await stop()
    await write().catch(failed)
  }
}
