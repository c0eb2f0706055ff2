import { NOTICE_DAYS } from '#contract/notices.ts'
import type { Database } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

const FORGET_EVERY_MS = 3_600_000

export const forgetOldNotices = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from notices', 'id', `created_at < clock_timestamp() - interval '${NOTICE_DAYS} days'`)

export const startForgettingNotices = (db: Database, log: Logger): Stop =>
  repeating(FORGET_EVERY_MS, () => forgetOldNotices(db), logging(log, 'Old notices could not be forgotten'))
