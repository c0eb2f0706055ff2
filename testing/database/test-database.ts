import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { inject } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { openNative } from '#server/platform/database/native.ts'
import { copyDatabase, dropDatabase, onServer } from './on-server.ts'
import { databaseUrl } from './url.ts'

export type Engine = Database['engine']

/**
 * The engines that database tests run on: native only when TEST_DATABASE_URL names a server, and nothing else with
 * TEST_ENGINES=native, for a run that follows one on the embedded engine.
 */
export const testEngines: readonly Engine[] =
  (process.env['TEST_DATABASE_URL'] ?? '') === ''
    ? ['embedded']
    : process.env['TEST_ENGINES'] === 'native'
      ? ['native']
      : ['embedded', 'native']

/**
 * A migrated database for the calling test file's beforeAll. close() keeps it for the next one. On the native engine `url` names it,
 * so that a test can open more connections or start processes on it; embedded, `url` is null.
 */
export async function openTestDatabase(engine: Engine): Promise<Database & { readonly url: string | null }> {
  if (engine === 'embedded') return await openKeptEngine()
  const { serverUrl, templateName } = inject('nativeTemplate') ?? {}
  if (serverUrl === undefined || templateName === undefined) throw new Error('TEST_DATABASE_URL is not set')
  const newName = () => `${templateName}_${randomBytes(4).toString('hex')}`
  let name = idleNames.pop()
  if (name === undefined) {
    name = newName()
    await copyDatabase(serverUrl, templateName, name)
  }
  const url = databaseUrl(serverUrl, name)
  // A test may hold a transaction open for as long as it needs.
  const db = openNative({ url, applicationName: 'test', idleInTxTimeoutMs: 60_000, lockTimeoutMs: 30_000 })
  let closing: Promise<void> | null = null
  return { ...db, url, close: () => (closing ??= giveBackNative(db, serverUrl, name, newName())) }
}

/** Databases of the server that wait for this process's next test file. */
const idleNames: string[] = []

/** Keeps a database under a new name, which work that its file left running does not know, or drops it. */
async function giveBackNative(db: Database, serverUrl: string, name: string, newName: string): Promise<void> {
  const others = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}' and application_name <> 'test'`
  try {
    await onServer(serverUrl, others)
    const isAgain = await restored(db).finally(() => db.close())
    await onServer(serverUrl, isAgain ? `alter database ${name} rename to ${newName}` : `drop database ${name}`)
    if (isAgain) idleNames.push(newName)
  } catch {
    // A test has dropped the database, or objects in it that resetting needs.
    await dropDatabase(serverUrl, name)
  }
}

/** Engines of this process that wait for the next test file: opening one takes longer than many a file. */
const idleEngines: EmbeddedDatabase[] = []

/** Engines whose tables a test has changed. V8 now and then ends a process that frees one (nodejs/node#64500). */
const changedEngines: EmbeddedDatabase[] = []

async function openKeptEngine(): Promise<EmbeddedDatabase & { readonly url: null }> {
  const engine =
    idleEngines.pop() ?? (await openEmbedded({ dataDir: null, loadDump: await openAsBlob(inject('embeddedDumpPath')) }))
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => (closing ??= giveBack(engine))
  // Work that a file left running must not write into the database of the next one.
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== null) throw new Error('The test database is closed')
    return await work()
  }
  const ownedBy = <D extends Database>(db: D): D => {
    const owned: Pick<Database, 'query' | 'tx' | 'onOneConnection' | 'close'> = {
      query: (text, params, options) => whileOpen(() => db.query(text, params, options)),
      tx: (work, options) => whileOpen(() => db.tx(work, options)),
      onOneConnection: (work) => whileOpen(() => db.onOneConnection(work)),
      close,
    }
    return { ...db, ...owned }
  }
  const { engine: rounds, sessions, bets, publicReads, requests } = engine.connections
  return {
    ...ownedBy(engine),
    connections: {
      engine: ownedBy(rounds),
      sessions: ownedBy(sessions),
      bets: ownedBy(bets),
      publicReads: ownedBy(publicReads),
      requests: ownedBy(requests),
      close,
    },
    url: null,
  }
}

/** Keeps an engine whose tables and settings are as at its opening, with the rows that the migrations left. */
async function giveBack(engine: EmbeddedDatabase): Promise<void> {
  if (await restored(engine)) idleEngines.push(engine)
  else changedEngines.push(engine)
}

/** Puts back the rows that the migrations left; false where a file has changed more than rows. */
async function restored(db: Database): Promise<boolean> {
  await resetDatabase(db)
  const { rows: used } = await db.query<{ tables: string }>(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  )
  // The embedded engine has no autovacuum.
  await db.query(`vacuum ${used[0]?.tables}`)
  const { rows } = await db.query<{ again: boolean }>('select test_made.is_again() as again')
  return rows[0]?.again === true
}

/** Restores the rows that the migrations left, for beforeEach: a few ms. Identity columns keep counting. */
export async function resetDatabase(db: Database): Promise<void> {
  await db.query('select test_seed.reset()')
}
