import { finderEndpoints } from '#contract/finder.ts'
import { readQuestion } from '#domain/finder/question.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { parseAddress } from '#server/platform/http/addresses.ts'
import type { Api } from '#server/platform/http/http.ts'
import { find } from './queries.ts'

export function registerFinder(api: Api, db: Database): void {
  api.handle(finderEndpoints.find, async ({ subject, query: { q } }) => {
    // Only admins with the capability `users` can search by IP address (rules §4.5). Each search by address is audited.
    const address = subject.capabilities.includes('users') ? parseAddress(q) : null
    if (address !== null)
      await db.tx((tx) => recordAct(tx, subject.userId, 'user.search', 'users', { after: { text: address } }))
    return find(db, readQuestion(q), address)
  })
}
