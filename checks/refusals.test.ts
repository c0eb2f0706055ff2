import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { clientRefusals } from '#contract/events.ts'
import { refusals, SHARED_REFUSALS } from '#contract/refusals.ts'
import * as sentences from '#contract/sentences.ts'
import {
  filesBelow,
  isNode,
  isTest,
  nameOf,
  readSource,
  sourceFile,
  type SourceFile,
  type SyntaxNode,
  textOf,
} from './source-files.ts'
import { codesGivenBy, createGraph } from './given-codes.ts'

/**
 * The compiler rejects an answer with a refusal that its endpoint does not name. This test checks the other direction:
 * each named refusal can be given, and each thrown refusal, which no type shows, is a shared one.
 */

const sources = [...filesBelow('server'), ...filesBelow('domain')]
  .filter((path) => path.endsWith('.ts') && !isTest(path))
  .map(readSource)
const graph = createGraph(sources)
const shared: ReadonlySet<string> = new Set(SHARED_REFUSALS)

/** The handlers of endpoints and events: `api.handle(gameEndpoints.placeBet, …)`, `hub.onEvent('join_room', …)`. */
const handlers = sources.flatMap((file) =>
  file.nodes().flatMap(({ node }): Array<readonly [name: string, file: SourceFile, handler: SyntaxNode]> => {
    const callee = node['callee']
    const [served, handler] = (node['arguments'] ?? []) as readonly SyntaxNode[]
    if (node.type !== 'CallExpression' || !isNode(callee) || served === undefined || handler === undefined) return []
    const method = nameOf(callee['property'])
    if (method === 'onEvent') return [[String(served['value']), file, handler]]
    return method === 'handle' || method === 'handleWithToken'
      ? [[nameOf(served['property']) ?? '', file, handler]]
      : []
  }),
)

const named = [
  ...Object.entries(endpoints).map(([name, call]: [string, Endpoint]) => [name, call.refusals ?? []] as const),
  ...Object.entries(clientRefusals),
]

describe.each(named.filter(([, codes]) => codes.length > 0))('%s', (name, codes) => {
  test('gives every refusal that it names, and names no shared one again', () => {
    const [, file, handler] = handlers.find(([served]) => served === name) ?? []
    if (file === undefined || handler === undefined) throw new Error(`Nobody serves ${name}`)
    const given = codesGivenBy(graph, file, handler)
    expect(codes.filter((code) => !given.has(code))).toEqual([])
    expect(codes.filter((code) => shared.has(code))).toEqual([])
    expect(new Set<string>(codes).size).toBe(codes.length)
  })
})

test('every endpoint is served by a handler that was found', () => {
  const served = handlers.map(([name]) => name)
  expect(Object.keys(endpoints).filter((name) => !served.includes(name))).toEqual([])
})

const codeBySentence = new Map<string, string>(Object.entries(refusals).map(([code, { message }]) => [message, code]))

/** Refusal sentences that are repeated in other texts; a part of another sentence does not count. */
const saidAgain = (file: SourceFile): string[] =>
  file.nodes().flatMap(({ node }) => {
    const text = node.type === 'JSXText' ? String(node['value']).trim() : textOf(node)
    const code = text === null ? undefined : codeBySentence.get(text)
    return code === undefined ? [] : [`${file.path}:${file.lineAt(node.start)} ${code}`]
  })

test('a refusal’s sentence is written once: what else says it takes it from contract/sentences.ts', () => {
  const files = [
    ...sources,
    ...filesBelow('web')
      .filter((path) => /\.tsx?$/.test(path) && !isTest(path))
      .map(readSource),
  ]
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap(saidAgain)).toEqual([])
  const { message } = refusals.REFERRAL_WRONG
  expect(
    saidAgain(sourceFile('web/a.tsx', `const a = { b: '${message}' }\nconst c = <p title="${message}">${message}</p>`)),
  ).toHaveLength(3)
})

test('every sentence apart is the one of its code, and is said by a screen', () => {
  const table: Readonly<Record<string, { readonly message: string }>> = refusals
  const screens = filesBelow('web')
    .filter((path) => /\.tsx?$/.test(path))
    .map(readSource)
  const isSaid = (code: string) => screens.some(({ text }) => text.includes(`sentences.${code}`))
  for (const [code, sentence] of Object.entries(sentences))
    expect([code, table[code]?.message]).toEqual([code, sentence])
  expect(Object.keys(sentences).filter((code) => !isSaid(code))).toEqual([])
})

/** Refusals of no call and no acknowledgement, and where they are sent. */
const elsewhere = ['SOCKET_FLOOD' /* the event cut_off */]

test('every refusal is a shared one or is named by what answers it', () => {
  const all = new Set<string>([...shared, ...named.flatMap(([, codes]) => codes), ...elsewhere])
  expect(Object.keys(refusals).filter((code) => !all.has(code))).toEqual([])
})

test('every refusal is met by a test', () => {
  const tests = ['contract', 'domain', 'server', 'testing', 'web', 'e2e']
    .flatMap(filesBelow)
    .filter(isTest)
    .map((path) => readSource(path).text)
  const untested = Object.keys(refusals).filter((code) => !tests.some((text) => new RegExp(`\\b${code}\\b`).test(text)))
  expect(tests.length).toBeGreaterThan(100)
  expect(untested).toEqual([])
})

test('every shared refusal is given somewhere', () => {
  const given = new Set(sources.flatMap((file) => [...graph.codesIn(file)]))
  expect(SHARED_REFUSALS.filter((code) => !given.has(code))).toEqual([])
})

test('what is thrown is a shared refusal', () => {
  const thrown = sources.flatMap((file) =>
    [...file.text.matchAll(/\b(?:throw|reject\()\s*(?:new Refused|refuse)\('(\w+)'/g)].map(([, code]) => code ?? ''),
  )
  expect(thrown).toContain('TOO_MANY_REQUESTS')
  expect(thrown.filter((code) => !shared.has(code))).toEqual([])
})
