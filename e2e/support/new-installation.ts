import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { folderOfTests } from '../../scripts/folder-of-tests.ts'

declare module 'vitest' {
  interface ProvidedContext {
    newInstallation: string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of an installation whose database has every table and no row of a server yet. Each journey's server gets a
 * copy: making the tables takes half of a first start.
 */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(folderOfTests(), 'kim-phien-e2e-'))
  const installation = join(folder, 'new')
  execFileSync(process.execPath, [fileURLToPath(new URL('make-tables.ts', import.meta.url)), installation], {
    cwd: root,
    stdio: 'inherit',
  })
  project.provide('newInstallation', installation)
  // A server that was just ended may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
