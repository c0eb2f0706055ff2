import * as z from 'zod/mini'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { amount, answer, id, instant, lenientRequest, queryInt, request, text } from '#contract/codecs.ts'
import { endpoint } from '#contract/endpoint.ts'
import { refusals } from '#contract/refusals.ts'
import { points } from '#domain/money.ts'
import { issueToken, isSessionAlive, parseBareToken, parseToken } from './auth.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { failureJson, refuse, refuseFields } from './errors.ts'
import { createHttp } from './http-server.ts'
import { createApi, Encoded, FileAnswer, encodeData } from './http.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { listAnswer, pageOf } from './lists.ts'
import { connectionLost } from '#server/platform/database/transaction.ts'

const user = { id: '0190aaaa-0000-7000-8000-000000000001', sessionId: '0190aaaa-0000-7000-8000-000000000002' }
const session = issueToken(user.id, user.sessionId)
const bearer = `Bearer ${session.token}`

/** The session row that the database returns; `null` for none. */
let row: Record<string, unknown> | null = null
const alive = {
  id: user.id,
  username: 'an',
  role: 'player',
  capabilities: [],
  is_frozen: false,
  must_change_password: false,
  access_changed_at: null,
  user_id: user.id,
  session_id: user.sessionId,
  secret_hash: session.secretHash,
  expires_at: new Date(2_000_000_000_000),
  ended_at: null,
  now: new Date(1_900_000_000_000),
}
const asked = vi.fn<() => void>()
/** True while the database cannot be reached. */
let losing = false
/** What a look-up of a session waits for. */
let lookedUp: Promise<unknown> = Promise.resolve()
const db: Queryable = {
  query: async () => {
    asked()
    await lookedUp
    if (losing) throw connectionLost(new Error('Connection terminated unexpectedly'))
    return { rows: (row === null ? [] : [row]) as never[], rowCount: row === null ? 0 : 1 }
  },
}

const things = {
  make: endpoint('POST', '/api/v1/thing/{id}', 'player', {
    takesKey: true,
    params: z.object({ id }),
    query: z.object({ count: z.optional(queryInt) }),
    body: request(() => ({
      amountMinor: ['score', amount],
      isOn: ['isWin', z.boolean()],
      note: z.optional(text),
    })),
    data: answer(() => ({ amountMinor: ['score', amount], atMs: ['createdAt', instant], seen: z.string() })),
    summary: 'Make a thing',
  }),
  list: endpoint('GET', '/api/v1/thing', 'public', {
    query: z.object({ page: z.optional(queryInt), limit: z.optional(queryInt) }),
    data: z.array(z.int()),
    isList: true,
    summary: 'List things',
  }),
  loose: endpoint('POST', '/api/v1/loose', 'public', {
    body: lenientRequest(() => ({ note: z.optional(z.string()) })),
    data: z.array(z.string()),
    summary: 'Take anything',
  }),
  read: endpoint('GET', '/api/v1/read', 'session', {
    data: z.string(),
    summary: 'Reads',
  }),
  file: endpoint('GET', '/api/v1/file', 'session', {
    isFile: true,
    summary: 'Reads a file',
  }),
  staff: endpoint('GET', '/api/v1/staff', 'staff', {
    summary: 'For staff',
  }),
  grave: endpoint('POST', '/api/v1/grave', 'session', {
    needsFreshFactor: true,
    summary: 'Needs a fresh factor',
  }),
  leave: endpoint('POST', '/api/v1/leave', 'session', {
    summary: 'No body',
  }),
  fail: endpoint('GET', '/api/v1/fail', 'public', {
    summary: 'Fails',
  }),
  refused: endpoint('GET', '/api/v1/refused', 'public', {
    summary: 'Refuses',
  }),
  thrown: endpoint('GET', '/api/v1/thrown', 'public', {
    summary: 'Throws',
  }),
  kept: endpoint('GET', '/api/v1/kept', 'public', {
    data: amount,
    summary: 'Answers as kept',
  }),
  own: endpoint('POST', '/api/v1/own', 'player', {
    body: z.optional(request(() => ({ amountMinor: ['score', amount] }))),
    data: z.string(),
    summary: 'Judges itself',
  }),
  away: endpoint('GET', '/api/v1/away', 'public', {
    summary: 'Loses its database',
  }),
}

