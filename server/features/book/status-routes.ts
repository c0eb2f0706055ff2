import { bookStatusEndpoints, type StopWhy } from '#contract/book-status.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { type Api, PublicAnswer } from '#server/platform/http/http.ts'
import { prefixOf } from './log-routes.ts'
import type { OpenBook } from './open-book.ts'

const STORAGE_EVERY_MS = 60_000
/** A note comes every 10 s at least. */
const SILENT_AFTER_MS = 30_000

interface LogRow extends Row {
  generation: number
  origin: string
  vkey: string
  began_at: Date
  is_witnessed: boolean
}

export const silenceOf = (book: OpenBook): StopWhy | null =>
  book.stopWhy() ?? (book.noteAgeMs() > SILENT_AFTER_MS ? 'SILENT' : null)

export function registerBookStatus(api: Api, { db, book }: { readonly db: Database; readonly book: OpenBook }): void {
  let storage = { bytes: 0, readAtMs: Number.NEGATIVE_INFINITY }

  api.handle(bookStatusEndpoints.readBookStatus, async () => {
    if (monotonicMs() - storage.readAtMs > STORAGE_EVERY_MS)
      storage = { bytes: await readStorage(db), readAtMs: monotonicMs() }
    const { rows } = await db.query<LogRow>(
      `select l.generation, l.origin, l.vkey, l.began_at, t.witnessed_note is not null as is_witnessed
         from book_logs l join book_tips t using (generation) order by l.generation desc limit 1`,
    )
    const [newest] = rows
    if (newest === undefined) throw new Error('The open book has lost its logs')
    const shown = book.head()
    const head = shown?.generation === newest.generation ? shown : null
    const why = silenceOf(book)
    const status = {
      origin: newest.origin,
      prefix: prefixOf(newest.generation),
      vkey: newest.vkey,
      size: head?.size ?? 0,
      noteAtMs: head?.beatAtMs ?? null,
      completeSinceMs: newest.began_at.getTime(),
      isSealing: why === null,
      why,
      isWitnessed: newest.is_witnessed,
      storageBytes: storage.bytes,
    }
    return new PublicAnswer(status, 'public, max-age=1')
  })
}

async function readStorage(db: Database): Promise<number> {
  const { rows } = await db.query<{ bytes: bigint }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'book\\_%'`,
  )
  return Number(rows[0]?.bytes ?? 0n)
}
