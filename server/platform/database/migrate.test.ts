import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from './db.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openNative } from './native.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'

const dir = mkdtempSync(join(tmpdir(), 'migrations-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** Migration files written to a folder, because readMigrations reads real files. */
function migrations(files: Record<string, string>) {
  rmSync(dir, { recursive: true })
  mkdirSync(dir)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  return readMigrations(dir)
}

const first = { '0001_first.sql': '-- Because of the test.\ncreate table one (id int);\ninsert into one values (1);' }
const second = { '0002_second.sql': '-- Because of the test.\ncreate table two (id int);' }

test('reads files in their order and hashes them independently of line endings', () => {
  const [unix] = migrations(first)
  const [windows] = migrations({ '0001_first.sql': first['0001_first.sql'].replaceAll('\n', '\r\n') })
  expect(windows).toEqual(unix)
  expect(migrations({ ...second, ...first }).map((migration) => migration.name)).toEqual([
    '0001_first.sql',
    '0002_second.sql',
  ])
})

test.each([
  ['a name without a number', { 'first.sql': '-- x\n' }, /first\.sql: a migration is named/],
  ['one number twice', { '0001_a.sql': '-- x\n', '0001_b.sql': '-- x\n' }, /two migrations have the number 0001/],
  ['no reason in the first line', { '0001_a.sql': 'create table a ();' }, /first line is a comment/],
  [
    'something beside an index that is made concurrently',
    { '0001_a.sql': '-- x\ncreate index concurrently a_b on a (b);\nupdate a set b = 1;' },
    /0001_a\.sql: beside `create index concurrently name on …`/,
  ],
  [
    'an index that is left out when one of its name is there',
    { '0001_a.sql': '-- x\ncreate index concurrently if not exists a_b on a (b);' },
    /0001_a\.sql: beside `create index concurrently name on …`/,
  ],
])('refuses %s', (_what, files, message) => {
  expect(() => migrations(files)).toThrow(message)
})

test('the product’s own migrations are readable', () => {
  expect(readMigrations().length).toBeGreaterThan(0)
})

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine, { areReset: false })

  beforeAll(async () => {
    await db.query('alter table schema_migration rename to product_migration')
  })
  afterAll(() => db.query('alter table product_migration rename to schema_migration'))
  afterEach(() => db.query('drop table if exists schema_migration, one, two'))

  const recorded = async (on: Database = db) =>
    (await on.query<{ name: string }>('select name from schema_migration order by name')).rows.map((row) => row.name)

  test('applies what is missing, once', async () => {
    expect(await migrate(db, migrations(first))).toEqual(['0001_first.sql'])
    expect(await migrate(db, migrations({ ...first, ...second }))).toEqual(['0002_second.sql'])
    expect(await migrate(db, migrations({ ...first, ...second }))).toEqual([])
    expect((await db.query('select id from one')).rows).toEqual([{ id: 1 }])
  })

  test('a migration that fails leaves nothing of itself behind and names the file', async () => {
    const broken = { '0002_broken.sql': '-- Because of the test.\ncreate table two (id int);\nselect 1/0;' }
    await expect(migrate(db, migrations({ ...first, ...broken }))).rejects.toThrow(/0002_broken\.sql failed: division/)
    expect(await recorded()).toEqual(['0001_first.sql'])
    expect(await migrate(db, migrations({ ...first, ...second }))).toEqual(['0002_second.sql'])
  })

  test('refuses a file that was changed after it was applied', async () => {
    await migrate(db, migrations(first))
    const changed = migrations({ '0001_first.sql': first['0001_first.sql'] + '\n-- more' })
    await expect(migrate(db, changed)).rejects.toThrow(/0001_first\.sql was changed after it was applied/)
  })

  test('refuses a database that a newer version migrated, and a file slipped in between', async () => {
    await migrate(db, migrations({ ...first, '0003_third.sql': second['0002_second.sql'] }))
    await expect(migrate(db, migrations(first))).rejects.toThrow(/0003_third\.sql, which this version does not know/)
    const slipped = migrations({ ...first, ...second, '0003_third.sql': second['0002_second.sql'] })
    await expect(migrate(db, slipped)).rejects.toThrow(/0002_second\.sql is new but comes before 0003_third\.sql/)
  })

  const index = { '0002_index.sql': '-- Because of the test.\ncreate index concurrently one_id on one (id);\n' }
  const isIndexValid = async () => {
    const { rows } = await db.query<{ valid: boolean }>(`select indisvalid as valid from pg_index
      where indexrelid = to_regclass('one_id')`)
    return rows.map((row) => row.valid)
  }

  test('an index that is made concurrently is made outside of a transaction, once', async () => {
    const files = migrations({ ...first, ...index })
    expect(await migrate(db, files)).toEqual(['0001_first.sql', '0002_index.sql'])
    expect(await isIndexValid()).toEqual([true])
    expect(await migrate(db, files)).toEqual([])
    const { rows } = await db.query(`select count(*)::int as locks, current_setting('statement_timeout') as timeout
      from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
    expect(rows).toEqual([{ locks: 0, timeout: engine === 'native' ? '30s' : '0' }])
  })

  test('what an interrupted build left behind is made anew', async () => {
    await migrate(db, migrations(first))
    await db.query('create index one_id on one (id)')
    await db.query(`update pg_index set indisvalid = false where indexrelid = 'one_id'::regclass`)
    const files = migrations({ ...first, ...index })
    expect(await migrate(db, files)).toEqual(['0002_index.sql'])
    expect(await isIndexValid()).toEqual([true])
  })

  test('an index that is made concurrently replaces another one of its name', async () => {
    await migrate(db, migrations(first))
    await db.query('create index one_id on one ((id + 1))')
    expect(await migrate(db, migrations({ ...first, ...index }))).toEqual(['0002_index.sql'])
    const { rows } = await db.query<{ columns: string }>(
      `select pg_get_indexdef(to_regclass('one_id'), 1, true) as columns`,
    )
    expect(rows).toEqual([{ columns: 'id' }])
  })

  test('two that start at once make an index concurrently once, while a transaction is open on the table', async () => {
    const files = migrations({ ...first, ...index })
    const other = db.url === null ? db : openNative({ url: db.url })
    await migrate(db, migrations(first))
    let open = Promise.resolve()
    if (db.url !== null) {
      const { promise: written, resolve: isWritten } = Promise.withResolvers<void>()
      open = other.tx(async (tx) => {
        await tx.query('insert into one values (2)')
        isWritten()
        await new Promise((resolve) => setTimeout(resolve, 300))
      })
      await written
    }
    const applied = await Promise.all([migrate(db, files), migrate(other, files)])
    await open
    expect(applied.flat()).toEqual(['0002_index.sql'])
    expect(await isIndexValid()).toEqual([true])
    if (other !== db) await other.close()
  })

  test('two that start at once both come up, and each migration ran once', async () => {
    const slow = { '0001_slow.sql': '-- Because of the test.\ncreate table one (id int);\nselect pg_sleep(0.2);' }
    const files = migrations({ ...slow, ...second })
    const other = db.url === null ? db : openNative({ url: db.url })
    const applied = await Promise.all([migrate(db, files), migrate(other, files)])
    expect(applied.flat().toSorted()).toEqual(['0001_slow.sql', '0002_second.sql'])
    expect(await recorded(other)).toEqual(['0001_slow.sql', '0002_second.sql'])
    if (other !== db) await other.close()
  })
})
