// Gate: servers run until they have exported.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#server/platform/process/log.ts'
import { readSettings } from '#server/platform/process/settings.ts'
import { startTelemetry } from '#server/platform/process/telemetry.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '#testing/machines/otlp-receiver.ts'
import { withLaidServer } from '#testing/database/laid.ts'
import { type RunningServer } from '#testing/machines/process.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'

/** Bets that are placed at once. */
const BETS = inject('isFull') ? 24 : 8

/** A server as a process, and what it loaded and connected to until its end. */
async function watched(env: Record<string, string>, work: (server: RunningServer) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'))
  const file = join(folder, 'loaded')
  try {
    await withLaidServer({ RATE_LIMIT_FACTOR: '100', ...env, WATCH_LOADING: file }, work, [
      '--import',
      new URL('../../testing/machines/watch-loading.mjs', import.meta.url).href,
    ])
    const lines = readFileSync(file, 'utf8').split('\n')
    return {
      sdk: lines.filter((line) => /^module .*@opentelemetry\/(?!api\/)/.test(line)),
      modules: lines.filter((line) => line.startsWith('module ')).length,
      connections: [...new Set(lines.filter((line) => line.startsWith('connect ')))],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** New players. Returns their tokens. */
async function register(server: RunningServer, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const { data, text } = await server.send('POST', '/api/v1/auth/register', {
      body: { username: `nguoi${n}`, password: 'mat-khau', rePassword: 'mat-khau', code: 'KIMPHIEN' },
    })
    if (typeof data['access_token'] !== 'string') throw new Error(text)
    tokens.push(data['access_token'])
  }
  return tokens
}

/** A round with at least this much time left. */
async function roundWithLeft(server: RunningServer, token: string, leastMs: number): Promise<string> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await sleep(100)) {
    const { data } = await server.send('GET', '/api/v1/game/current?type=120s', { token })
    const left = Date.parse(String(data['endTime'])) - Date.now()
    if (left > leastMs) return String(data['_id'])
  }
  throw new Error('No round has that much time left')
}

const bet = (roundId: string) => ({ gameId: roundId, score: 1, value: 'UP', seenBasis: 'PRICE' })

/**
 * A bet of each player, pipelined on one connection: the server reads them at once, so that they share transactions
 * however quick it is. Returns the statuses in order.
 */
