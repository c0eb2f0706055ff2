import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import journeys from '../e2e/vitest.config.ts'
import tests from '../vitest.config.ts'
import { filesBelow, gitFiles } from './source-files.ts'

/*
 * CONTRIBUTING.md, "Two gates": both run every project of vitest.config.ts, and the journeys.
 */

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] }
}
const files = (gitFiles() ?? filesBelow('.')).filter((path) => /\.test\.tsx?$/.test(path))
const projectsOf = (config: unknown, path: string): string[] =>
  (config as { readonly test: { readonly projects: readonly Project[] } }).test.projects.flatMap(
    ({ test: { name, include, exclude = [] } }) => {
      // Most patterns are the path of one file.
      const isAny = (patterns: readonly string[]) =>
        patterns.some((pattern) => (pattern.includes('*') ? matchesGlob(path, pattern) : path === pattern))
      return isAny(include) && !isAny(exclude) ? [name] : []
    },
  )

test('every test runs: in one project of vitest.config.ts, or on a device at least as a journey', () => {
  expect(files.length).toBeGreaterThan(300)
  const wrong = files.filter((path) =>
    path.startsWith('e2e/') ? projectsOf(journeys, path).length === 0 : projectsOf(tests, path).length !== 1,
  )
  expect(wrong).toEqual([])
})
