import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { folderOfTests } from './scripts/folder-of-tests.ts'
import { reporters } from './scripts/test-report.ts'
import type { RunSettings } from '#testing/run/properties.ts'

// All parts of one run that read this configuration get the same seed.
process.env['TEST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31))

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
/**
 * A worker keeps what it has loaded, and its database, for the next file; only the web's files have modules of their own.
 * A file that changes modules for others, or gives a reason to be alone in its first line, has a worker to itself.
 */
const isAlone = (path: string) =>
  /^\/\/ Alone: \S/.test(textOf(path)) ||
  (!path.startsWith('web/') && /\bvi\.(mock|doMock|resetModules)\(/.test(textOf(path)))
/** Takes tens of seconds for the reason in its first line: `npm test` without arguments leaves it to `.ci/run`. */
const isForGate = (path: string) => /^\/\/ Gate: \S/.test(textOf(path))
const filesOf = (pattern: string) => {
  const paths = globSync(pattern, { cwd: import.meta.dirname })
  const quick = paths.filter((path) => !isForGate(path))
  return {
    shared: quick.filter((path) => !isAlone(path)),
    alone: quick.filter(isAlone),
    gate: paths.filter(isForGate),
  }
}
const serverFiles = filesOf('{server,testing}/**/*.test.ts')
const otherFiles = filesOf('{checks,bench}/**/*.test.ts')
const domainFiles = filesOf('domain/**/*.test.ts')
const componentFiles = filesOf('web/**/*.test.tsx')

// The smallest machine that runs the tests has two cores; further workers use them while others wait, as pages do most.
const withoutDatabase = { maxWorkers: 5, sequence: { groupOrder: 0 } }
const components = { ...withoutDatabase, environment: 'happy-dom', setupFiles: ['./web/testing/set-up.ts'] }

const server = {
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  globalSetup: ['./testing/database/global-setup.ts'],
  // The embedded database can end its process; it must not end the other tests with it.
  pool: 'forks' as const,
  env: { TMPDIR: folderOfTests() },
}

export default defineConfig({
  test: {
    // For what hangs. A slow machine takes 20 s beside the others for a test that takes 3 alone.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    isolate: false,
    setupFiles: ['./testing/run/loud.ts', './testing/run/properties.ts'],
    provide: {
      seed: Number(process.env['TEST_SEED']),
      isFull: process.env['TEST_DEPTH'] === 'full',
    } satisfies RunSettings,
    reporters: reporters(),
    projects: [
      { extends: true, test: { name: 'domain', ...withoutDatabase, include: domainFiles.shared, pool: 'threads' } },
      {
        extends: true,
        test: { name: 'contract', ...withoutDatabase, include: ['contract/**/*.test.ts'], pool: 'threads' },
      },
      // A page's knowledge of the server's time, of prices and of its session is kept in modules: each file has a
      // context of its own, in a worker that keeps its engine.
      { extends: true, test: { name: 'web', ...withoutDatabase, include: ['web/**/*.test.ts'], pool: 'vmThreads' } },
      { extends: true, test: { name: 'components', include: componentFiles.shared, pool: 'vmThreads', ...components } },
      {
        extends: true,
        test: {
          name: 'components-alone',
          include: componentFiles.alone,
          pool: 'threads',
          isolate: true,
          ...components,
        },
      },
      {
        extends: true,
        test: {
          name: 'checks',
          ...withoutDatabase,
          include: ['checks/**/*.test.ts'],
          exclude: otherFiles.gate,
          pool: 'threads',
        },
      },
      {
        extends: true,
        test: {
          name: 'bench',
          ...withoutDatabase,
          include: ['bench/**/*.test.ts'],
          exclude: otherFiles.gate,
          pool: 'forks',
        },
      },
      { extends: true, test: { name: 'server', include: serverFiles.shared, ...server } },
      { extends: true, test: { name: 'server-alone', include: serverFiles.alone, isolate: true, ...server } },
      {
        extends: true,
        test: { name: 'gate', include: [...domainFiles.gate, ...serverFiles.gate, ...otherFiles.gate], ...server },
      },
    ],
  },
})
