import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { foldPlayer, openSince } from './fold-player.ts'

const LOOK_EVERY_MS = 60_000
const LOOKED_AT = 500
const NO_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Folds the finished days of all players (rules §6.8). Returns the number of bets folded.
 * @param isStopping is called between two players
 */
export async function rollUp(db: Database, isStopping: () => boolean = () => false): Promise<number> {
  const nowMs = await readNowMs(db)
  let folded = 0
  let afterId: string | null = NO_ID
  while (afterId !== null && !isStopping()) {
    const { userIds, lastId } = await nextPlayers(db, afterId, openSince(nowMs))
    for (const userId of userIds) {
      if (isStopping()) break
      folded += await foldPlayer(db, userId, nowMs)
    }
    afterId = lastId
  }
  return folded
}

/** Returns those of the next users who have bets to fold. `lastId` is the last user looked at; null at the end. */
async function nextPlayers(db: Database, afterId: string, limit: Date) {
  const { rows } = await db.query<{ id: string; has_bets: boolean }>(
    `select u.id, exists (select 1 from bets b where b.user_id = u.id and b.accepted_at < $2
              and b.accepted_at >= coalesce(m.folded_before, '-infinity')) as has_bets
       from (select id from users where id > $1 order by id limit ${LOOKED_AT}) u
       left join statistics_marks m on m.user_id = u.id order by u.id`,
    [afterId, limit],
  )
  return {
    userIds: rows.filter((row) => row.has_bets).map((row) => row.id),
    lastId: rows.length < LOOKED_AT ? null : (rows.at(-1)?.id ?? null),
  }
}

/** Folds the days of all players once after the server's start and once after each day. Repeats a failed pass. */
export function startRolling(db: Database, log: Logger): Stop {
  let rolledUntilMs = Number.NEGATIVE_INFINITY
  return repeating(
    LOOK_EVERY_MS,
    async (signal) => {
      const limitMs = openSince(await readNowMs(db)).getTime()
      if (limitMs <= rolledUntilMs) return
      await rollUp(db, () => signal.aborted)
      rolledUntilMs = limitMs
    },
    logging(log, 'Statistics could not be rolled up'),
  )
}
