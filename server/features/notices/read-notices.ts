import type { Subject } from '#domain/identity/permissions.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { countUnread } from './queries.ts'

export interface NoticeHints {
  /** Called when a user has new notices, or has read notices on one of several devices. */
  noticesChanged(userId: string): void
}

/**
 * Marks all notices up to a time as read, on all devices. The mark never moves back and never lies ahead of the
 * database's clock (rules §6.10). Returns how many notices are still unread.
 */
export const readNotices = (
  { db, hints }: { readonly db: Database; readonly hints: NoticeHints },
  subject: Subject,
  upToMs: number,
) =>
  acting(db, subject, 'player', async (tx) => {
    const { rowCount } = await tx.query(
      `insert into notice_marks as m (user_id, read_through) values ($1, least($2::timestamptz, clock_timestamp()))
       on conflict (user_id) do update set read_through = excluded.read_through
        where excluded.read_through > m.read_through`,
      [subject.userId, new Date(upToMs)],
    )
    if (rowCount > 0) tx.afterCommit(() => hints.noticesChanged(subject.userId))
    return countUnread(tx, subject.userId)
  })
