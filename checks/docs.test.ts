import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingsTable } from '#server/platform/settings.ts'
import { filesBelow, root } from './source-files.ts'

const read = (path: string) => readFileSync(posix.join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const pages = ['README.md', ...filesBelow('docs').filter((path) => path.endsWith('.md'))]

test('the pages were found', () => {
  expect(pages).toEqual(expect.arrayContaining(['docs/architecture.md', 'docs/glossary.md', 'docs/operations.md']))
  expect(pages.length).toBeGreaterThan(12)
})

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('links only to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? '')
    expect(links.filter((link) => !existsSync(posix.join(root, posix.dirname(page), link)))).toEqual([])
  })

  test('names only commands that exist', () => {
    const named = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name ?? '')
    expect(named.filter((name) => manifest.scripts[name] === undefined)).toEqual([])
  })

  test('names only files that exist', () => {
    const named = [...text.matchAll(/`((?:domain|contract|server|web|checks|docs|scripts|bench|e2e)\/[\w./-]+)`/g)]
    const missing = named.map(([, path]) => path ?? '').filter((path) => !existsSync(posix.join(root, path)))
    expect(missing).toEqual([])
  })
})

test('operations.md shows the settings as the server reads them', () => {
  const rows = settingsTable.map(({ name, default: value, allowed, meaning }) => [
    `\`${name}\``,
    value ?? '–',
    allowed,
    meaning,
  ])
  expect(rows.length).toBeGreaterThan(15)
  const shown = read('docs/operations.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z0-9_]+` +\|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  expect(shown).toEqual(rows)
})

test('operations.md lists the metrics that the server registers', () => {
  const listed = [...read('docs/operations.md').matchAll(/^\| `([a-z]+(?:_[a-z]+)+)` +\|/gm)].map(
    ([, name]) => name ?? '',
  )
  const code = filesBelow('server')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  // A gauge's name is its first argument; the others' are a property. Names with a gap are written out once per feed counter.
  const named = [...code.matchAll(/\.gauge\(\s*'([a-z_]+)'|new (?:Histogram|Counter|Gauge)\(\{\s*name: '([a-z_]+)'/g)]
  const counters = /for \(const name of \[([^\]]+)\] as const\)\s*metrics\.gauge\(`feed_/.exec(code)?.[1] ?? ''
  const feeds = [...counters.matchAll(/'([a-z]+)'/g)].map(([, name]) => `feed_${name ?? ''}`)
  expect(listed.length).toBeGreaterThan(5)
  expect(listed.toSorted()).toEqual([...named.map(([, gauge, other]) => gauge ?? other ?? ''), ...feeds].toSorted())
})

test('every dependency has its reason in decision 011, and no reason has lost its dependency', () => {
  const installed = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  const lines = read('docs/decisions/011-dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('- '))
  const named = lines.flatMap((line) =>
    [...line.slice(0, line.indexOf(':')).matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  )
  expect(named.toSorted()).toEqual(installed.toSorted())
  for (const line of lines) expect(line).toMatch(/: .{5,}\.$/)
})

describe('decisions', () => {
  const decisions = filesBelow('docs/decisions')

  test('are numbered one by one', () => {
    expect(decisions.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/000'.length))).toEqual(
      decisions.map((_, index) => String(index + 1).padStart(3, '0')),
    )
  })

  test.each(decisions)('%s gives its context, the decision and its consequences', (path) => {
    const text = read(path)
    expect(text.startsWith(`# ${posix.basename(path).slice(0, 3)} `)).toBe(true)
    for (const part of ['**Context.**', '**Decision.**', '**Consequences.**']) expect(text).toContain(part)
  })
})

test('architecture.md names every folder and every feature', () => {
  const text = read('docs/architecture.md')
  const folders = ['domain', 'contract', 'server', 'web', 'bench', 'checks', 'e2e', 'scripts', 'docs']
  const below = ['domain', 'server', 'server/features', 'web', 'web/features'].flatMap((folder) =>
    filesBelow(folder)
      .map((path) => path.slice(folder.length + 1))
      .filter((path) => path.includes('/'))
      .map((path) => path.split('/')[0] ?? ''),
  )
  expect([...new Set([...folders, ...below])].filter((name) => !text.includes(`${name}/`))).toEqual([])
})
