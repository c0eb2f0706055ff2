import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { inject } from 'vitest'
import type { Database } from '#server/platform/db.ts'
import { openEmbedded } from '#server/platform/embedded.ts'
import { openNative } from '#server/platform/native.ts'
import { databaseUrl } from './server-url.ts'

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
 * A migrated database for the calling test file's beforeAll. close() deletes it. On the native engine `url` names it,
 * so that a test can open more connections or start processes on it; embedded, `url` is null.
 */
export async function openTestDatabase(engine: Engine): Promise<Database & { readonly url: string | null }> {
  if (engine === 'embedded') {
    const loadDump = await openAsBlob(inject('embeddedDumpPath'))
    return { ...(await openEmbedded({ dataDir: null, loadDump })), url: null }
  }
  const { serverUrl, templateName } = inject('nativeTemplate') ?? {}
  if (serverUrl === undefined || templateName === undefined) throw new Error('TEST_DATABASE_URL is not set')
  const name = `${templateName}_${randomBytes(4).toString('hex')}`
  await onServer(serverUrl, `create database ${name} template ${templateName}`)
  const url = databaseUrl(serverUrl, name)
  // A test may hold a transaction open for as long as it needs.
  const db = openNative({ url, applicationName: 'test', idleInTxTimeoutMs: 60_000, lockTimeoutMs: 30_000 })
  return {
    ...db,
    url,
    async close() {
      await db.close()
      await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

/** Restores the rows that the migrations left, for beforeEach: a few ms. Identity columns keep counting. */
export async function resetDatabase(db: Database): Promise<void> {
  await db.query('select test_seed.reset()')
}

async function onServer(url: string, statement: string): Promise<void> {
  const server = openNative({ url, max: 1 })
  try {
    await server.query(statement)
  } finally {
    await server.close()
  }
}
