import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  /** Part of another package's archive, which that package's hash covers. */
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (path: string) => readFileSync(posix.join(root, path), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> }
const manifest = JSON.parse(read('package.json')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}
const entries = Object.entries(packages).filter(([path]) => path !== '')

/**
 * npm leaves out of the lockfile what it could not fetch on the machine that wrote it, and then `npm ci` refuses the
 * whole file on every machine. This happens to tools with one package for each platform.
 */
test('the lockfile has every optional package that another one in it names', () => {
  const named = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => [path, name] as const),
  )
  expect(named.length).toBeGreaterThan(100)
  const missing = named.filter(
    ([path, name]) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
  )
  expect(missing).toEqual([])
})

test('every package of every kind of machine is locked with a hash', () => {
  const isLocked = (path: string): boolean => {
    const { integrity = '', inBundle = false } = packages[path] ?? {}
    return inBundle ? isLocked(path.slice(0, path.lastIndexOf('/node_modules/'))) : integrity.startsWith('sha512-')
  }
  expect(entries.length).toBeGreaterThan(500)
  expect(entries.map(([path]) => path).filter((path) => !isLocked(path))).toEqual([])
})

test('Node itself is one of them, on Linux, macOS and Windows', () => {
  const own = Object.entries(manifest.optionalDependencies)
  const machines = own.map(([name, version]) => {
    const locked = packages[`node_modules/${name}`]
    expect({ name, version: locked?.version }).toEqual({ name, version })
    return `${String(locked?.os)}-${String(locked?.cpu)}`
  })
  expect(machines.toSorted()).toEqual(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'])
  // The launcher looks for Node in the same packages.
  const launcher = read('scripts/project.mjs')
  for (const [index, [name]] of own.entries())
    expect(launcher).toContain(
      `'${machines[index] ?? ''}': '${name}/bin/node${name.startsWith('node-win') ? '.exe' : ''}'`,
    )
  // The tests themselves run under it, and so does everybody.
  expect(process.execPath).toContain(posix.join('node_modules', 'node-'))
  expect(new Set(own.map(([, version]) => `v${version}`))).toEqual(new Set([process.version]))
  expect(launcher).toContain(`PROJECT_NODE_MAJOR = ${/\d+/.exec(process.version)?.[0] ?? ''}\n`)
})

/** A package's install script could fetch anything, past every hash. */
test('no package runs anything while it is installed, but those that package.json allows', () => {
  const withScripts = entries.filter(([, { hasInstallScript = false }]) => hasInstallScript)
  expect(withScripts.map(([path]) => path.split('node_modules/').at(-1))).toEqual(Object.keys(manifest.allowScripts))
  expect(read('.npmrc')).toContain('ignore-scripts=true\n')
})

test('the lockfile and the settings of npm name no registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true\n')
  expect(read('.npmrc')).not.toContain('://')
})
