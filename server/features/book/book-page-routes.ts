import { bookPageEndpoints, NOTED_LIMIT_DEFAULT, NOTED_LIMIT_MAX } from '#contract/book-pages.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuseFields } from '#server/platform/http/errors.ts'
import { type Api, PublicAnswer } from '#server/platform/http/http.ts'
import { listNoted } from './book-lists.ts'
import { createDisputeCounts, readRates } from './rates.ts'

/** Registers the lists and figures of the public page `/so-mo` (docs/open-book.md §5, §6). */
export function registerBookPages(api: Api, db: Database): void {
  const countDisputes = createDisputeCounts(db)

  api.handle(bookPageEndpoints.listNoted, async ({ query }) => {
    const { limit = NOTED_LIMIT_DEFAULT, ...filter } = query
    if (limit < 1 || limit > NOTED_LIMIT_MAX) throw refuseFields({ path: 'limit', message: `1–${NOTED_LIMIT_MAX}` })
    const rows = await listNoted(db, filter, limit)
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const next = rows.length > limit && last !== undefined ? { log: last.log, index: last.index } : null
    return new PublicAnswer({ rows: shown, next }, 'public, max-age=5')
  })

  api.handle(bookPageEndpoints.readRates, async ({ query }) => {
    const rates = await readRates(db, query, countDisputes)
    return new PublicAnswer(rates, 'public, max-age=5')
  })
}
