import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingsTable } from '#server/platform/process/settings-table.ts'
import { citationsOf, commandsOf, namesOf, pathsOf, sectionsOf } from './cited.ts'
import { FEATURE_EDGES } from './rules/imports.ts'
import { filesBelow, gitFiles, isTest, root, TIERS } from './source-files.ts'

const read = (path: string) => readFileSync(posix.join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
/** The names by which GitHub links to the headings of a page. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
const pages = ['README.md', ...filesBelow('docs').filter((path) => path.endsWith('.md'))]

/** This file, whose samples cite things that do not exist. */
const samplesHere = 'checks/docs.test.ts'
const treeFiles = gitFiles() ?? [...TIERS.flatMap(filesBelow), ...filesBelow('docs'), 'README.md', 'vite.config.ts']
const code = treeFiles
  .filter((path) => /\.(?:ts|tsx|mjs|js|sql|yml)$/.test(path) && path !== samplesHere)
  .map(read)
  .join('\n')
const namesInCode = new Set(code.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))
/** The environment variables of the server, and those of scripts and tests. */
const settingNames = new Set([
  ...settingsTable.map(({ name }) => name),
  ...[...code.matchAll(/process\.env(?:\.|\[')([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name ?? ''),
])

test('the pages were found', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['docs/architecture.md', 'docs/glossary.md', 'docs/rules.md', 'docs/spec.md']),
  )
  expect(pages.length).toBeGreaterThan(12)
})

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('links only to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)#?([^)\s]*)\)/g)]
    const isThere = (link: string, heading: string) => {
      const path = posix.join(posix.dirname(page), link)
      return existsSync(posix.join(root, path)) && (heading === '' || anchorsOf(read(path)).includes(heading))
    }
    expect(links.filter(([, link = '', heading = '']) => !isThere(link, heading)).map(([all]) => all)).toEqual([])
  })

  test('names only commands that exist', () => {
    expect(commandsOf(text).filter((name) => manifest.scripts[name] === undefined)).toEqual([])
  })

  test('names only files that exist', () => {
    const isThere = (path: string) =>
      // The name of a library may end like a file's.
      manifest.dependencies[path] !== undefined ||
      [posix.join(root, path), posix.join(root, posix.dirname(page), path)].some((place) => existsSync(place)) ||
      // A path may also be relative to the folder that the sentence is about.
      (!path.includes('/') && treeFiles.some((file) => posix.basename(file) === path))
    expect(pathsOf(text).filter((path) => !isThere(path))).toEqual([])
  })

  test('names only settings and codes that the code has', () => {
    const { named, assigned } = namesOf(text)
    expect(assigned.filter((name) => !settingNames.has(name))).toEqual([])
    expect(named.filter((name) => !namesInCode.has(name))).toEqual([])
  })
})

describe('the sections of the law', () => {
  const sections = {
    spec: sectionsOf(read('docs/spec.md')),
    rules: sectionsOf(read('docs/rules.md')),
    'open-book': sectionsOf(read('docs/open-book.md')),
  }

  test.each(Object.entries(sections))('docs/%s.md numbers each section once, in order, without a gap', (_, numbers) => {
    const [top, below] = [numbers.filter((one) => !one.includes('.')), numbers.filter((one) => one.includes('.'))]
    expect(top).toEqual(top.map((_one, at) => String(at + 1)))
    for (const chapter of top) {
      const parts = below.filter((one) => one.startsWith(`${chapter}.`))
      expect(parts).toEqual(parts.map((_one, at) => `${chapter}.${at + 1}`))
    }
  })

  /**
   * Sections that a text cites and no page has. In the pages of the law themselves, a § without a page's name refers to
   * the same page.
   */
  const missingIn = (path: string, text: string): string[] => {
    const own = (['spec', 'rules', 'open-book'] as const).find((page) => path === `docs/${page}.md`) ?? null
    return citationsOf(text).flatMap(({ page, section }) => {
      const cited = page ?? own
      return cited !== null && sections[cited].includes(section) ? [] : [`${path}: ${cited ?? 'whose?'} §${section}`]
    })
  }

  test('every section that a comment or a page cites is there', () => {
    const texts = treeFiles.filter(
      (path) => /\.(?:ts|tsx|mjs|js|css|sql|md|html|yml)$/.test(path) && path !== samplesHere,
    )
    const count = texts.reduce((sum, path) => sum + citationsOf(read(path)).length, 0)
    expect(count).toBeGreaterThan(600)
    expect(texts.flatMap((path) => missingIn(path, read(path)))).toEqual([])
  })

  test.each([
    ['a section that is not there', '// The clock (rules §19).', ['rules §19']],
    ['a part that is not there', '/** spec §2.99 */', ['spec §2.99']],
    ['the open book’s', '// docs/open-book.md §4, §9', ['open-book §9']],
    ['a page with its folder', 'See `docs/rules.md` §12 and docs/spec.md §10.', ['rules §12', 'spec §10']],
    ['one of several', '// rules §1.2, §77 and §3', ['rules §77']],
    ['one of several without the sign', '-- rules §2, 78', ['rules §78']],
    ['across the lines of a comment', '/**\n * As said (rules\n * §41).\n */', ['rules §41']],
    ['across the lines of SQL', '-- As said (spec\n-- §42).', ['spec §42']],
    ['nobody’s', '// as §5 says', ['whose? §5']],
    ['fine', '// spec §4, §6, §9; rules §1.1 and §2.3; RFC 9110 §12.5.3', []],
  ])('a sample: %s', (_, text, missing) => {
    expect(missingIn('a.ts', text)).toEqual(missing.map((one) => `a.ts: ${one}`))
  })
})

