import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AUDIT_ACTS } from '#contract/back-office.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { clientEvents, serverEvents } from '#contract/events.ts'
import { settingsTable } from '#server/platform/process/settings-table.ts'
import { filesBelow, isTest, root } from './source-files.ts'

/** Names that are declared in one place and must be used at both ends, which no type connects. */

const sourcesBelow = (folder: string): string[] =>
  filesBelow(folder)
    .filter((path) => /\.tsx?$/.test(path) && !isTest(path))
    .map((path) => readFileSync(posix.join(root, path), 'utf8'))

const unusedIn = (sources: readonly string[], names: readonly string[], before: string): string[] =>
  names.filter((name) => !sources.some((source) => new RegExp(`${before}'${name}'`).test(source)))

describe('every event of the socket', () => {
  const server = sourcesBelow('server')
  const web = sourcesBelow('web')
  // The name follows the call that sends or handles it, sometimes after rooms and line breaks.
  const emits = String.raw`(?:emit\w*|tell|send)\([^;]*?`
  const hears = String.raw`(?:onServerEvent|\bon)\(\s*`

  test('that the server may send is sent by it and heard by the web', () => {
    const names = Object.keys(serverEvents)
    expect(unusedIn(server, names, '').toSorted()).toEqual([])
    expect(unusedIn(web, names, hears).toSorted()).toEqual(heardNowhere)
  })

  test('that the web may send is sent by it and taken by the server', () => {
    const names = Object.keys(clientEvents)
    expect(unusedIn(server, names, '').toSorted()).toEqual([])
    expect(unusedIn(web, names, '').toSorted()).toEqual(sentNowhere)
  })

  test('is named by the specification or by the rules', () => {
    const law = ['docs/spec.md', 'docs/rules.md'].map((page) => readFileSync(posix.join(root, page), 'utf8')).join()
    const names = [...Object.keys(serverEvents), ...Object.keys(clientEvents)]
    expect(names.filter((name) => !law.includes(`\`${name}\``))).toEqual([])
  })

  test('samples', () => {
    expect(unusedIn(["hub.emitTo(`user:${id}`,\n 'a', x)", "onServerEvent(\n'b', f)"], ['a', 'b', 'c'], emits)).toEqual(
      ['b', 'c'],
    )
    expect(unusedIn(["hub.emitTo(`user:${id}`,\n 'a', x)", "onServerEvent(\n'b', f)"], ['a', 'b', 'c'], hears)).toEqual(
      ['a', 'c'],
    )
  })
})

/** Sent for other clients: ours learns the same from the acknowledgement. */
const heardNowhere = ['error']
/** Accepted for other clients: ours creates a conversation with its first message. */
const sentNowhere = ['create_conversation']