const made = vi.fn<(call: unknown) => void>()
const logged = vi.fn<(fields: object, message: string) => void>()
const warned = vi.fn<(fields: object, message: string) => void>()
describe('calls through a proxy', () => {
  const warnedBy = async (trustProxy: readonly string[] | null, ...calls: Record<string, string>[]) => {
    const warn = vi.fn<(message: string) => void>()
    const served = createHttp({ log: { error: () => {}, warn } as unknown as Logger, trustProxy })
    for (const headers of calls) await served.inject({ url: '/x', headers })
    await served.close()
    return warn.mock.calls.map(([message]) => message)
  }

  test('are named once where none is trusted, and never where one is', async () => {
    const through = [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }]
    const said = await warnedBy(null, {}, ...through)
    expect(said).toEqual([expect.stringContaining('TRUST_PROXY is not set')])
    expect(said[0]).not.toContain('203.0.113.9')
    expect(await warnedBy(null, {})).toEqual([])
    expect(await warnedBy(['127.0.0.1'], ...through)).toEqual([])
  })

  test('are named again after an hour', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const warn = vi.fn<() => void>()
      const served = createHttp({ log: { error: () => {}, warn } as unknown as Logger, trustProxy: null })
      const call = () => served.inject({ url: '/x', headers: { 'x-forwarded-for': '203.0.113.9' } })
      await call()
      vi.advanceTimersByTime(3_599_000)
      await call()
      expect(warn).toHaveBeenCalledTimes(1)
      vi.advanceTimersByTime(2_000)
      await call()
      expect(warn).toHaveBeenCalledTimes(2)
      await served.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

const app = createHttp({ log: { error: logged, warn: warned } as unknown as Logger, trustProxy: null })
const ANSWERED_MS = 200
const api = createApi(app, db, undefined, true, { answeredMs: ANSWERED_MS })
/** What the making and the reading of things wait for. */
let held: Promise<unknown> = Promise.resolve()
let readsBegun = 0
let file = new PassThrough()

beforeAll(async () => {
  api.handle(things.make, async (call) => {
    await held
    const { subject, params, query, body, idempotencyKey } = call
    made({ subject: subject.username, params, query, body, idempotencyKey })
    return { amountMinor: body.amountMinor * 2n, atMs: 1_790_000_000_123, seen: subject.userId }
  })
  api.handle(things.list, ({ query, subject }) => {
    expect(subject).toBeNull()
    const page = pageOf(query)
    return listAnswer([1, 2, 3, 4].slice(page.offset, page.offset + page.limit + 1), 4, page)
  })
  api.handle(things.loose, ({ body }) => [...(body.sentFields ?? [])])
  api.handle(things.staff, () => null)
  api.handle(things.read, async () => {
    readsBegun++
    await held
    return 'read'
  })
  api.handle(things.file, async () => {
    await held
    return new FileAnswer(file, 'application/zip', 'file.zip')
  })
  api.handle(things.leave, () => null)
  api.handle(things.grave, () => null)
  api.handle(things.fail, () => {
    throw new Error('the password of the database is hunter2')
  })
  api.handle(things.away, () => {
    throw connectionLost(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
  })
  api.handle(things.refused, () => refuse('TOO_MANY_REQUESTS', { why: 'limit' }, 7))
  api.handle(things.thrown, async () => {
    throw refuse('STALE')
  })
  api.handle(things.kept, () => new Encoded(encodeData(things.kept, points(3))))
  api.handleWithToken(things.own, ({ subject: token }) => token.sessionId)
  await app.ready()
})
afterAll(() => app.close())

const call = async (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const response = await app.inject({
    method,
    url,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() }
}
const make = (body: unknown, headers: Record<string, string> = {}, url = `/api/v1/thing/${user.id}?count=12`) => {
  made.mockClear()
  row = alive
  return call('POST', url, body, { authorization: bearer, ...headers })
}
const fieldsOf = (body: Record<string, unknown>) =>
  (body['details'] as { fields: Array<{ path: string }> }).fields.map(({ path }) => path)

describe('tokens', () => {
  test('a token names its user and session and hides its secret', () => {
    const parsed = parseToken(bearer)
    expect(parsed).toEqual({ userId: user.id, sessionId: user.sessionId, secretHash: session.secretHash })
    expect(Buffer.from(session.token.slice(4), 'base64url')).not.toContain(session.secretHash)
    expect(parseToken(`bearer ${session.token}`)).toEqual(parsed)
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    session.token,
    `Basic ${session.token}`,
    `Bearer ${session.token}x`,
    `Bearer ${session.token.slice(0, -1)}`,
    `Bearer kp2${session.token.slice(3)}`,
    `Bearer ${session.token.slice(0, -2)}!!`,
  ])('%s opens nothing', (header) => {
    expect(parseToken(header)).toBeNull()
  })

  test('sessions of calls that come together are read together, and each call is judged by its own token', async () => {
    row = alive
    asked.mockClear()
    const wrong = `Bearer ${issueToken(user.id, user.sessionId).token}`
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const authorization = n % 3 === 0 ? wrong : bearer
        return (await call('GET', '/api/v1/read', undefined, { authorization })).status
      }),
    )
    expect(statuses).toEqual(Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 401 : 200)))
    expect(asked.mock.calls.length).toBeLessThan(20)
  })

  test('a session must be the token’s own, not ended, and not run out', () => {
    const token = parseBareToken(session.token)
    if (token === null) throw new Error('unreadable')
    const nowMs = 1_900_000_000_000
    expect(isSessionAlive(alive, token, nowMs)).toBe(true)
    expect(isSessionAlive(undefined, token, nowMs)).toBe(false)
    expect(isSessionAlive({ ...alive, ended_at: new Date(nowMs) }, token, nowMs)).toBe(false)
    expect(isSessionAlive({ ...alive, user_id: user.sessionId }, token, nowMs)).toBe(false)
    expect(isSessionAlive({ ...alive, secret_hash: new Uint8Array(32) }, token, nowMs)).toBe(false)
    expect(isSessionAlive({ ...alive, secret_hash: new Uint8Array(3) }, token, nowMs)).toBe(false)
    expect(isSessionAlive({ ...alive, expires_at: new Date(nowMs) }, token, nowMs)).toBe(false)
  })
})

