import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filesBelow, type Finding, gitFiles, readSource, root, sourceFile, type Tier, TIERS } from './source-files.ts'
import { findCircles } from './rules/circles.ts'
import { FEATURE_EDGES } from './rules/imports.ts'
import { rules } from './rules/rules.ts'
import { type Samples, samples } from './rules/samples.ts'
import { createdTables, declaredTables, PLATFORM_TABLES, TABLE_OWNERS } from './rules/tables.ts'
import { WIRE_NAMES } from './rules/words.ts'

const told = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line, message }) => `${path}:${line} ${message}`)

const titled = (name: keyof typeof rules, kind: keyof Samples) =>
  samples[name][kind].map(([path, text]) => [path, text.replace(/\s+/g, ' '), text] as const)

/** Files of the tiers from the disk, except those that git ignores. */
const known = gitFiles()
const isKnown = (path: string) => known === null || known.includes(path)
const tierFiles = Object.fromEntries(TIERS.map((tier) => [tier, filesBelow(tier).filter(isKnown)])) as Record<
  Tier,
  string[]
>
const isText = (path: string) => !/\.(png|jpe?g|gif|webp|ico|woff2?|gz)$/.test(path)
const everyPath = known ?? [
  ...TIERS.flatMap((tier) => filesBelow(tier)),
  ...filesBelow('docs'),
  'README.md',
  'package.json',
  'package-lock.json',
]
const sources = everyPath.filter(isText).map(readSource)

describe.each(Object.keys(rules) as (keyof typeof rules)[])('%s', (name) => {
  test.each(titled(name, 'wrong'))('finds %s: %s', (path, _, text) => {
    const findings = rules[name](sourceFile(path, text))
    expect(told(findings)).toHaveLength(1)
    expect(findings[0]?.message.length).toBeGreaterThan(10)
  })

  test.each(titled(name, 'fine'))('lets %s: %s', (path, _, text) => {
    expect(told(rules[name](sourceFile(path, text)))).toEqual([])
  })

  test('finds nothing in this tree', () => {
    expect(told(sources.flatMap(rules[name]))).toEqual([])
  })
})

describe('findCircles', () => {
  const circlesOf = (texts: Readonly<Record<string, string>>) =>
    told(findCircles(Object.entries(texts).map(([path, text]) => sourceFile(path, text))))

  test.each([
    ['import()', `const load = () => import('./b.tsx')`],
    ['a type', `import type { B } from './b.tsx'`],
    ['a type of a module', `let b: typeof import('./b.tsx')`],
    ['a re-export', `export { b } from './b.tsx'`],
    ['an alias', `import { b } from '#web/ui/b.tsx'`],
  ])('finds one through %s, and none without it', (_, text) => {
    const back = `import { a } from './a.tsx'`
    expect(circlesOf({ 'web/ui/a.tsx': text, 'web/ui/b.tsx': back })).toEqual([
      expect.stringMatching(/a\.tsx → web\/ui\/b\.tsx|b\.tsx → web\/ui\/a\.tsx/),
    ])
    expect(circlesOf({ 'web/ui/a.tsx': text, 'web/ui/b.tsx': '' })).toEqual([])
  })

  test('finds each of several, also long ones, and no imports that only lead to one', () => {
    const found = circlesOf({
      'web/in.ts': `import './a.ts'; import './x.ts'`,
      'web/a.ts': `import './b.ts'`,
      'web/b.ts': `import './c.ts'; import './out.ts'`,
      'web/c.ts': `import './a.ts'`,
      'web/x.ts': `import './y.ts'`,
      'web/y.ts': `import './x.ts'`,
      'web/out.ts': '',
    })
    expect(found).toHaveLength(2)
    expect(found.join()).not.toMatch(/in\.ts|out\.ts/)
  })

  test('finds none in this tree', () => {
    expect(told(findCircles(sources))).toEqual([])
  })
})

