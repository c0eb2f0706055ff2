import { NOTICE_DAYS } from '#contract/notices.ts'
import type { Database } from '#server/platform/db.ts'
import { deleteInBatches } from '#server/platform/delete-in-batches.ts'
import type { Logger } from '#server/platform/log.ts'
import { repeating } from '#server/platform/repeating.ts'

const FORGET_EVERY_MS = 3_600_000

/** Deletes written notices that are not shown any more. Answers their number. */
export const forgetOldNotices = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from notices where id in (
       select id from notices where created_at < clock_timestamp() - interval '${NOTICE_DAYS} days'
        limit $1 for update skip locked)`,
  )

/** Does so each hour; answers a function that stops it. */
export const startForgettingNotices = (db: Database, log: Logger): (() => Promise<void>) =>
  repeating(
    FORGET_EVERY_MS,
    () => forgetOldNotices(db),
    (error) => log.warn({ err: error }, 'Old notices could not be forgotten'),
  )