async function placeAtOnce(server: RunningServer, tokens: readonly string[], roundId: string): Promise<number[]> {
  const { hostname, port, host } = new URL(server.address)
  const body = JSON.stringify(bet(roundId))
  const lines = (token: string, isLast: boolean) => [
    'POST /api/v1/history HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Connection: ${isLast ? 'close' : 'keep-alive'}`,
    '',
    body,
  ]
  const socket = connect(Number(port), hostname)
  socket.write(tokens.map((token, at) => lines(token, at === tokens.length - 1).join('\r\n')).join(''))
  return [...(await readAll(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

const partsOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId).toSorted((a, b) => a.startMs - b.startMs)

describe('with a collector', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const caller = '00f067aa0ba902b7'
  let receiver: OtlpReceiver
  let loaded: Awaited<ReturnType<typeof watched>>
  const sentAtMs = { startedAtMs: 0, endedAtMs: 0 }

  // One server for all that is looked at below: each start takes seconds.
  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    // The tests' own address is that of a proxy which decides what is traced.
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRUST_PROXY: '10.0.0.0/8,127.0.0.1' }
    loaded = await watched(env, async (server) => {
      const [token = '', ...others] = await register(server, 1 + BETS)
      const roundId = await roundWithLeft(server, token, 10_000)
      sentAtMs.startedAtMs = Date.now()
      const placed = await server.send('POST', '/api/v1/history?a=b', {
        token,
        body: bet(roundId),
        headers: { traceparent: `00-${traceId}-${caller}-01`, tracestate: 'vendor=somebody' },
      })
      expect(placed.status).toBe(200)
      sentAtMs.endedAtMs = Date.now()
      expect(await placeAtOnce(server, others, roundId)).toEqual(others.map(() => 200))
      await server.send('GET', '/api/v1/user/ledger?page=1', { token })
      await server.send('GET', '/api/v1/history/01890000-0000-7000-8000-000000000000/ticks', { token })
      await server.send('GET', '/nowhere-at-all', { headers: { accept: 'application/json' } })
      await server.send('POST', '/api/v1/auth/login', { body: { username: 'nguoi0', password: 'sai-roi' } })
      expect(await server.stop()).toBe(0)
    })
  })
  afterAll(() => receiver.close())

  test('a bet is one trace that goes on with its caller’s, from the queue to the commit', () => {
    const spans = receiver.spans().filter((span) => span.traceId === traceId)
    const [request, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === caller)
    if (request === undefined) throw new Error('No span of the request')
    expect(others).toEqual([])
    expect(request).toMatchObject({ name: 'POST /api/v1/history', kind: 2, traceState: '', status: 0, links: [] })
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/history',
      'http.response.status_code': 200,
      'request.id': expect.stringMatching(/^[0-9a-f]{6}-/),
    })
    const parts = partsOf(spans, request)
    expect(parts.map(({ name }) => name)).toEqual(['bet.queue', 'bet.batch'])
    const [queue, batch] = parts as [ReceivedSpan, ReceivedSpan]
    expect(batch.attributes).toEqual({ 'bet.count': 1, 'bet.retry': false })
    const steps = partsOf(spans, batch)
    expect(steps.map(({ name }) => name)).toEqual([
      'bet.connection',
      'bet.locks',
      'bet.decide',
      'bet.write',
      'bet.commit',
      'bet.promise',
    ])
    expect(spans).toHaveLength(3 + steps.length)

    // Everything lies within what it is a part of, one after the other; the clocks are those of one machine. A request
    // ends when its answer has left, which a busy server may note after the client has read it.
    expect(request.startMs).toBeGreaterThan(sentAtMs.startedAtMs - 1_000)
    expect(request.endMs).toBeLessThan(sentAtMs.endedAtMs + 1_000)
    expect(batch.endMs - request.startMs).toBeLessThanOrEqual(sentAtMs.endedAtMs - sentAtMs.startedAtMs + 1)
    expect(queue.startMs).toBeGreaterThanOrEqual(request.startMs)
    expect(batch.startMs).toBeGreaterThanOrEqual(queue.endMs)
    expect(batch.endMs).toBeLessThanOrEqual(request.endMs)
    for (const [at, step] of steps.entries()) {
      expect(step.startMs).toBeGreaterThanOrEqual(steps[at - 1]?.endMs ?? batch.startMs)
      expect(step.endMs).toBeLessThanOrEqual(batch.endMs)
    }
    // Locks and writing go to the database and back.
    const msOf = ({ startMs, endMs }: ReceivedSpan) => endMs - startMs
    const inDatabase = steps.filter(({ name }) => name === 'bet.locks' || name === 'bet.write')
    for (const step of inDatabase) expect(msOf(step)).toBeGreaterThan(0.1)
    // Nearly all of a batch is in one of its steps: of the best one, since on a busy machine a process waits in between.
    const all = receiver.spans()
    const inSteps = (one: ReceivedSpan) => partsOf(all, one).reduce((sum, step) => sum + msOf(step), 0)
    const gaps = all.filter(({ name }) => name === 'bet.batch').map((one) => 0.9 * msOf(one) - inSteps(one))
    expect(gaps.length).toBeGreaterThan(1)
    expect(Math.min(...gaps)).toBeLessThan(1)
  })

  test('bets that share a transaction are linked: one trace has its steps, the others lead there', () => {
    const spans = receiver.spans()
    const placings = spans.filter((span) => span.name === 'POST /api/v1/history' && span.traceId !== traceId)
    expect(placings).toHaveLength(BETS)
    expect(new Set(placings.map(({ traceId }) => traceId)).size).toBe(BETS)
    const batches = placings.map((request) => {
      const parts = partsOf(spans, request)
      expect(parts.map(({ name }) => name)).toEqual(['bet.queue', 'bet.batch'])
      return parts[1] as ReceivedSpan
    })
    const leading = batches.filter((batch) => partsOf(spans, batch).length > 0)
    // Fewer transactions than bets, and each bet in one of them.
    expect(leading.length).toBeLessThan(BETS)
    expect(leading.reduce((sum, { attributes }) => sum + Number(attributes['bet.count']), 0)).toBe(BETS)
    const requestOf = ({ parentSpanId }: ReceivedSpan) => placings.find(({ spanId }) => spanId === parentSpanId)
    for (const batch of leading) {
      expect(partsOf(spans, batch).map(({ name }) => name)).toContain('bet.commit')
      const followers = batches.filter(({ links }) => links[0]?.spanId === batch.spanId)
      expect(followers).toHaveLength(Number(batch.attributes['bet.count']) - 1)
      expect(followers.map(({ links }) => links[0]?.traceId)).toEqual(followers.map(() => batch.traceId))
      expect(batch.links.map(({ spanId }) => spanId).toSorted()).toEqual(
        followers.map((follower) => requestOf(follower)?.spanId).toSorted(),
      )
      for (const follower of followers) {
        expect(partsOf(spans, follower)).toEqual([])
        expect(follower.attributes).toEqual(batch.attributes)
      }
    }
  })

  test('every other request is one span by its route', () => {
    const spans = receiver.spans()
    const named = (name: string) => spans.filter((span) => span.name === name)
    expect(named('GET /api/v1/user/ledger')).toHaveLength(1)
    expect(named('GET /api/v1/history/:id/ticks')).toMatchObject([
      { kind: 2, status: 0, attributes: { 'http.response.status_code': 404, 'error.type': 'NOT_FOUND' } },
    ])
    expect(named('POST /api/v1/auth/login')).toMatchObject([
      { attributes: { 'http.response.status_code': 401, 'error.type': 'LOGIN_FAILED' } },
    ])
    expect(spans.map(({ attributes }) => JSON.stringify(attributes)).join()).not.toContain('nowhere-at-all')
    // All but one begin a trace: nobody else had begun one.
    expect(spans.filter(({ name, parentSpanId }) => /^[A-Z]/.test(name) && parentSpanId !== '')).toMatchObject([
      { traceId, parentSpanId: caller },
    ])

    const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'))
    const resources = receiver.resources()
    expect(resources.length).toBeGreaterThan(0)
    for (const resource of resources)
      expect(resource).toEqual({
        'service.name': 'kim-phien',
        'service.version': version,
        'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
    expect(new Set(resources.map((resource) => resource['service.instance.id'])).size).toBe(1)
  })

  test('its exporter is loaded and connects to it alone', () => {
    expect(loaded.sdk.length).toBeGreaterThan(20)
    expect(loaded.connections).toEqual([`connect ${new URL(receiver.url).host}`])
  })
})

