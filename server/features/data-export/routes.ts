import { ownAccountEndpoints } from '#contract/own-account.ts'
import { judgeAgain } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { type Api, FileAnswer } from '#server/platform/http/http.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { readScope, writeArchive } from './write-archive.ts'

/** A user may begin this many exports per hour. */
const PER_HOUR = 5
/** One process writes at most this many exports at a time, for all users: each keeps rows in memory. */
const AT_ONCE = 8
const RETRY_S = 10

export function registerDataExport(
  api: Api,
  { db, limits }: { readonly db: Database; readonly limits: RateLimits },
): void {
  const perHour = limits.limit('data-export', PER_HOUR, 3_600)
  const running = new Set<string>()

  api.handle(ownAccountEndpoints.exportData, async ({ subject }) => {
    const { userId, username } = subject
    if (running.has(userId) || running.size >= AT_ONCE) return refuse('TOO_MANY_REQUESTS', undefined, RETRY_S)
    running.add(userId)
    const end = () => void running.delete(userId)
    try {
      const waitS = await perHour.take(userId)
      const scope = waitS === null ? await readScope(db, userId) : null
      if (scope === null) {
        end()
        return waitS === null ? refuse('UNAUTHORIZED') : refuse('TOO_MANY_REQUESTS', undefined, waitS)
      }
      const judge = () => judgeAgain(db, ownAccountEndpoints.exportData, subject)
      return new FileAnswer(writeArchive(db, scope, judge, end), 'application/zip', `kim-phien-${username}.zip`)
    } catch (error) {
      end()
      throw error
    }
  })
}
