import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { dropAll, onServer, STALE_MS } from '#testing/database/on-server.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { makeOwnServer, runProgram, SHORT_LIVED } from '#testing/machines/process.ts'
import { folderOfTests } from '../../scripts/folder-of-tests.ts'
import { endpoints } from '#contract/endpoints.ts'
import { anAdmin, call } from './api.ts'
import { serverEnv } from './server-env.ts'

/** Installations, of which each journey's server gets a copy. */
export type Installations = {
  /** A folder whose embedded database has every table and no row yet: making the tables takes half of a first start. */
  readonly new: string
  /** The same, started once, by the machine's clock: the candles of its simulated past are there. */
  readonly started: string
  /** The same in a database of PostgreSQL, if `TEST_DATABASE_URL` names a server. */
  readonly native: NativeInstallation | null
}

export type NativeInstallation = { readonly serverUrl: string; readonly name: string; readonly folder: string }

declare module 'vitest' {
  interface ProvidedContext {
    installations: Installations
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(folderOfTests(), 'kim-phien-e2e-'))
  const empty = join(folder, 'new')
  const started = join(folder, 'started')
  await makeTables({ DATA_DIR: empty })
  cpSync(empty, started, { recursive: true })
  await startOnce(started, {})
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''
  const native = serverUrl === '' ? null : await makeNative(serverUrl, join(folder, 'native'))
  project.provide('installations', { new: empty, started, native })
  return async () => {
    if (native !== null) await dropAll(serverUrl, `^${native.name}`)
    // A server that was just ended may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

async function makeNative(serverUrl: string, folder: string): Promise<NativeInstallation> {
  // Databases that killed runs left behind.
  await dropAll(serverUrl, '^e2e_[0-9]{13}_[0-9]+', Date.now() - STALE_MS)
  const name = `e2e_${Date.now()}_${process.pid}`
  await onServer(serverUrl, `create database ${name}`)
  const env = { DATABASE_URL: databaseUrl(serverUrl, name) }
  await makeTables(env)
  mkdirSync(folder)
  await startOnce(folder, env)
  return { serverUrl, name, folder }
}

async function makeTables(env: Readonly<Record<string, string>>): Promise<void> {
  const { code, said } = await runProgram('e2e/support/make-tables.ts', { env })
  if (code !== 0) throw new Error(`The tables were not made: ${said}`)
}

async function startOnce(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const server = await makeOwnServer(folder, { ...serverEnv(0), ...env }, { nodeArgs: [SHORT_LIVED] })
  await server.start()
  const token = await anAdmin(server.url)
  await call(server.url, endpoints.listCandles, { token, query: { interval: 60, source: 'simulated', limit: 168 } })
  await server.stop()
}
