import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Database, NO_TIMEOUT_MS, type Queryable } from './db.ts'

export interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
  /** Statements that build or drop indexes concurrently; null if the migration runs as one transaction. */
  readonly concurrentStatements: readonly string[] | null
}

export const migrationsDir = fileURLToPath(new URL('../../migrations/', import.meta.url))

const LOCK_ID = 7_236_905_118n
const LOCK_RETRY_MS = 100

export function readMigrations(dir: string = migrationsDir): Migration[] {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  return names.map((name, index) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new Error(`${name}: a migration is named 0001_word.sql`)
    if (names[index - 1]?.slice(0, 4) === name.slice(0, 4))
      throw new Error(`${name}: two migrations have the number ${name.slice(0, 4)}`)
    // Line endings depend on the checkout, and must not change the hash.
    const text = readFileSync(`${dir}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    if (!/^-- \S/.test(text)) throw new Error(`${name}: the first line is a comment (-- …) that says why`)
    const concurrentStatements = concurrentStatementsOf(name, text)
    return { name, text, sha256: createHash('sha256').update(text).digest('hex'), concurrentStatements }
  })
}

/**
 * Returns the statements of a migration that builds or drops indexes concurrently, null for any other migration. As
 * PostgreSQL refuses such statements in a transaction, the migration runs without one. It may contain no other
 * statements, because an interruption could leave those half applied.
 */
function concurrentStatementsOf(name: string, text: string): string[] | null {
  const statements = text
    .replace(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  if (!statements.some((statement) => /\bindex\s+concurrently\b/i.test(statement))) return null
  return statements.flatMap((statement) => {
    if (/^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?[a-z_]\w*$/i.test(statement)) return [statement]
    // `if not exists` is not allowed, because it would silently keep a different index of that name.
    const [, index] = /^create(?:\s+unique)?\s+index\s+concurrently\s+([a-z_]\w*)\s+on\b/i.exec(statement) ?? []
    if (index === undefined)
      throw new Error(
        `${name}: beside \`create index concurrently name on …\` there is nothing but others of the kind and \`drop index concurrently name\``,
      )
    // An interrupted build leaves an index that no query uses but every write maintains. A new build drops it first.
    return [`drop index concurrently if exists ${index}`, statement]
  })
}

/**
 * Applies missing migrations and returns the names of those that it applied. Each one runs in its own transaction,
 * except one with concurrent statements. Processes that start together take turns under an advisory lock.
 */
export async function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    let step = await db.tx(async (tx) => {
      // No time limits: a change of a table waits for other transactions, and reading a large table takes minutes.
      await tx.query('set local lock_timeout = 0; set local statement_timeout = 0')
      // Polls the lock: a statement that waited for it could exceed the driver's time limit (`query_timeout`) while
      // another process migrates.
      const lock = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [LOCK_ID])
      if (lock.rows[0]?.taken !== true) return 'busy'
      const next = await nextMissing(tx, migrations)
      if (next === null) return null
      if (next.concurrentStatements !== null) return 'concurrent'
      return await apply(tx, next, [next.text])
    })
    if (step === 'concurrent') step = await applyConcurrent(db, migrations)
    if (step === 'busy') await sleep(LOCK_RETRY_MS)
    else if (step === null) return applied
    else applied.push(step)
  }
}

async function applyConcurrent(db: Database, migrations: readonly Migration[]): Promise<string> {
  return await db.onOneConnection(async (connection) => {
    const lock = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_ID])
    if (lock.rows[0]?.taken !== true) return 'busy'
    try {
      const next = await nextMissing(connection, migrations)
      if (next === null || next.concurrentStatements === null) return 'busy'
      await connection.query('set statement_timeout = 0; set lock_timeout = 0')
      return await apply(connection, next, next.concurrentStatements)
    } finally {
      await connection
        .query(`reset statement_timeout; reset lock_timeout; select pg_advisory_unlock(${LOCK_ID})`)
        .catch(() => {})
    }
  })
}

export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query('select 1 where to_regclass($1) is not null', [`public.${name}`])
  return rows.length > 0
}

export async function readAppliedMigrations(db: Queryable): Promise<string[]> {
  if (!(await hasTable(db, 'schema_migration'))) return []
  const { rows } = await db.query<{ name: string }>('select name from schema_migration order by name')
  return rows.map(({ name }) => name)
}

/** Returns the first release with a migration, such as `v1.1.0 or a newer one`; null if no tag of this clone has it. */
export function releaseWith(migration: string, clone: string = migrationsDir): string | null {
  // Git reads a clone that belongs to another user, such as root, only if the clone is named as safe.
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'safe.directory=*', '-C', clone, ...args], { encoding: 'utf8' })
  const tags = (git('tag', '--list', 'v*', '--sort=v:refname').stdout ?? '').split('\n').filter((tag) => tag !== '')
  const first = tags.find((tag) => git('cat-file', '-e', `${tag}:server/migrations/${migration}`).status === 0)
  return first === undefined ? null : `${first} or a newer one`
}

async function nextMissing(db: Queryable, migrations: readonly Migration[]): Promise<Migration | null> {
  await db.query(`create table if not exists schema_migration (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await db.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  )
  for (const [index, row] of rows.entries()) {
    const migration = migrations[index]
    if (migration === undefined || migration.name > row.name)
      throw new Error(
        `The database has the migration ${row.name}, which this version does not know: start ${releaseWith(rows.at(-1)?.name ?? '') ?? 'a newer version'}`,
      )
    if (migration.name < row.name)
      throw new Error(`${migration.name} is new but comes before ${row.name}, which is applied: number it last`)
    if (migration.sha256 !== row.sha256)
      throw new Error(`${row.name} was changed after it was applied: restore it and add a new migration`)
  }
  return migrations[rows.length] ?? null
}

async function apply(db: Queryable, { name, sha256 }: Migration, statements: readonly string[]): Promise<string> {
  try {
    for (const statement of statements) await db.query(statement, undefined, { timeoutMs: NO_TIMEOUT_MS })
  } catch (error) {
    throw new Error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  await db.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
  return name
}
