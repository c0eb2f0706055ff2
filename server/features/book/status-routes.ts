import { bookStatusEndpoints, type StopWhy } from '#contract/book-status.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { type Api, PublicAnswer } from '#server/platform/http/http.ts'
import { prefixOf } from './log-routes.ts'
import type { OpenBook } from './open-book.ts'

const STORAGE_EVERY_MS = 60_000
/** A note is signed at least every 10 s. If this process sees no new one for this long, it reports `SILENT`. */
const SILENT_AFTER_MS = 30_000

interface LogRow extends Row {
  generation: number
  origin: string
  vkey: string
  completeSinceMs: number
  isWitnessed: boolean
}

export const silenceOf = (book: OpenBook): StopWhy | null =>
  book.stopWhy() ?? (book.noteAgeMs() > SILENT_AFTER_MS ? 'SILENT' : null)

export function registerBookStatus(api: Api, { db, book }: { readonly db: Database; readonly book: OpenBook }): void {
  let storage = { bytes: 0, readAtMs: Number.NEGATIVE_INFINITY }

  api.handle(bookStatusEndpoints.readBookStatus, async () => {
    if (monotonicMs() - storage.readAtMs > STORAGE_EVERY_MS)
      storage = { bytes: await readStorage(db), readAtMs: monotonicMs() }
    const { generation, ...log } = onlyRow(
      await db.query<LogRow>(
        `select l.generation, l.origin, l.vkey, ${msSql('l.began_at')} as "completeSinceMs",
                t.witnessed_note is not null as "isWitnessed"
           from book_logs l join book_tips t using (generation) order by l.generation desc limit 1`,
      ),
    )
    const shown = book.head()
    const head = shown?.generation === generation ? shown : null
    const why = silenceOf(book)
    const status = {
      ...log,
      prefix: prefixOf(generation),
      size: head?.size ?? 0,
      noteAtMs: head?.beatAtMs ?? null,
      isSealing: why === null,
      why,
      storageBytes: storage.bytes,
    }
    return new PublicAnswer(status, 'public, max-age=1')
  })
}

async function readStorage(db: Database): Promise<number> {
  const { bytes } = onlyRow(
    await db.query<{ bytes: number }>(
      `select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as bytes from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'book\\_%'`,
    ),
  )
  return bytes
}
