import { describe, expect, test } from 'vitest'
import { useDatabase } from '#testing/database/use-database.ts'
import { resetDatabase, testEngines } from './test-database.ts'

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine)

  /** Every row of every table, except those that migrations inserted. */
  const contents = async () => {
    const { rows: tables } = await db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'schema_migration' order by relname`,
    )
    const all: Record<string, unknown> = {}
    for (const { name } of tables) all[name] = (await db.query(`select t::text as row from ${name} t order by 1`)).rows
    return all
  }

  test('going back restores exactly the rows that the migrations left', async () => {
    const before = await contents()
    expect(Object.keys(before).length).toBeGreaterThan(3)
    await db.tx(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(`delete from ledger_accounts where kind = 'house'`)
      await tx.query(`update ledger_accounts set balance = 5 where kind = 'grants'`)
      await tx.query(`insert into ledger_accounts (id, kind) values (7, 'house')`)
    })
    expect(await contents()).not.toEqual(before)
    await resetDatabase(db)
    expect(await contents()).toEqual(before)
  })

  test('an append-only table is emptied too, and refuses again afterwards', async () => {
    await db.query(`insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at)
      select 't' || n, 1, 2, 1, 'ADJUSTMENT', 'test', 'test', now() from generate_series(1, 3000) n`)
    await resetDatabase(db)
    expect((await db.query('select count(*) as n from ledger_transfers')).rows).toEqual([{ n: 0n }])
    await expect(db.query('truncate ledger_transfers')).rejects.toThrow(/append-only/)
  })

  test('rows and temporary tables leave it to the next file, a table does not', async () => {
    const isAgain = async () => (await db.query('select test_made.is_again() as again')).rows
    await db.tx((tx) => tx.query('create temporary table mine on commit drop as select 1 as n'))
    await db.query(`update ledger_accounts set balance = 5 where kind = 'grants'`)
    expect(await isAgain()).toEqual([{ again: true }])
    await db.query('create table theirs ()')
    expect(await isAgain()).toEqual([{ again: false }])
    await db.query('drop table theirs')
    expect(await isAgain()).toEqual([{ again: true }])
  })
})
