import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'

const inlineScript = 'document.title'
const page = `<!doctype html><title>Kim Phiên</title><script>${inlineScript}</script>${' '.repeat(2000)}`
const script = `console.log('${'x'.repeat(3000)}')`

/** Distinguishes the build's file from what the server compresses itself. */
const best = `${script} // compressed by the build`

let db: Database
let app: TestApp
let webDir: string

beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'web-'))
  mkdirSync(join(webDir, 'assets'))
  mkdirSync(join(webDir, '.vite'))
  writeFileSync(join(webDir, 'index.html'), page)
  writeFileSync(join(webDir, 'favicon.svg'), '<svg/>')
  writeFileSync(join(webDir, '.vite/manifest.json'), '{}')
  writeFileSync(join(webDir, 'assets/main-abc123.js'), script)
  writeFileSync(join(webDir, 'assets/main-abc123.js.map'), '{}')
  writeFileSync(join(webDir, 'assets/best-abc123.js'), script)
  writeFileSync(join(webDir, 'assets/best-abc123.js.br'), brotliCompressSync(best))
  db = await openTestDatabase('embedded')
  app = await buildTestApp(db, { webDir, settings: { metricsToken: 'm'.repeat(16), trustProxy: ['10.9.0.0/16'] } })
})
afterAll(async () => {
  await app.close()
  await db.close()
  rmSync(webDir, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  app.http.inject({ method: 'GET', url, headers, remoteAddress })

describe('the list of features', () => {
  test('every call of the contract is served, and none beside it', async () => {
    const served = app.http.printRoutes({ commonPrefix: false, includeMeta: false })
    expect(served.length).toBeGreaterThan(0)
    const missing = Object.values(endpoints).filter(
      ({ method, path }) => !app.http.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
    )
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('without a token every call that needs one answers 401, whatever its input', async () => {
    const calls = Object.values(endpoints).filter(({ access }) => access !== 'public')
    expect(calls.length).toBeGreaterThan(20)
    for (const { method, path } of calls) {
      const url = path.replaceAll(/\{\w+\}/g, '0190eeee-0000-7000-8000-000000000001')
      const reply = await app.call(method, url, method === 'GET' || method === 'DELETE' ? {} : { body: {} })
      expect(reply).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
      const dead = await app.call(method, url, { token: `kp1.${'A'.repeat(86)}` })
      expect(dead.status).toBe(401)
    }
  })
})

describe('/docs', () => {
  test('describes every call by the schemas that validate it', async () => {
    const reply = await get('/docs/json')
    const docs = reply.json<{ openapi: string; paths: Record<string, Record<string, Record<string, unknown>>> }>()
    expect(docs.openapi).toBe('3.1.0')
    for (const { method, path, summary } of Object.values(endpoints))
      expect(docs.paths[path]?.[method.toLowerCase()]?.['summary']).toBe(summary)
    expect(Object.keys(docs.paths).every((path) => path.startsWith('/api/v1/'))).toBe(true)
    expect(docs.paths['/api/v1/auth/login']?.['post']?.['requestBody']).toMatchObject({
      content: {
        'application/json': {
          schema: { type: 'object', required: ['username', 'password'], additionalProperties: false },
        },
      },
    })
    expect(docs.paths['/api/v1/history']?.['post']?.['security']).toEqual([{ token: [] }])
  })

  test('is made once', async () => {
    const made = vi.spyOn(app.http, 'swagger')
    expect((await get('/docs/json')).body).toBe((await get('/docs/json')).body)
    expect(made).not.toHaveBeenCalled()
  })

  test('the page has a policy of its own', async () => {
    const reply = await get('/docs')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' })
    expect(reply.headers['content-security-policy']).toContain("script-src 'self'")
    expect(reply.headers['content-security-policy']).not.toContain('unsafe-eval')
  })
})

describe('health', () => {
  test('a process that answers is alive', async () => {
    expect((await get('/livez')).json()).toEqual({ status: 'ok' })
  })

  test('one without a running market is not ready, and says which part is missing', async () => {
    const reply = await get('/readyz')
    expect(reply.statusCode).toBe(503)
    expect(reply.json()).toEqual({
      status: 'failed',
      checks: { database: 'ok', clock: 'ok', feed: 'failed', book: 'ok' },
    })
  })
})

describe('/metrics', () => {
  test('this machine reads them, with the times of every route', async () => {
    await get('/api/v1/public-config')
    const reply = await get('/metrics')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/plain')
    expect(reply.body).toContain(
      'http_request_seconds_count{method="GET",route="/api/v1/public-config",status="200"} 1',
    )
    expect(reply.body).toContain('sockets_open 0')
    expect(reply.body).toContain('ledger_open 1')
    expect(reply.body).toMatch(/nodejs_eventloop_lag_seconds \d/)
  })

  const token = { authorization: `Bearer ${'m'.repeat(16)}` }
  test.each([
    [{}, '192.168.1.5', 403],
    [{ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1', 403],
    [{ forwarded: 'for=127.0.0.1' }, '127.0.0.1', 403],
    [{ via: '1.1 proxy' }, '127.0.0.1', 403],
    [{ 'x-real-ip': '127.0.0.1' }, '127.0.0.1', 403],
    [{ 'x-forwarded-for': 'unknown' }, '10.9.0.1', 403],
    [{ authorization: 'Bearer wrong' }, '127.0.0.1', 403],
    [token, '192.168.1.5', 200],
    [{ ...token, 'x-forwarded-for': '1.2.3.4' }, '10.9.0.1', 200],
    [{}, '::1', 200],
    [{}, '::ffff:127.0.0.1', 200],
  ])('%j from %s: %i, as /docs', async (headers, address, status) => {
    for (const path of ['/metrics', '/docs', '/docs/json'])
      expect((await get(path, headers as Record<string, string>, address)).statusCode).toBe(status)
  })

  test('outside development they are for the token alone, and off without one', async () => {
    const asked = async (metricsToken: string | null, headers = {}) => {
      const strict = await buildTestApp(db, { settings: { metricsToken, isDevelopment: false } })
      const paths = ['/metrics', '/docs', '/docs/json', '/docs/static/swagger-ui.css']
      const replies = await Promise.all(paths.map((url) => strict.http.inject({ method: 'GET', url, headers })))
      await strict.close()
      for (const reply of replies) expect(reply.headers['x-content-type-options']).toBe('nosniff')
      return replies.map(({ statusCode }) => statusCode)
    }
    expect(await asked(null)).toEqual([403, 404, 404, 404])
    expect(await asked('m'.repeat(16))).toEqual([403, 403, 403, 403])
    expect(await asked('m'.repeat(16), token)).toEqual([200, 200, 200, 200])
  })
})

describe('TRUST_PROXY', () => {
  test('X-Forwarded-For counts from the named proxies alone', async () => {
    const registerFrom = (name: string, address: string) =>
      app.call('POST', '/api/v1/auth/register', {
        body: { username: name, password: 'matkhau1', rePassword: 'matkhau1', code: 'KIMPHIEN' },
        ip: address,
        headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7:50000' },
      })
    await registerFrom('behindProxy', '10.9.0.1')
    await registerFrom('liar', '10.8.0.1')
    const { rows } = await db.query('select username, ip from users order by username')
    expect(rows).toEqual([
      { username: 'behindProxy', ip: '203.0.113.7' },
      { username: 'liar', ip: '10.8.0.1' },
    ])
  })

  test.each([
    ['a port each time', '10.9.0.1', (n: number) => `203.0.113.9:${50_000 + n}`],
    ['a host of its /64 and a port each time', '10.9.0.1', (n: number) => `[2001:db8:0:7::${n + 1}]:${n + 1}`],
    ['no address, which is the proxy’s own', '10.9.0.1', (n: number) => `198.51.100.7, unknown-${n}`],
    ['a zone each time', `fe80::1%eth0`, () => '203.0.113.9'],
  ])('who is forwarded with %s is limited as one', async (what, ip, forwarded) => {
    const strict = await buildTestApp(db, { settings: { rateLimitFactor: 1, trustProxy: ['10.9.0.0/16'] } })
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      const reply = await strict.call('POST', '/api/v1/auth/register', {
        body: { username: `n${n}x${what.length}`, password: 'matkhau1', rePassword: 'matkhau1', code: 'KIMPHIEN' },
        ip,
        headers: { 'x-forwarded-for': forwarded(n) },
      })
      statuses.push(reply.status)
    }
    await strict.close()
    expect(statuses.slice(10)).toEqual([429, 429])
  })
})

describe('HEAD', () => {
  test('answers as GET without the body, whatever is asked', async () => {
    const urls = ['/livez', '/readyz', '/metrics', '/docs/json', '/log/key', '/api/v1/public-config', '/api/v1/user/me']
    for (const url of [...urls, '/api/v1/nothing', '/login', '/favicon.svg', '/readyz/', '/.env']) {
      const [head, whole] = await Promise.all([app.http.inject({ method: 'HEAD', url }), get(url)])
      expect([url, head.statusCode, head.headers['content-type']]).toEqual([
        ...[url, whole.statusCode, whole.headers['content-type']],
      ])
      expect(head.body).toBe('')
    }
    // No market runs in this test.
    expect((await app.http.inject({ method: 'HEAD', url: '/readyz' })).statusCode).toBe(503)
  })
})

describe('the web', () => {
  test.each([
    ...['/', '/login', '/login/', '/Login', '/investment/game', '/admin', '/admin/user', '/admin/user/x%2Fy?a=b'],
    ...['/vong/0190eeee', '/index.html'],
  ])('%s is the page', async (url) => {
    const reply = await get(url)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe(page)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
    const policy = String(reply.headers['content-security-policy'])
    const hash = createHash('sha256').update(inlineScript).digest('base64')
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self' 'unsafe-inline'`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain('; frame-src https://www.tradingview-widget.com; ')
  })

  test('a hashed file is kept for ever, compressed as asked', async () => {
    const url = '/assets/main-abc123.js'
    const plain = await get(url)
    expect(plain.body).toBe(script)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const br = await get(url, { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script)
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)
    const refused = await get(url, { 'accept-encoding': 'br;q=0' })
    expect([refused.headers['content-encoding'], refused.body]).toEqual([undefined, script])
    expect(plain.headers['content-security-policy']).toContain("script-src 'self';")
    expect(Number(gzip.headers['content-length'])).toBe(gzip.rawPayload.length)
  })

  test('what the build has compressed is sent as it is', async () => {
    const br = await get('/assets/best-abc123.js', { 'accept-encoding': 'br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(best)
    expect((await get('/assets/best-abc123.js')).body).toBe(script)
    expect((await get('/assets/best-abc123.js.br')).statusCode).toBe(404)
  })

  test('a file that the browser has already is not sent again', async () => {
    const { headers } = await get('/')
    const again = await get('/', { 'if-none-match': String(headers['etag']) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    for (const known of [`W/${headers['etag']}`, `"other", ${headers['etag']}`])
      expect((await get('/', { 'if-none-match': known })).statusCode).toBe(304)
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('HEAD answers without a body', async () => {
    const reply = await app.http.inject({ method: 'HEAD', url: '/login' })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(page)))
    expect(reply.body).toBe('')
  })

  const unknown = [
    ...['/readyz/', '/READYZ', '//readyz', '//', '//login', '/.env', '/..%2fetc/passwd', '/assets/%00', '/assets/'],
    ...['/khong-co', '/wp-login.php', '/admin/user/a/b', '/vong/', '/api', '/docs2', '/metrics/'],
  ]

  test.each(unknown)('%s is not found: the page says so to whoever navigates there', async (url) => {
    const reply = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(reply.statusCode).toBe(404)
    expect(reply.body).toBe(page)
    expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    const again = await get(url, { accept: 'text/html', 'if-none-match': String(reply.headers['etag']) })
    expect(again.statusCode).toBe(404)
  })

  test.each([
    ...unknown,
    '/assets/gone-123.js',
    '/nothing.png',
    '/.vite/manifest.json',
    '/assets/main-abc123.js.map',
    '/dist-maps/main-abc123.js.map',
    '/assets/..%2findex.html',
    '/api/v1/nothing',
    '/api/v1/user/me/more',
    '/api/',
  ])('%s is not found, in JSON', async (url) => {
    const reply = await get(url)
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ statusCode: 404, code: 'ROUTE_NOT_FOUND', message: 'Đường dẫn không tồn tại' })
  })

  test.each([
    ['POST', '/login'],
    ['PATCH', '/api/v1/user/me'],
    ['GET', '/api/v1/auth/login'],
  ] as const)('%s %s is not found', async (method, url) => {
    const reply = await app.http.inject({ method, url })
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
  })

  test('a path that can’t be decoded is refused', async () => {
    expect((await get('/%zz')).statusCode).toBe(400)
  })
})

test('a long answer is compressed as asked, a short one and a refusal are not', async () => {
  const [player] = await createPlayers(db, 1)
  const authorization = player?.bearer ?? ''
  const url = '/api/v1/market'
  const plain = await get(url, { authorization })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  const { coins } = plain.json<{ data: { coins: unknown[] } }>().data
  expect(coins.length).toBeGreaterThan(10)
  for (const [accepted, encoding, open] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const reply = await get(url, { authorization, 'accept-encoding': accepted })
    expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
    expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(JSON.parse(open(reply.rawPayload).toString())).toMatchObject({ data: { coins } })
  }
  const short = await get('/api/v1/user/me', { authorization, 'accept-encoding': 'br' })
  expect(short.headers).not.toHaveProperty('content-encoding')
  expect(short.json()).toMatchObject({ statusCode: 200 })
})

test('bets and lists of the game are answered through the whole server', async () => {
  const [player] = await createPlayers(db, 1)
  const token = player?.bearer.slice('Bearer '.length)
  expect((await app.call('GET', '/api/v1/game', { token })).rows).toHaveLength(4)
  expect((await app.call('GET', '/api/v1/user/ledger', { token })).rows).toMatchObject([{ walletDelta: 1000 }])
})
