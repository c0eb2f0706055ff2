import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * npm leaves out of the lockfile what it could not fetch where it was written, and then `npm ci` refuses the whole
 * file, on every machine. Tools with one package for each kind of machine are where this happens.
 */
test('the lockfile has every optional package that another one in it names', () => {
  const { packages } = JSON.parse(readFileSync(posix.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  const named = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [path, name] as const),
  )
  expect(named.length).toBeGreaterThan(100)
  const missing = named.filter(
    ([path, name]) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
  )
  expect(missing).toEqual([])
})
