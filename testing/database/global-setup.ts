import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { migrate, readMigrations } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { dropAll, onServer, STALE_MS } from './on-server.ts'
import { rememberSeedRows } from './prepared-database.ts'
import { databaseUrl } from './url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embeddedDumpPath: string
    nativeTemplate: { readonly serverUrl: string; readonly templateName: string } | null
  }
}

const root = new URL('../../', import.meta.url).pathname
const dumpDir = join(root, '.build/test-databases')

/** Creates, once per run, the database or dump that every test database is copied from. */
export default async function prepareDatabases(project: TestProject): Promise<() => Promise<void>> {
  project.provide('embeddedDumpPath', await embeddedDump())
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''
  if (serverUrl === '') {
    project.provide('nativeTemplate', null)
    return async () => {}
  }
  const templateName = `test_${Date.now()}_${process.pid}`
  project.provide('nativeTemplate', { serverUrl, templateName })
  // Databases that killed runs left behind.
  await dropAll(serverUrl, '^test_[0-9]{13}_[0-9]+', Date.now() - STALE_MS)
  await onServer(serverUrl, `create database ${templateName}`)
  const template = openNative({ url: databaseUrl(serverUrl, templateName), max: 1 })
  await migrate(template)
  await rememberSeedRows(template)
  await template.close()
  return () => dropAll(serverUrl, `^${templateName}`)
}

/**
 * Creating and migrating takes seconds, loading a dump a fraction of one; runs with the same migrations share one dump.
 */
async function embeddedDump(): Promise<string> {
  const key = createHash('sha256')
  for (const migration of readMigrations()) key.update(migration.sha256)
  for (const file of ['testing/database/prepared-database.ts', 'node_modules/@electric-sql/pglite/package.json'])
    key.update(readFileSync(join(root, file)))
  const path = join(dumpDir, `${key.digest('hex').slice(0, 16)}.tar`)
  if (existsSync(path)) return path
  mkdirSync(dumpDir, { recursive: true })
  for (const name of readdirSync(dumpDir))
    if (Date.now() - statSync(join(dumpDir, name)).mtimeMs > STALE_MS) rmSync(join(dumpDir, name), { force: true })
  // Several runs may do this at the same time: each writes its own file, and it does not matter which rename comes
  // last.
  const ownPath = `${path}.${process.pid}`
  // Runs in a process of its own: V8 now and then ends the process that gives such a database back (nodejs/node#64500),
  // and this one has every result of the run.
  execFileSync(process.execPath, [fileURLToPath(new URL('dump-child.ts', import.meta.url)), ownPath], {
    cwd: root,
    stdio: 'inherit',
  })
  renameSync(ownPath, path)
  return path
}
