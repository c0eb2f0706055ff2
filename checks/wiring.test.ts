import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AUDIT_ACTS } from '#contract/back-office.ts'
import { clientEvents, serverEvents } from '#contract/events.ts'
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

test('every screen is looked at by a journey for accessibility', () => {
  const routes = readFileSync(posix.join(root, 'web/routes.tsx'), 'utf8')
  const journeys = filesBelow('e2e')
    .filter((path) => path.endsWith('-accessibility.test.ts'))
    .map((path) => readFileSync(posix.join(root, path), 'utf8'))
  const paths = [...routes.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)].map(([, parent, path = '']) =>
    parent === 'admin' ? `/admin${path === '/' ? '' : path}` : path,
  )
  expect(paths.length).toBeGreaterThan(15)
  const unseen = paths.filter((path) => !journeys.some((source) => new RegExp(`'${path}['?]`).test(source)))
  expect(unseen).toEqual([])
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
