import { createHmac, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
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

/** Writes the tip to a temporary file and moves it into place, so that a reader finds either the old or the new one. */
export async function writeAuditTip(db: Database, dataDir: string): Promise<void> {
  const { rows } = await db.query<{ seq: bigint; hash: Uint8Array }>(`select seq, hash from audit_tip`)
  const tip = rows[0]
  if (tip === undefined) throw new Error('The audit log has lost its tip')
  const [seq, hash] = [String(tip.seq), Buffer.from(tip.hash).toString('hex')]
  const known = readAuditTip(dataDir)
  // A tip that went back is evidence of tampering. audit:log reports it, and it must not overwrite the file.
  if (known !== null && known.seq > tip.seq)
    throw new Error(`The audit log ends at ${seq}, and once reached ${known.seq}`)
  mkdirSync(dataDir, { recursive: true })
  const aside = join(dataDir, `${FILE}.${process.pid}`)
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify({ seq, hash, mark: markOf(seq, hash).toString('hex') })}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, join(dataDir, FILE))
}

/**
 * The tip as this machine last saw it; null when none was ever written.
 * @throws Error when the file was changed without the key
 */
export function readAuditTip(dataDir: string): ChainTip | null {
  let text: string
  try {
    text = readFileSync(join(dataDir, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  let json: unknown = null
  try {
    json = JSON.parse(text)
  } catch {
    // Text that is not JSON is handled below as a damaged tip.
  }
  const parsed = tipFile.safeParse(json)
  if (
    !parsed.success ||
    !timingSafeEqual(Buffer.from(parsed.data.mark, 'hex'), markOf(parsed.data.seq, parsed.data.hash))
  )
    throw new Error(`${join(dataDir, FILE)} was not written with this audit key`)
  return { seq: BigInt(parsed.data.seq), hash: Buffer.from(parsed.data.hash, 'hex') }
}

/** Writes the tip now and then once a minute. Answers a function that stops, after writing it a last time. */
export function startAuditTip(db: Database, dataDir: string, log: Logger): () => Promise<void> {
  const write = () =>
    writeAuditTip(db, dataDir).catch((error: unknown) =>
      log.error({ err: error }, 'The tip of the audit log was not written'),
    )
  let writing = write()
  const timer = setInterval(() => {
    writing = writing.then(write)
  }, WRITE_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await writing
    await write()
  }
}
