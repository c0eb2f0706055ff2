import { NOTICES_PER_PAGE, noticeEndpoints } from '#contract/notices.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { countUnread, listNotices, type NoticePlace, readCompleteToMs } from './queries.ts'
import { type NoticeHints, readNotices } from './read-notices.ts'

const writePlace = ({ atMs, id }: NoticePlace): string => `${atMs}_${id}`

/** Parses the text of `writePlace`; the contract has checked its form. */
function readPlace(text: string): NoticePlace {
  const at = text.indexOf('_')
  return { atMs: Number(text.slice(0, at)), id: text.slice(at + 1) }
}

/** Registers GET /user/notifications and POST /user/notifications/read (rules §6.10). */
export function registerNotices(api: Api, deps: { readonly db: Database; readonly hints: NoticeHints }): void {
  const { db } = deps
  api.handle(noticeEndpoints.notices, async ({ subject, query }) => {
    const limit = query.limit ?? NOTICES_PER_PAGE
    const after = query.after === undefined ? null : readPlace(query.after)
    const completeToMs = await readCompleteToMs(db)
    const [found, unread] = await Promise.all([
      listNotices(db, subject.userId, { kind: query.kind ?? null, after, limit }),
      countUnread(db, subject.userId),
    ])
    const notices = found.slice(0, limit)
    const last = notices.at(-1)
    return { notices, next: found.length > limit && last !== undefined ? writePlace(last) : null, unread, completeToMs }
  })
  api.handle(noticeEndpoints.readNotices, async ({ subject, body }) => {
    const unread = await readNotices(deps, subject, body.upToMs)
    return isRefused(unread) ? unread : { unread }
  })
}