describe('an endpoint', () => {
  test('that needs a fresh second factor is refused without one, and no other is', async () => {
    row = { ...alive, is_fresh: true }
    const statusOf = async (path: string) => (await call('POST', path, undefined, { authorization: bearer })).status
    expect(await statusOf('/api/v1/grave')).toBe(200)
    row = { ...alive, is_fresh: false, has_some: true }
    const refused = await call('POST', '/api/v1/grave', undefined, { authorization: bearer })
    expect([refused.status, refused.body['code']]).toEqual([403, 'FACTOR_REQUIRED'])
    expect(await statusOf('/api/v1/leave')).toBe(200)
    expect((await call('POST', '/api/v1/grave')).status).toBe(401)
    row = alive
  })

  test('gives its handler our words and answers in the wire’s', async () => {
    const reply = await make({ score: 12.5, isWin: true }, { 'idempotency-key': 'k-1' })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.body).toEqual({
      statusCode: 200,
      message: 'OK',
      data: { score: 25, createdAt: '2026-09-21T14:13:20.123Z', seen: user.id },
    })
    expect(made).toHaveBeenCalledExactlyOnceWith({
      subject: 'an',
      params: { id: user.id },
      query: { count: 12 },
      body: { amountMinor: 1250n, isOn: true },
      idempotencyKey: 'k-1',
    })
  })

  test('a list has its meta beside its data', async () => {
    expect((await call('GET', '/api/v1/thing?page=2&limit=3')).body).toEqual({
      statusCode: 200,
      message: 'OK',
      data: [4],
      meta: { total: 4, page: 2, limit: 3, hasMore: false },
    })
    expect((await call('GET', '/api/v1/thing')).body).toMatchObject({ meta: { page: 1, limit: 10, hasMore: false } })
  })

  test.each(['limit=0', 'limit=101', 'limit=-1', 'limit=ten', 'limit=1.5', 'page=0', 'page=&limit=5', 'page=1&page=2'])(
    'a list refuses ?%s',
    async (query) => {
      const reply = await call('GET', `/api/v1/thing?${query}`)
      expect(reply).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
      expect(fieldsOf(reply.body)).toEqual([query.split('=')[0]])
    },
  )

  test('a list refuses a page that is too far by the last one that it has', async () => {
    expect((await call('GET', '/api/v1/thing?page=10001')).status).toBe(200)
    const { body } = await call('GET', '/api/v1/thing?page=10002')
    expect(body['details']).toMatchObject({ fields: [{ path: 'page', message: '1–10001' }] })
  })

  test('a kept answer goes out as it is', async () => {
    expect((await call('GET', '/api/v1/kept')).body).toEqual({ statusCode: 200, message: 'OK', data: 3 })
  })

  test('an endpoint that accepts any field gets the names of all that were sent', async () => {
    expect((await call('POST', '/api/v1/loose', { note: 'x', other: 1 })).body['data']).toEqual(['note', 'other'])
  })

  test('an unexpected body is ignored, and so is an empty one', async () => {
    row = alive
    const headers = { authorization: bearer, 'content-type': 'application/json' }
    expect((await call('POST', '/api/v1/leave', undefined, headers)).status).toBe(200)
    expect((await call('POST', '/api/v1/leave', { a: 1 }, headers)).status).toBe(200)
  })
})

