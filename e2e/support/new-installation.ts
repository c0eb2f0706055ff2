import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { makeOwnServer, SHORT_LIVED } from '#testing/machines/process.ts'
import { folderOfTests } from '../../scripts/folder-of-tests.ts'
import { endpoints } from '#contract/endpoints.ts'
import { anAdmin, call } from './api.ts'
import { serverEnv } from './server-env.ts'

/** Folders of installations, of which each journey's server gets a copy. */
export type Installations = {
  /** It has every table and no row of a server yet: making the tables takes half of a first start. */
  readonly new: string
  /** It was started once, by the machine's clock: the candles of its simulated past are there. */
  readonly started: string
}

declare module 'vitest' {
  interface ProvidedContext {
    installations: Installations
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(folderOfTests(), 'kim-phien-e2e-'))
  const installations = { new: join(folder, 'new'), started: join(folder, 'started') }
  execFileSync(process.execPath, [fileURLToPath(new URL('make-tables.ts', import.meta.url)), installations.new], {
    cwd: root,
    stdio: 'inherit',
  })
  cpSync(installations.new, installations.started, { recursive: true })
  const server = await makeOwnServer(installations.started, serverEnv(0), { nodeArgs: [SHORT_LIVED] })
  await server.start()
  const token = await anAdmin(server.url)
  await call(server.url, endpoints.listCandles, { token, query: { interval: 60, source: 'simulated', limit: 168 } })
  await server.stop()
  project.provide('installations', installations)
  // A server that was just ended may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
