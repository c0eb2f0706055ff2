import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFields } from '#domain/book/entry.ts'
import { bookKeyOf, openBook } from '#server/features/book/index.ts'
import { TICKS_SO_FAR } from '#server/features/market/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { type StepVisitor, stepDatabase } from './stepped-database.ts'

/**
 * A process that seals the open book on each order, and kills itself at the step that the order names. Started with
 * `fork`, its folder and, for the native engine, the database's url; sends `ready`, then each thing that it has done.
 */
export interface SealOrder {
  /** Acts that it queues itself, each in a transaction of its own, by their amounts. */
  readonly acts: readonly number[]
  readonly forMs: number
  /** `shown`: right after a note was stored outside the database and shown. */
  readonly dieAt: { readonly nth: number; readonly moment: 'before' | 'during' | 'after' | 'shown' } | null
}

export type SealReport =
  /** An act whose commit was acknowledged. */
  | { readonly is: 'queued'; readonly act: number }
  /** A note that somebody could have seen. */
  | { readonly is: 'shown'; readonly note: string }
  | { readonly is: 'done'; readonly steps: number; readonly stopWhy: string | null }

const [dataDir, url] = process.argv.slice(2)
if (dataDir === undefined || process.send === undefined) throw new Error('This is started by a test.')
const db: Database =
  url === undefined ? await openEmbedded({ dataDir }) : openNative({ url, max: 2, applicationName: 'test-sealer' })
const key = bookKeyOf(new Uint8Array(32).fill(2))
const report = (what: SealReport) => void process.send?.(what)

async function seal({ acts, forMs, dieAt }: SealOrder): Promise<void> {
  let steps = 0
  let shown = 0
  const dieIf = (moment: string) => (step: number) => {
    steps = Math.max(steps, step)
    if (dieAt?.moment === moment && dieAt.nth === step) process.kill(process.pid, 'SIGKILL')
  }
  const visitor: StepVisitor = { before: dieIf('before'), during: dieIf('during'), after: dieIf('after') }
  const log = createLog('silent')
  const book = await openBook({
    ...{ db: stepDatabase(db, visitor), key, origin: null, dataDir: dataDir ?? null },
    ...{ ticksSql: TICKS_SO_FAR, log, rulesText: 'Luật', beatEveryMs: 50 },
  })
  book.onSealed(({ note }) => {
    report({ is: 'shown', note })
    dieIf('shown')(++shown)
  })
  const until = performance.now() + forMs
  const waiting = [...acts]
  while (performance.now() < until || waiting.length > 0) {
    for (const act of waiting.splice(0, 3)) {
      const fields = { act: 'ledger.clear', actor: null, round: null, bet: null, amount: act, c: null } as const
      await db.query(`insert into book_queue (kind, fields) values ('act', $1)`, [encodeFields('act', fields)])
      report({ is: 'queued', act })
    }
    await book.turn()
    await sleep(1)
  }
  report({ is: 'done', steps, stopWhy: book.stopWhy() })
}

process.on('message', (order: SealOrder) => {
  seal(order).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  })
})
process.on('disconnect', () => void db.close().then(() => process.exit(0)))
await db.query('select 1')
// A killed process writes no compile cache, and later ones should not have to compile everything again.
flushCompileCache()
process.send('ready')