describe('bad input', () => {
  test.each([
    [{}, ['score', 'isWin']],
    [{ score: '10', isWin: true }, ['score']],
    [{ score: true, isWin: true }, ['score']],
    [{ score: null, isWin: true }, ['score']],
    [{ score: [10], isWin: true }, ['score']],
    [{ score: 1.005, isWin: true }, ['score']],
    [{ score: 1e30, isWin: true }, ['score']],
    [{ score: 10, isWin: 1 }, ['isWin']],
    [{ score: 10, isWin: 'true' }, ['isWin']],
    [{ score: 10, isWin: true, note: 5 }, ['note']],
    [{ score: 10, isWin: true, admin: true, role: 'ADMIN' }, ['admin', 'role']],
    [[], ['']],
    ['"text"', ['']],
    ['null', ['']],
    ['', ['']],
  ])('%j is refused, naming %j', async (body, paths) => {
    const reply = await make(body)
    expect(reply).toMatchObject({
      status: 400,
      body: { statusCode: 400, code: 'BAD_REQUEST', message: 'Dữ liệu gửi lên không hợp lệ' },
    })
    expect(fieldsOf(reply.body)).toEqual(paths)
    expect(made).not.toHaveBeenCalled()
  })

  test('the messages about fields are Vietnamese', async () => {
    const { body } = await make({ score: 'x', isWin: true })
    expect(JSON.stringify(body['details'])).toContain('Không đúng kiểu dữ liệu')
  })

  test('a parameter and a query are validated as strictly', async () => {
    expect(fieldsOf((await make({ score: 1, isWin: true }, {}, '/api/v1/thing/nobody')).body)).toEqual(['id'])
    const reply = await make({ score: 1, isWin: true }, {}, `/api/v1/thing/${user.id}?count=1e3`)
    expect(fieldsOf(reply.body)).toEqual(['count'])
  })

  test.each(['{', '{"score":1,}', 'NaN', '{"__proto__":{"isWin":true}}', '{"constructor":{"prototype":{}}}'])(
    'broken JSON %s',
    async (text) => {
      expect(await make(text)).toMatchObject({ status: 400, body: { code: 'BAD_JSON' } })
      expect(made).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['a NUL', 'a\\u0000b'],
    ['half of a character', 'a\\ud83d'],
    ['its other half first', '\\ude00\\ud83d'],
  ])('%s is refused with its field, but a text that describes it is fine', async (_, escaped) => {
    for (const backslashes of ['', '\\\\'])
      expect(await make(`{"score":1,"isWin":true,"note":"${backslashes}${escaped}"}`)).toMatchObject({
        status: 422,
        body: { code: 'TEXT_INVALID', details: { fields: [{ path: 'note', message: 'Có ký tự không đọc được' }] } },
      })
    const described = escaped.replaceAll('\\', '\\\\')
    expect((await make(`{"score":1,"isWin":true,"note":"${described}"}`)).status).toBe(200)
    expect(await make(`{"score":"1","isWin":true,"note":"${escaped}"}`)).toMatchObject({ status: 422 })
    expect(await call('GET', '/api/v1/thing?page=%00')).toMatchObject({ status: 422, body: { code: 'TEXT_INVALID' } })
  })

  test('a body over 64 KiB', async () => {
    const note = 'x'.repeat(64 * 1024)
    expect(await make({ score: 1, isWin: true, note })).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
    expect((await make({ score: 1, isWin: true, note: note.slice(100) })).status).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'a body of %s',
    async (type) => {
      const reply = await make('score=1', { 'content-type': type })
      expect(reply).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_TYPE' } })
      expect(made).not.toHaveBeenCalled()
    },
  )

  test.each(['x'.repeat(129), 'có dấu', 'a b'])('the Idempotency-Key %s', async (key) => {
    const reply = await make({ score: 1, isWin: true }, { 'idempotency-key': Buffer.from(key).toString('latin1') })
    expect(reply).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(made).not.toHaveBeenCalled()
  })

  test('a path that can’t be decoded', async () => {
    expect(await call('GET', '/api/v1/thing/%zz')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  })
})

describe('too much of it', () => {
  const keys = (count: number, width = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padEnd(width, 'k'), 0]))

  test.each([
    ['6,500 unknown keys', { score: 1, isWin: true, ...keys(6_500) }],
    ['30,000 items', { score: Array.from({ length: 30_000 }, () => 0) }],
    ['10,000 in each other', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ])('%s are refused before any schema runs', async (_name, body) => {
    const reply = await make(body)
    expect(reply).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(fieldsOf(reply.body)).toEqual(['body'])
    expect(made).not.toHaveBeenCalled()
  })

  test('a whole body that changes nothing but what is known is bounded, too', async () => {
    expect((await call('POST', '/api/v1/loose', keys(64))).status).toBe(200)
    expect((await call('POST', '/api/v1/loose', keys(65))).status).toBe(400)
  })

  test('a query of a thousand names', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `k${index}=1`).join('&')
    const reply = await call('GET', `/api/v1/thing?${names}`)
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply.body)).toEqual(['query'])
  })

  test('at most 20 fields are named, by short texts', async () => {
    const reply = await make({ score: 1, isWin: true, ...keys(60, 1_000) })
    const { fields } = reply.body['details'] as { fields: Array<{ path: string; message: string }> }
    expect(fields).toHaveLength(20)
    expect(Math.max(...fields.map(({ path }) => path.length))).toBe(60)
    expect(new Set(fields.map(({ message }) => message))).toEqual(new Set(['Trường không được nhận dạng']))
    expect(JSON.stringify(reply.body).length).toBeLessThan(16 * 1024)
  })

  test('a refusal’s answer is at most 16 KiB, whatever its details', async () => {
    const largest = Array.from({ length: 30 }, () => ({ path: '\u0001'.repeat(100), message: 'ế'.repeat(200) }))
    const named = failureJson(refuseFields(...largest))
    expect(Buffer.byteLength(named)).toBeLessThanOrEqual(16 * 1024)
    expect(JSON.parse(named)).toHaveProperty('details.fields')
    const json = failureJson(refuse('STALE', { row: 'x'.repeat(20_000) }))
    expect(JSON.parse(json)).toEqual({ statusCode: 409, code: 'STALE', message: refusals.STALE.message })
  })
})