describe('every screen', () => {
  const routes = readFileSync(posix.join(root, 'web/routes.tsx'), 'utf8')
  const paths = [...routes.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)].map(([, parent, path = '']) =>
    parent === 'admin' ? `/admin${path === '/' ? '' : path}` : path,
  )

  /** Where a journey names an address, in quotes; one with a parameter by what stands before it. */
  const addressOf = (path: string) => {
    const [fixed = '', ...parameters] = path.split('$')
    return new RegExp(parameters.length === 0 ? `'${fixed}['?]` : `\`${fixed}\\$`)
  }

  test('is looked at by a journey for accessibility', () => {
    const journeys = filesBelow('e2e')
      .filter((path) => path.endsWith('-accessibility.test.ts'))
      .map((path) => readFileSync(posix.join(root, path), 'utf8'))
    expect(paths.length).toBeGreaterThan(15)
    const unseen = paths.filter((path) => !journeys.some((source) => addressOf(path).test(source)))
    expect(unseen).toEqual([])
  })

  test('is named by the specification or by the rules', () => {
    const law = ['docs/spec.md', 'docs/rules.md'].map((page) => readFileSync(posix.join(root, page), 'utf8')).join()
    expect(paths.filter((path) => !law.includes(`\`${path}\``))).toEqual([])
  })

  /** Paths that no link, menu or navigation of the web leads to. */
  const unlinkedIn = (sources: readonly string[]) =>
    paths.filter(
      (path) =>
        !sources.some((source) => new RegExp(`\\bto(?:=\\{?|: )['"]${path.replace('$', '\\$')}['"]`).test(source)),
    )

  test('is led to by a link, a menu or a navigation', () => {
    const sources = filesBelow('web')
      .filter((path) => path.endsWith('.tsx') && path !== 'web/routes.tsx' && !isTest(path))
      .map((path) => readFileSync(posix.join(root, path), 'utf8'))
    expect(unlinkedIn(sources)).toEqual(byAddressAlone)
    const samples = [`<Link to="/bank">`, `{ to: '/account', icon }`, `<BackLink fallback="/games" />`]
    expect(paths.filter((path) => !unlinkedIn(samples).includes(path)).toSorted()).toEqual(['/account', '/bank'])
  })

  test('of a player says that points have no cash value, or is named here as one without money', () => {
    const says = /<PlayMoneyLine|<SubScreen|playMoneyTexts\.everywhere/
    expect(readFileSync(posix.join(root, 'web/layout/sub-screen.tsx'), 'utf8')).toContain('<PlayMoneyLine />')
    const silent = filesBelow('web/screens')
      .filter((path) => /^web\/screens\/[^/]+\.tsx$/.test(path) && !isTest(path))
      .filter((path) => !says.test(readFileSync(posix.join(root, path), 'utf8')))
    expect(silent.toSorted()).toEqual(withoutMoney.map((name) => `web/screens/${name}-screen.tsx`))
  })
})

/** The game without the shell, for whoever keeps its address (spec §2). */
const byAddressAlone = ['/games']
/** They show no money; those of signing in say it in their frame, the conversation in its head. */
const withoutMoney = ['change-password', 'login', 'register', 'support']

test('every setting is read by somebody', () => {
  const readers = filesBelow('server')
    .filter((path) => path.endsWith('.ts') && !isTest(path) && path !== 'server/platform/process/settings-table.ts')
    .map((path) => readFileSync(posix.join(root, path), 'utf8'))
  expect(readers.length).toBeGreaterThan(100)
  const isRead = (key: string) => readers.some((source) => new RegExp(`\\b${key}\\b`).test(source))
  expect(settingsTable.map(({ key }) => key).filter((key) => !isRead(key))).toEqual([])
})

test('every list of the back office is measured at its size', () => {
  const bench = readFileSync(posix.join(root, 'bench/lists.ts'), 'utf8')
  const lists = Object.entries(endpoints).filter(
    ([, call]: [string, Endpoint]) => call.isList === true && call.access === 'staff',
  )
  expect(lists.length).toBeGreaterThan(2)
  const isMeasured = (path: string) =>
    new RegExp(`['\`]${path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, String.raw`\$\{\w+\}`)}['\`?]`).test(bench)
  expect(lists.filter(([, { path }]) => !isMeasured(path)).map(([name]) => name)).toEqual([])
})

test('every act of the audit log is recorded somewhere', () => {
  const server = [...sourcesBelow('server'), ...sourcesBelow('domain')].join('\n')
  // `request.${move}` is completed with the move's name.
  const isRecorded = (act: string) => {
    const [noun = '', verb = ''] = act.split('.')
    return server.includes(`'${act}'`) || (server.includes('`' + noun + '.${') && server.includes(`'${verb}'`))
  }
  expect(AUDIT_ACTS.filter((act) => !isRecorded(act))).toEqual([])
})

test('what the server opens is closed once', () => {
  const closedTwice = (source: string) => {
    const closed = [...source.matchAll(/opened\.push\(\(\) => (\w+)\.(?:close|stop|disconnect)\(/g)].map(
      ([, name]) => name,
    )
    expect(closed.length).toBeGreaterThan(1)
    return closed.filter((name, at) => closed.indexOf(name) !== at)
  }
  expect(closedTwice(readFileSync(posix.join(root, 'server/main.ts'), 'utf8'))).toEqual([])
  const sample = 'opened.push(() => app.close())\nopened.push(() => db.close())\nopened.push(() => app.close(1))'
  expect(closedTwice(sample)).toEqual(['app'])
})
