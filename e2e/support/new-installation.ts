import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

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
  const folder = mkdtempSync(join(tmpdir(), 'kim-phien-e2e-new-'))
  execFileSync(process.execPath, [fileURLToPath(new URL('make-tables.ts', import.meta.url)), folder], {
    cwd: root,
    stdio: 'inherit',
  })
  project.provide('newInstallation', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
