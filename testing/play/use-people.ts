import { beforeEach } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { later } from '#testing/database/use-database.ts'
import { createPlayers, type People, type TestPlayer } from './rounds.ts'

/** People of `createPlayers`, others for each test of a describe block. Name the block's database before them. */
export function usePeople<const Count extends number>(
  db: Database,
  count: Count,
  options?: Parameters<typeof createPlayers>[2],
): People<Count> {
  let people: readonly TestPlayer[] = []
  beforeEach(async () => {
    people = await createPlayers(db, count, options)
  })
  return Array.from({ length: count }, (_, at) => later(() => people[at])) as unknown as People<Count>
}
