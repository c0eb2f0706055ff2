import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { folderOfTests } from './scripts/folder-of-tests.ts'
import { reporters } from './scripts/test-report.ts'
import type { RunSettings } from '#testing/run/properties.ts'

// All parts of one run that read this configuration get the same seed.
process.env['TEST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31))

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
/**
 * True for a file that needs a worker to itself: its first line says why (`// Alone: …`), or the file replaces modules.
 * Other files share a worker, which keeps its loaded modules and its database from file to file; only files of web/ get
 * modules of their own.
 */
const isAlone = (path: string) =>
  /^\/\/ Alone: \S/.test(textOf(path)) ||
  (!path.startsWith('web/') && /\bvi\.(mock|doMock|resetModules)\(/.test(textOf(path)))
/**
 * True for a file that takes tens of seconds. Its first line says why (`// Gate: …`). `npm test` without arguments
 * leaves such files to `.ci/run`.
 */
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

// The smallest machine that runs the tests has two cores. More than two workers use these cores better, because tests
// often wait, most of all the tests of pages.
const withoutDatabase = { maxWorkers: 5, sequence: { groupOrder: 0 } }
const components = { ...withoutDatabase, environment: 'happy-dom', setupFiles: ['./web/testing/set-up.ts'] }

const server = {
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  globalSetup: ['./testing/database/global-setup.ts'],
  // The embedded database can end its process, so each worker is a process of its own.
  pool: 'forks' as const,
  env: { TMPDIR: folderOfTests() },
}

export default defineConfig({
  test: {
    // This limit only ends tests that hang. It is high, because a test that takes 3 s alone takes 20 s beside the
    // others on a slow machine.
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
      // What a page knows about the server's time, prices and its session is kept in modules. So each file gets a
      // context of its own, in a worker that runs many files one after the other.
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