test('without a collector nothing of telemetry is loaded, and nothing is connected to', async () => {
  const { sdk, modules, connections } = await watched({}, async (server) => {
    const [token = ''] = await register(server, 1)
    const roundId = await roundWithLeft(server, token, 3_000)
    expect((await server.send('POST', '/api/v1/history', { token, body: bet(roundId) })).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
  expect(sdk).toEqual([])
  expect(modules).toBeGreaterThan(300)
  expect(connections).toEqual([])
})

describe('what is traced', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const parent = (flags: string) => ({ traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` })

  /** The spans of all that `work` asks of a server with these settings. */
  async function tracedOf(env: Record<string, string>, work: (app: TestApp, token: string) => Promise<unknown>) {
    const settings = readSettings(env)
    if ('problems' in settings) throw new Error(settings.problems.join('\n'))
    const receiver = await startOtlpReceiver()
    const log = createLog('silent')
    const telemetry = startTelemetry({ endpoint: receiver.url, share: settings.tracedShare, log })
    const db = await openTestDatabase('embedded')
    const { trustProxy } = settings
    const app = await buildTestApp(db, { settings: { trustProxy }, tracing: telemetry.tracing })
    try {
      const [player] = await createPlayers(db, 1)
      await work(app, player?.bearer.slice('Bearer '.length) ?? '')
      await telemetry.stop()
      return receiver.spans()
    } finally {
      await app.close()
      await db.close()
      await receiver.close()
    }
  }

  test('of a share of nothing nothing, unless a trusted proxy asks for it', async () => {
    const spans = await tracedOf(
      { OTEL_TRACES_SAMPLER_ARG: '0', TRUST_PROXY: '10.0.0.0/8,127.0.0.1' },
      async (app, token) => {
        expect((await app.call('GET', '/api/v1/user/me', { token })).status).toBe(200)
        for (const headers of [parent('01'), parent('00'), { traceparent: '00-nonsense-01' }])
          expect((await app.call('GET', '/api/v1/user/ledger', { token, headers })).status).toBe(200)
      },
    )
    expect(spans).toMatchObject([{ name: 'GET /api/v1/user/ledger', traceId }])
  })

  test.each([
    ['nothing is traced of a share of nothing', '0', 0],
    ['a trace begins here, and none is left out', '1', 2],
  ])('a stranger decides nothing: %s', async (_, share, count) => {
    const spans = await tracedOf(
      // Another proxy's address, and a network without ours.
      { OTEL_TRACES_SAMPLER_ARG: share, TRUST_PROXY: '192.0.2.1,10.0.0.0/8,::2' },
      async (app) => {
        for (const flags of ['01', '00']) {
          const headers = { ...parent(flags), 'x-forwarded-for': '192.0.2.1' }
          expect((await app.call('GET', '/api/v1/public-config', { headers })).status).toBe(200)
        }
      },
    )
    expect(spans.map(({ name }) => name)).toEqual(Array.from({ length: count }, () => 'GET /api/v1/public-config'))
    for (const span of spans) expect([span.traceId === traceId, span.parentSpanId]).toEqual([false, ''])
  })
})

// They wait for most of their time, so they wait together.
test.concurrent.each([
  ['that refuses', 503],
  ['that never answers', null],
])('a collector %s disturbs nothing: one line of the log, and the end within seconds', async (_, status) => {
  const receiver = await startOtlpReceiver()
  const env = {
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TIMEOUT: '300' },
    ...{ OTEL_TRACES_SAMPLER_ARG: '0', TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '100' },
  }
  await withLaidServer(env, async (server) => {
    const [token = ''] = await register(server, 1)
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const use = async (): Promise<void> => {
      expect((await server.send('GET', '/api/v1/user/me', { token, headers })).status).toBe(200)
      await sleep(100)
    }
    // It has taken what was asked for, and nothing of its share of nothing.
    await use()
    await expect.poll(() => receiver.spans(), { timeout: 20_000 }).toMatchObject([{ name: 'GET /api/v1/user/me' }])
    receiver.answer(status)
    const startedAtMs = performance.now()
    const sayings = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('not taken by their collector'))
    while (sayings().length === 0 && performance.now() - startedAtMs < 60_000) await use()
    const calls = receiver.calls()
    // It is tried again and again, and said once.
    while (receiver.calls() < calls + 2 && performance.now() - startedAtMs < 90_000) await use()
    expect(receiver.calls()).toBeGreaterThanOrEqual(calls + 2)
    const stoppedAtMs = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - stoppedAtMs).toBeLessThan(8_000)
    expect(sayings()).toEqual([expect.stringContaining('"level":40')])
  }).finally(() => receiver.close())
})
