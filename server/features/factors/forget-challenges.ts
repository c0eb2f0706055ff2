import type { Database } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'

/** Deletes steps that nobody finished in time. Answers their number. */
export const forgetOldChallenges = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from factor_challenges where secret_hash in (
       select secret_hash from factor_challenges where expires_at < clock_timestamp()
        limit $1 for update skip locked)`,
  )
