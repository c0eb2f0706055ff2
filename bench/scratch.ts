import { execFileSync } from 'node:child_process'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { makeWorld } from './world.ts'
import { makeYardstick } from './yardstick.ts'

/** The PostgreSQL server of the tests, with a user that may create databases. */
const SERVER_URL =
  process.env['BENCH_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const PREFIX = `bench_${process.pid}`
let copies = 0

export const onServer = async <T>(work: (server: Database) => Promise<T>): Promise<T> => {
  const server = openNative({ url: SERVER_URL, max: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 300_000 })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

export const serverVersion = (): Promise<string> =>
  onServer(async (server) => String((await server.query('show server_version')).rows[0]?.['server_version']))

/** Drops databases of killed benchmarks: those whose process no longer exists. */
export async function dropLeftovers(): Promise<void> {
  await onServer(async (server) => {
    const { rows } = await server.query<{ name: string }>(
      `select datname as name from pg_database where datname ~ '^bench_[0-9]+_'`,
    )
    for (const { name } of rows)
      if (!isRunning(Number(name.split('_')[1]))) await server.query(`drop database if exists ${name} with (force)`)
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A database with migrations, players and the yardstick's functions; every measurement gets its own copy. */
export interface Template {
  readonly name: string
  readonly players: number
  drop(): Promise<void>
}

export async function makeTemplate(players: number): Promise<Template> {
  const name = `${PREFIX}_template_${players}`
  await onServer((server) => server.query(`create database ${name}`))
  const db = openNative({
    url: databaseUrl(SERVER_URL, name),
    max: 2,
    statementTimeoutMs: 300_000,
    lockTimeoutMs: 300_000,
  })
  try {
    await migrate(db)
    await makeWorld(db, players)
    await makeYardstick(db)
  } finally {
    await db.close()
  }
  return {
    name,
    players,
    drop: () => onServer(async (server) => void (await server.query(`drop database if exists ${name} with (force)`))),
  }
}

/**
 * Runs one measurement on a fresh copy, so that every run begins with the same rows, the same plans and no bloat.
 * Afterwards the whole ledger is verified. A finding ends the benchmark.
 */
export async function onCopy<T>(template: Template, work: (url: string, db: Database) => Promise<T>): Promise<T> {
  const name = `${PREFIX}_copy_${copies++}`
  await onServer((server) => server.query(`create database ${name} template ${template.name} strategy file_copy`))
  const url = databaseUrl(SERVER_URL, name)
  const db = openNative({ url, statementTimeoutMs: 300_000, lockTimeoutMs: 300_000 })
  try {
    await warm(db)
    const result = await work(url, db)
    await checkLedger(db)
    return result
  } finally {
    await db.close()
    await onServer((server) => server.query(`drop database if exists ${name} with (force)`))
  }
}

/** Runs one measurement on a new, empty database with all migrations. */
export async function onDatabase<T>(suffix: string, work: (url: string, db: Database) => Promise<T>): Promise<T> {
  const name = `${PREFIX}_${suffix}`
  await onServer((server) => server.query(`create database ${name}`))
  try {
    return await onSeeded(name, async (url, db) => {
      await migrate(db)
      return await work(url, db)
    })
  } finally {
    await onServer((server) => server.query(`drop database if exists ${name} with (force)`))
  }
}

/** Runs one measurement on an existing database, which is kept. */
export async function onSeeded<T>(name: string, work: (url: string, db: Database) => Promise<T>): Promise<T> {
  const url = databaseUrl(SERVER_URL, name)
  const db = openNative({ url, statementTimeoutMs: 1_800_000, lockTimeoutMs: 300_000 })
  try {
    return await work(url, db)
  } finally {
    await db.close()
  }
}

/**
 * Changes every page of some tables, by locks on rows. The first change of a page after a checkpoint writes the whole
 * page to the write-ahead log. A server that has run for minutes is past that, so these writes are not measured.
 */
async function warm(db: Database): Promise<void> {
  await db.query('checkpoint')
  await db.tx(async (tx) => {
    await tx.query('select count(*) from (select 1 from users for share) u')
    await tx.query('select count(*) from (select 1 from sessions for share) s')
    await tx.query('select count(*) from (select 1 from ledger_accounts for update) a')
  })
}

/** Thrown if the ledger is wrong: the only measured result that fails a benchmark. */
export class WrongLedgerError extends Error {
  override readonly name = 'WrongLedgerError'
}

export async function checkLedger(db: Database): Promise<void> {
  const { findings } = await verifyLedger(db, true)
  if (findings.length > 0) throw new WrongLedgerError(`The books are wrong: ${JSON.stringify(findings)}`)
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