describe('access', () => {
  test('without a token there is no query', async () => {
    asked.mockClear()
    row = alive
    expect(await call('GET', '/api/v1/staff')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(asked).not.toHaveBeenCalled()
  })

  test('a dead token is refused before its body is validated', async () => {
    row = null
    const reply = await call('POST', `/api/v1/thing/${user.id}`, '{', { authorization: bearer })
    expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    row = { ...alive, ended_at: new Date() }
    expect((await call('GET', '/api/v1/staff', undefined, { authorization: bearer })).status).toBe(401)
    row = { ...alive, secret_hash: new Uint8Array(32) }
    expect((await call('GET', '/api/v1/staff', undefined, { authorization: bearer })).status).toBe(401)
  })

  test.each([
    ['player', {}, 403, 'FORBIDDEN'],
    ['frozen admin', { role: 'admin', is_frozen: true }, 403, 'ACCOUNT_PAUSED'],
    ['admin with a set password', { role: 'admin', must_change_password: true }, 403, 'MUST_CHANGE_PASSWORD'],
    ['admin', { role: 'admin' }, 200, undefined],
  ])('a %s on a staff route', async (_who, fields, status, code) => {
    row = { ...alive, ...fields }
    const reply = await call('GET', '/api/v1/staff', undefined, { authorization: bearer })
    expect(reply.status).toBe(status)
    expect(reply.body['code']).toBe(code)
  })

  test('a route that checks the session itself gets the token, and no query is made', async () => {
    asked.mockClear()
    const reply = await call('POST', '/api/v1/own', undefined, { authorization: bearer })
    expect(reply.body['data']).toBe(user.sessionId)
    expect(asked).not.toHaveBeenCalled()
    expect((await call('POST', '/api/v1/own')).status).toBe(401)
  })

  test.each([
    ['broken JSON', '{', {}, 'BAD_JSON'],
    ['a wrong type', 'score=1', { 'content-type': 'text/plain' }, 'UNSUPPORTED_TYPE'],
    ['too large', 'x'.repeat(65 * 1024), {}, 'TOO_LARGE'],
    ['a wrong field', { score: 'x' }, {}, 'BAD_REQUEST'],
  ])('such a route judges a body that is %s for a live token only', async (_name, body, headers, code) => {
    const send = (more: Record<string, string>) => call('POST', '/api/v1/own', body, { ...headers, ...more })
    row = alive
    expect((await send({})).body['code']).toBe('UNAUTHORIZED')
    expect((await send({ authorization: bearer })).body['code']).toBe(code)
    row = { ...alive, is_frozen: true }
    expect((await send({ authorization: bearer })).body['code']).toBe('ACCOUNT_PAUSED')
    row = null
    expect((await send({ authorization: bearer })).body['code']).toBe('UNAUTHORIZED')
  })
})

describe('failures', () => {
  test('an answered and a thrown refusal look the same', async () => {
    const refused = await call('GET', '/api/v1/refused')
    expect(refused.headers['retry-after']).toBe('7')
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      statusCode: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Bạn thao tác quá nhanh. Vui lòng thử lại sau 7 giây',
      details: { why: 'limit' },
    })
    expect(await call('GET', '/api/v1/thrown')).toMatchObject({ status: 409, body: { statusCode: 409, code: 'STALE' } })
  })

  test('an unreachable database is no fault: 503, Retry-After, and one line in the log', async () => {
    warned.mockClear()
    logged.mockClear()
    const { status, headers, body } = await call('GET', '/api/v1/away')
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(body).toEqual({ statusCode: 503, code: 'DATABASE_AWAY', message: refusals.DATABASE_AWAY.message })
    await call('GET', '/api/v1/away')
    expect(warned).toHaveBeenCalledOnce()
    expect(logged).not.toHaveBeenCalled()
  })

  test('an act that the database holds up is answered 503 in time, and one behind it is not begun', async () => {
    let release = () => {}
    held = new Promise<void>((resolve) => (release = resolve))
    const body = { score: 1, isWin: true }
    const replies = await Promise.all([make(body), make(body)])
    for (const { status, headers, body: told } of replies)
      expect([status, told['code'], headers['retry-after']]).toEqual([503, 'DATABASE_AWAY', '2'])
    release()
    held = Promise.resolve()
    expect(await make(body)).toMatchObject({ status: 200 })
    // The one that had begun ends, and so does the third: the second waited for its turn in vain.
    expect(made).toHaveBeenCalledTimes(2)
  })

  test('so is a read, and one that waits behind it is not begun', async () => {
    let release = () => {}
    held = new Promise<void>((resolve) => (release = resolve))
    row = alive
    readsBegun = 0
    const read = () => call('GET', '/api/v1/read', undefined, { authorization: bearer })
    const replies = await Promise.all(Array.from({ length: 6 }, read))
    for (const { status, headers, body } of replies)
      expect([status, body['code'], headers['retry-after']]).toEqual([503, 'DATABASE_AWAY', '2'])
    release()
    held = Promise.resolve()
    expect(await read()).toMatchObject({ status: 200, body: { data: 'read' } })
    // An account has four at once.
    expect(readsBegun).toBe(5)
  })

  test('so is a call whose session cannot be looked up, and what follows has the rest of the time alone', async () => {
    row = alive
    const read = () => call('GET', '/api/v1/read', undefined, { authorization: bearer })
    lookedUp = new Promise(() => {})
    expect(await read()).toMatchObject({ status: 503, body: { code: 'DATABASE_AWAY' } })
    lookedUp = sleep(ANSWERED_MS * 0.7)
    held = sleep(ANSWERED_MS * 1.4)
    const begunMs = performance.now()
    expect(await read()).toMatchObject({ status: 503, body: { code: 'DATABASE_AWAY' } })
    expect(performance.now() - begunMs).toBeLessThan(ANSWERED_MS * 1.3)
    await held
    lookedUp = Promise.resolve()
    held = Promise.resolve()
  })

  test('how a call fails that was answered already is logged, once; a file that comes too late is closed', async () => {
    let fail = (_error: Error) => {}
    held = new Promise((_resolve, reject) => (fail = reject))
    held.catch(() => {})
    row = alive
    logged.mockClear()
    expect(await call('GET', '/api/v1/read', undefined, { authorization: bearer })).toMatchObject({ status: 503 })
    expect(logged).not.toHaveBeenCalled()
    const error = new Error('too late')
    fail(error)
    await sleep(20)
    expect(logged).toHaveBeenCalledOnce()
    expect(logged.mock.calls[0]?.[0]).toMatchObject({ err: error, method: 'GET', route: '/api/v1/read' })

    held = sleep(ANSWERED_MS + 50)
    file = new PassThrough()
    expect(await call('GET', '/api/v1/file', undefined, { authorization: bearer })).toMatchObject({ status: 503 })
    await held
    await sleep(20)
    expect(file.destroyed).toBe(true)
    held = Promise.resolve()
  })

  test('the same holds when the token is looked up', async () => {
    losing = true
    const reply = await call('GET', '/api/v1/staff', undefined, { authorization: bearer })
    losing = false
    expect(reply).toMatchObject({ status: 503, body: { code: 'DATABASE_AWAY' } })
  })

  test('an unexpected error is logged, and its answer reveals nothing', async () => {
    logged.mockClear()
    const reply = await call('GET', '/api/v1/fail')
    expect(reply.status).toBe(500)
    expect(reply.body).toEqual({ statusCode: 500, code: 'INTERNAL', message: 'Có lỗi xảy ra, vui lòng thử lại' })
    expect(logged).toHaveBeenCalledOnce()
    const requestId = reply.headers['x-request-id']
    expect(requestId).toMatch(/^[0-9a-f]{6}-[0-9a-z]+$/)
    expect(logged.mock.calls[0]?.[0]).toMatchObject({ requestId, method: 'GET', route: '/api/v1/fail' })
    expect((await call('GET', '/api/v1/fail')).headers['x-request-id']).not.toBe(requestId)
  })
})
