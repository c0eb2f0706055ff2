import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { diagnosticsEndpoints } from '#contract/diagnostics.ts'
import { registerBrowserErrors } from './browser-errors.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { createHttp } from './http-server.ts'
import { createApi } from './http.ts'
import { createLog } from '#server/platform/process/log.ts'
import { createRateLimits } from './rate-limits.ts'

const unasked: Queryable = { query: () => Promise.reject(new Error('A report asks no database')) }
const report = {
  kind: 'script',
  message: `TypeError: no user "nguyen"`,
  frames: ['TypeError: x', '    at draw (https://kim.example/assets/index-1.js:1:2)'],
  screen: '/admin/user/0190aaaa-0000-7000-8000-000000000001',
}

let lines: string[] = []
let url = ''
let count = () => 0
let stop = async () => {}

beforeEach(async () => {
  await stop()
  lines = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const http = createHttp({ log, trustProxy: null })
  const api = createApi(http, unasked)
  count = registerBrowserErrors(api, { log, limits: createRateLimits(null, 1) })
  await http.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
  stop = () => http.close()
})
afterAll(() => stop())

/** Node's fetch sends neither Origin nor Fetch Metadata by default. */
const send = async (body: unknown, headers: Record<string, string> = { origin: url }) => {
  const answer = await fetch(url + diagnosticsEndpoints.reportBrowserError.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: await answer.json(),
  }
}

test('a report is one line of the log, without personal data', async () => {
  expect(await send(report)).toMatchObject({ status: 200, body: { data: null } })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 40,
      time: expect.any(Number) as number,
      pid: expect.any(Number) as number,
      hostname: expect.any(String) as string,
      browserError: {
        kind: 'script',
        message: 'TypeError: no user "…"',
        frames: ['draw assets/index-1.js:1:2'],
        screen: '/admin/user/:id',
      },
      msg: 'A browser met an error',
    },
  ])
  expect(lines[0]).not.toContain('127.0.0.1')
  expect(count()).toBe(1)
})

test('only pages of this origin report', async () => {
  for (const headers of [{}, { origin: 'https://other.example' }, { origin: url, 'sec-fetch-site': 'cross-site' }])
    expect(await send(report, headers as Record<string, string>)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
  expect((await send(report, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  expect(lines).toHaveLength(1)
})

test('what is longer than a browser sends is refused and not written', async () => {
  for (const wrong of [
    { ...report, message: 'x'.repeat(501) },
    { ...report, frames: Array.from({ length: 41 }, () => 'x') },
    { ...report, kind: 'other' },
    { ...report, user: 'an' },
  ])
    expect(await send(wrong)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(lines).toEqual([])
})

test('an address may report ten times a minute', async () => {
  const statuses = []
  for (let nth = 0; nth < 12; nth += 1) statuses.push((await send(report)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect(Number((await send(report)).retryAfter)).toBeGreaterThan(0)
  expect(lines).toHaveLength(10)
})
