import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database, Tx } from './db.ts'

export interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

/** The database does not fit these migrations; the message tells an operator which file and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export const migrationsDir = fileURLToPath(new URL('../migrations/', import.meta.url))

/** Any number serves that no other program uses on the same database. */
const LOCK_ID = 7_236_905_118n
const LOCK_RETRY_MS = 100

/** Reads and checks the migration files of a folder, in their order. */
export function readMigrations(dir: string = migrationsDir): Migration[] {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  return names.map((name, index) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new MigrationError(`${name}: a migration is named 0001_word.sql`)
    if (names[index - 1]?.slice(0, 4) === name.slice(0, 4))
      throw new MigrationError(`${name}: two migrations have the number ${name.slice(0, 4)}`)
    // Line ends depend on how the repository was checked out and must not change the hash.
    const text = readFileSync(`${dir}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    if (!/^-- \S/.test(text)) throw new MigrationError(`${name}: the first line is a comment (-- …) that says why`)
    return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * Applies what is missing, each migration in a transaction of its own, and answers the names of those it applied.
 * Processes that start together take turns under an advisory lock.
 */
export async function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const step = await db.tx(async (tx) => {
      // A change of a table waits for every transaction on it, an older process's too.
      await tx.query('set local lock_timeout = 0')
      // Waiting inside the statement would run into the statement time limit behind a slow migration.
      const lock = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [LOCK_ID])
      return lock.rows[0]?.taken === true ? await applyNext(tx, migrations) : 'busy'
    })
    if (step === 'busy') await sleep(LOCK_RETRY_MS)
    else if (step === null) return applied
    else applied.push(step)
  }
}

/** Applies the first migration that is missing and answers its name, or null when there is none. */
async function applyNext(tx: Tx, migrations: readonly Migration[]): Promise<string | null> {
  await tx.query(`create table if not exists schema_migration (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await tx.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  )
  for (const [index, row] of rows.entries()) {
    const migration = migrations[index]
    if (migration === undefined || migration.name > row.name)
      throw new MigrationError(
        `The database has the migration ${row.name}, which this version does not know: start a newer version`,
      )
    if (migration.name < row.name)
      throw new MigrationError(
        `${migration.name} is new but comes before ${row.name}, which is applied: number it last`,
      )
    if (migration.sha256 !== row.sha256)
      throw new MigrationError(`${row.name} was changed after it was applied: restore it and add a new migration`)
  }
  const next = migrations[rows.length]
  if (next === undefined) return null
  try {
    await tx.query(next.text)
  } catch (error) {
    throw new MigrationError(`${next.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  await tx.query('insert into schema_migration (name, sha256) values ($1, $2)', [next.name, next.sha256])
  return next.name
}
