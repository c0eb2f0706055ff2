import { afterEach, describe, expect, test } from 'vitest'
import {
  noOwnPostgres,
  noPgbouncer,
  type OwnPostgresPair,
  startOwnPostgresPair,
  startPgbouncer,
} from '#testing/machines/postgres.ts'
import type { Database } from './db.ts'
import { openNative, requireOwnSession } from './native.ts'
import { isDatabaseAway } from './transaction.ts'

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Runs it until it succeeds; every failure on the way must say that the database is away. Returns how often it failed. */
async function untilDone(work: () => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + 15_000
  for (let failures = 0; ; failures++) {
    try {
      await work()
      return failures
    } catch (error) {
      expect(isDatabaseAway(error)).toBe(true)
      if (performance.now() > endMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

describe.skipIf(noOwnPostgres !== null || process.env['TEST_DATABASE_URL'] === undefined)(
  'a primary and its standby (needs PostgreSQL and its programs)',
  () => {
    async function openPair(): Promise<{ pair: OwnPostgresPair; open: (hosts: string) => Database }> {
      const pair = await startOwnPostgresPair()
      closing.push(() => pair.stop())
      const open = (hosts: string) => {
        const db = openNative({ url: `postgres://root@${hosts}/postgres`, max: 4 })
        closing.push(() => db.close())
        return db
      }
      return { pair, open }
    }

    test('writes go to the primary whichever host comes first, and after a failover to the new one', async () => {
      const { pair, open } = await openPair()
      const [one, two] = [`127.0.0.1:${pair.primaryPort}`, `127.0.0.1:${pair.standbyPort}`]
      const [db, reversed] = [open(`${one},${two}`), open(`${two},${one}`)]
      const write = (on: Database, n: number) => on.query('insert into written (n) values ($1)', [n])
      await db.query('create table written (n int primary key)')
      await write(db, 1)
      await write(reversed, 2)

      await pair.failOver()
      // Idle connections are lost with the old primary, each at its next statement at the latest.
      expect(await untilDone(() => write(db, 3))).toBeLessThanOrEqual(4)
      expect(await untilDone(() => write(reversed, 4))).toBeLessThanOrEqual(4)

      // The old one is back as a standby, under the address that it had: nothing is written or read there.
      await pair.followNewPrimary()
      await write(open(`${one},${two}`), 5)
      await write(db, 6)
      const { rows } = await open(`${one},${two}`).query<{ n: number }>('select n from written order by n')
      expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('where no host takes writes a call is told within seconds that the database is away', async () => {
      const { pair, open } = await openPair()
      const db = open(`127.0.0.1:${pair.standbyPort},127.0.0.1:1`)
      const startedMs = performance.now()
      const error = await db.query('select 1').then(
        () => null,
        (failure: unknown) => failure,
      )
      expect(isDatabaseAway(error)).toBe(true)
      expect(performance.now() - startedMs).toBeLessThan(6_000)
      // One host that may be a standby is used as it is.
      expect((await open(`127.0.0.1:${pair.standbyPort}`).query('select 1')).rowCount).toBe(1)
    })
  },
)

describe.skipIf(noPgbouncer !== null || process.env['TEST_DATABASE_URL'] === undefined)(
  'PgBouncer in between (needs PostgreSQL and PgBouncer)',
  () => {
    test.each([
      ['transaction', ''],
      ['session', ''],
      ['transaction', 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout'],
      ['session', 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout'],
    ] as const)('in its %s mode, where it ignores “%s”, is refused in a sentence', async (mode, ignored) => {
      const pooler = await startPgbouncer(process.env['TEST_DATABASE_URL'] ?? '', mode, ignored)
      closing.push(() => pooler.stop())
      const db = openNative({ url: pooler.url, max: 1 })
      closing.push(() => db.close())
      await expect(requireOwnSession(db)).rejects.toThrow(/such as PgBouncer/)
      const direct = openNative({ url: process.env['TEST_DATABASE_URL'] ?? '', max: 1 })
      closing.push(() => direct.close())
      await requireOwnSession(direct)
    })
  },
)
