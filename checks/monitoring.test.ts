import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'deploy/monitoring'
const rules = readFileSync(`${folder}/alerts.yml`, 'utf8')
const dashboard = readFileSync(`${folder}/dashboard.json`, 'utf8')
const alerts = [...new Set([...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name))]

test('every alert has its section, and every section its alert', () => {
  const page = readFileSync('docs/alerts.md', 'utf8')
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(10)
  expect(sections.toSorted()).toEqual(alerts.toSorted())
  const runbooks = [...rules.matchAll(/runbook: docs\/alerts\.md#([\w-]+)/g)].map(([, anchor]) => anchor)
  expect([...new Set(runbooks)].toSorted()).toEqual(alerts.map((name) => name.toLowerCase()).toSorted())
})

test('what the page quotes of the log, of other pages and of the dashboard is there', () => {
  // A line may be broken within a quotation. What is quoted begins a string of the source, a title or a heading.
  const quoted = [
    ...readFileSync('docs/alerts.md', 'utf8')
      .replaceAll(/\s+/g, ' ')
      .matchAll(/"([^"`:]+)"/g),
  ].map(([, text = '']) => text)
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`server/${name}`, 'utf8'))
  const texts = [
    dashboard.replaceAll('"', "'"),
    ...readdirSync('docs/operations').map((page) =>
      readFileSync(`docs/operations/${page}`, 'utf8').replaceAll(/^## /gm, "'"),
    ),
    ...sources,
  ]
  expect(quoted.length).toBeGreaterThan(5)
  expect(quoted.filter((quote) => !texts.some((text) => text.includes(`'${quote}`)))).toEqual([])
})

test('every alert is tested where it fires', () => {
  const tests = readFileSync(`${folder}/alerts.test.yml`, 'utf8')
  // A case that expects nothing says so on the same line.
  const firing = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name = '']) => name)
  expect([...new Set(firing)].toSorted()).toEqual(alerts.toSorted())
})

test('rules and dashboard name metrics that the page about watching explains, or those of Node and Prometheus', () => {
  const known = new Set(
    [...readFileSync('docs/operations/watching.md', 'utf8').matchAll(/^\| `([a-z_]+)` +\|/gm)].map(
      ([, name = '']) => name,
    ),
  )
  const expressions = [
    ...[...rules.matchAll(/expr:\s*(?:>-\n)?(.*(?:\n {10}.*)*)/g)].map(([, text = '']) => text),
    ...[...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text),
  ].map((text) => text.replaceAll(/\\?"[^"]*"/g, '""'))
  expect(expressions.length).toBeGreaterThan(30)
  const named = expressions.flatMap(
    (text) => text.replaceAll(/kim_phien:\S+/g, '').match(/\b[a-z]+_[a-z_0-9]+(?=[{[) ]|$)/g) ?? [],
  )
  const ours = named
    .filter((name) => !/^(nodejs_|process_|histogram_quantile$)/.test(name))
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
  expect(ours.length).toBeGreaterThan(20)
  expect(ours.filter((name) => !known.has(name))).toEqual([])
})

test('what counts calls leaves out what load balancers and Prometheus ask', () => {
  const counted = [
    ...`${rules}\n${dashboard.replaceAll('\\"', '"')}`.matchAll(/http_request_seconds_count(?:\{([^}]*)\})?/g),
  ].map(([, labels = '']) => labels)
  expect(counted.length).toBeGreaterThan(10)
  const isOfCalls = (labels: string) =>
    labels.includes('route="/') || labels.includes('route!~"/(livez|readyz|metrics)"')
  expect(counted.filter((labels) => !isOfCalls(labels))).toEqual([])
})