test('samples of what a page may not name', () => {
  const page = [
    'Run `npm run chek`, npm start or `npm test`; see `server/platform/clok.ts`, `web/platfrom/` and `settigns.ts`.',
    'A route such as `/admin/user` is no path, nor is `a/b`. Set `GOLD_FEEDS=simulated` or `PORTT=1`; `CLOCK_UNSURED`.',
    '',
    '    DATABASE_ULR=postgres://… npm start',
  ].join('\n')
  expect(commandsOf(page)).toEqual(['chek', 'start', 'test', 'start'])
  expect(pathsOf(page)).toEqual(['server/platform/clok.ts', 'web/platfrom/', 'settigns.ts'])
  const { named, assigned } = namesOf(page)
  expect(assigned.filter((name) => !settingNames.has(name))).toEqual(['GOLD_FEEDS', 'PORTT', 'DATABASE_ULR'])
  expect(named.filter((name) => !namesInCode.has(name))).toEqual(['GOLD_FEEDS', 'CLOCK_UNSURED', 'DATABASE_ULR'])
})

test('settings.md shows the settings as the server reads them', () => {
  const rows = settingsTable.map(({ name, default: value, allowed, meaning }) => [
    `\`${name}\``,
    value ?? '–',
    allowed,
    meaning,
  ])
  expect(rows.length).toBeGreaterThan(15)
  const shown = read('docs/settings.md')
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

test('what runs in containers sets only what the server reads', () => {
  for (const file of ['Containerfile', 'compose.yaml', 'one-server.yaml']) {
    const text = read(`deploy/image/${file}`)
    const names = [...text.matchAll(/(?<=^      |ENV [^\n]*)\b([A-Z][A-Z0-9_]+)(?=: |=)/gm)].map(([name]) => name)
    const others = new Set(['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'UPSTREAM'])
    expect({ file, count: names.length > 3 }).toEqual({ file, count: true })
    expect(names.filter((name) => !settingNames.has(name) && !others.has(name))).toEqual([])
  }
})

test('the page about watching lists the metrics that the server registers', () => {
  const listed = [...read('docs/operations/watching.md').matchAll(/^\| `([a-z]+(?:_[a-z]+)+)` +\|/gm)].map(
    ([, name]) => name ?? '',
  )
  const code = filesBelow('server')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  // A gauge's name is its first argument, the others' names are a property. A name with a gap is expanded once per feed
  // counter.
  const named = [
    ...code.matchAll(/\.(?:gauge|histogram)\(\s*'([a-z_]+)'|new (?:Histogram|Counter|Gauge)\(\{\s*name: '([a-z_]+)'/g),
  ]
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
  const text = read('docs/decisions/011-dependencies.md')
  const linesOf = (part: string) => part.split('\n').filter((line) => line.startsWith('- '))
  const namesOf = (part: string) =>
    linesOf(part).flatMap((line) =>
      [...line.slice(0, line.indexOf(':')).matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
    )
  expect(namesOf(text).toSorted()).toEqual(installed.toSorted())
  // Whatever a server is built with or runs is installed for everybody; tools are not.
  expect(namesOf(text.split('\nTools, ')[1] ?? '').toSorted()).toEqual(Object.keys(manifest.devDependencies).toSorted())
  for (const line of linesOf(text)) expect(line).toMatch(/: .{5,}\.$/)
})

describe('decisions', () => {
  const decisions = filesBelow('docs/decisions')

  test('are numbered one by one', () => {
    expect(decisions.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/000'.length))).toEqual(
      decisions.map((_, index) => String(index + 1).padStart(3, '0')),
    )
  })

  test.each(decisions)('%s gives its date, context, decision, consequences and what would reverse it', (path) => {
    const text = read(path)
    expect(text.startsWith(`# ${posix.basename(path).slice(0, 3)} `)).toBe(true)
    expect(text).toMatch(/^\*\*Date\.\*\* 20\d\d-\d\d-\d\d\.$/m)
    for (const part of ['**Context.**', '**Decision.**', '**Consequences.**']) expect(text).toContain(part)
    expect(text).toMatch(/\*\*Reversed when\*\* [^\n]{20}/)
  })
})

test('architecture.md names every folder and every feature', () => {
  const text = read('docs/architecture.md')
  const folders = [...TIERS, 'docs']
  const below = ['domain', 'server', 'server/features', 'web', 'web/features'].flatMap((folder) =>
    filesBelow(folder)
      .map((path) => path.slice(folder.length + 1))
      .filter((path) => path.includes('/'))
      .map((path) => path.split('/')[0] ?? ''),
  )
  expect([...new Set([...folders, ...below])].filter((name) => !text.includes(`${name}/`))).toEqual([])
})

describe('architecture.md', () => {
  const text = read('docs/architecture.md')

  test('draws a tree of what is there', () => {
    const drawing = /```\n\.\n(.*?)```/s.exec(text)?.[1] ?? ''
    const open: string[] = []
    const drawn = drawing.split('\n').flatMap((line) => {
      const [, bars, names = ''] = /^((?:│  |   )*)[├└]─ ([^\s,]+(?:, [^\s,]+)*)/.exec(line) ?? []
      if (bars === undefined) return []
      const depth = bars.length / 3
      return names.split(', ').map((name) => {
        open.length = depth
        open.push(name)
        return open.join('/').replaceAll('//', '/')
      })
    })
    expect(drawn.length).toBeGreaterThan(35)
    expect(drawn.filter((path) => !existsSync(posix.join(root, path)))).toEqual([])
    const folders = TIERS.flatMap((tier) =>
      filesBelow(tier).flatMap((path) => (path.split('/').length > 2 ? [path.split('/').slice(0, 2).join('/')] : [])),
    )
    expect([...new Set(folders)].filter((folder) => !drawn.includes(`${folder}/`))).toEqual([])
  })

  test('names the edges between server features that the code has, and no other', () => {
    const sources = filesBelow('server/features').filter((path) => path.endsWith('.ts') && !isTest(path))
    expect(sources.length).toBeGreaterThan(60)
    const edges = sources.flatMap((path) => {
      const from = path.split('/')[2] ?? ''
      const used = [...read(path).matchAll(/'#server\/features\/([a-z-]+)\/index\.ts'/g)].map(([, to]) => to ?? '')
      return used.map((to) => `${from} → ${to}`)
    })
    const row = /^4\. .*?(?=^5\. )/ms.exec(text)?.[0] ?? ''
    const written = [...row.matchAll(/([a-z-]+) → ([a-z-]+(?:, [a-z-]+)*)/g)].flatMap(([, from = '', to = '']) =>
      from === 'feature' ? [] : to.split(', ').map((one) => `${from} → ${one}`),
    )
    const allowed = Object.entries(FEATURE_EDGES).flatMap(([from, to]) => to.map((one) => `${from} → ${one}`))
    expect(written.toSorted()).toEqual(allowed.toSorted())
    const toAudit = (edge: string) => edge.endsWith(' → audit')
    expect([...new Set(edges)].filter((edge) => !toAudit(edge)).toSorted()).toEqual(allowed.toSorted())
  })
})