describe('the files that were looked at', () => {
  test.each(TIERS)('%s: every file', (tier) => {
    const seen = sources.filter(({ path }) => path.startsWith(`${tier}/`)).length
    expect(seen).toBe(tierFiles[tier].filter(isText).length)
    // Without bench/ or e2e/ their own commands fail; the rules exist for the other tiers.
    if (!['bench', 'e2e'].includes(tier)) expect(seen).toBeGreaterThan(0)
  })

  test('a rule that reads syntax gets some: hundreds of nodes a file', () => {
    const code = sources.filter(({ path }) => /^(domain|contract|server|web)\/.*\.tsx?$/.test(path))
    const nodes = code.reduce((sum, file) => sum + file.nodes().length, 0)
    expect(code.length).toBeGreaterThan(60)
    expect(nodes / code.length).toBeGreaterThan(100)
  })
})

describe('owners of tables', () => {
  const owned = [...Object.values(TABLE_OWNERS).flat(), ...Object.keys(PLATFORM_TABLES)]
  const migrations = sources.filter(({ path }) => /^server\/migrations\/.*\.sql$/.test(path))

  test('every table that a migration makes has one owner, and there is no other', () => {
    expect(migrations.length).toBeGreaterThan(3)
    // The migrator and a move create their own tables before the first migration.
    const made = [...migrations.flatMap(({ text }) => createdTables(text)), 'schema_migration', 'move_mark']
    // A table that becomes partitioned is created a second time, around the first one.
    expect([...new Set(made)].toSorted()).toEqual(owned.toSorted())
    expect(new Set(owned).size).toBe(owned.length)
  })

  test.each(Object.entries(TABLE_OWNERS))('%s says the same in the header of its index.ts', (feature, tables) => {
    const { text } = readSource(`server/features/${feature}/index.ts`)
    expect(declaredTables(text.slice(0, text.indexOf('*/'))).toSorted()).toEqual([...tables].toSorted())
  })

  test('a feature without tables owns none by its header either', () => {
    const others = filesBelow('server/features').filter((path) => /^server\/features\/[^/]+\/index\.ts$/.test(path))
    expect(others.length).toBeGreaterThan(3)
    for (const path of others) {
      const feature = path.split('/')[2] ?? ''
      const { text } = readSource(path)
      expect([feature, declaredTables(text.slice(0, text.indexOf('*/'))).length]).toEqual([
        feature,
        TABLE_OWNERS[feature]?.length ?? 0,
      ])
    }
  })

  test('headers are read as they are written', () => {
    expect(
      declaredTables(
        '/**\n * Wallet. Owns ledger_accounts,\n * ledger_transfers and idempotency_keys. Emits a and b.\n',
      ),
    ).toEqual(['ledger_accounts', 'ledger_transfers', 'idempotency_keys'])
    expect(declaredTables('/** Game. Owns rounds and bets; emits bet_changed. ')).toEqual(['rounds', 'bets'])
    expect(declaredTables('/** Files: owns nothing. ')).toEqual([])
  })
})

describe('edges between features', () => {
  test('form no circle', () => {
    const reaches = (from: string, seen: readonly string[]): string[] =>
      seen.includes(from)
        ? [[...seen, from].join(' → ')]
        : (FEATURE_EDGES[from] ?? []).flatMap((to) => reaches(to, [...seen, from]))
    expect(Object.keys(FEATURE_EDGES).flatMap((feature) => reaches(feature, []))).toEqual([])
  })

  test('name every feature there is', () => {
    const features = new Set(filesBelow('server/features').map((path) => path.split('/')[2] ?? ''))
    expect([...features].filter((feature) => FEATURE_EDGES[feature] === undefined)).toEqual([])
  })
})

test('every wire name that is forbidden has its word in the glossary', () => {
  const glossary = readFileSync(`${root}docs/glossary.md`, 'utf8')
  expect(Object.keys(WIRE_NAMES).filter((name) => !glossary.includes(`\`${name}\``))).toEqual([])
})

describe('package-lock.json', () => {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>
  }
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

  test('names no host: every installation uses its own registry', () => {
    expect(packages.length).toBeGreaterThan(100)
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })
})
