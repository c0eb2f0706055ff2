import { hash } from '@node-rs/argon2'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { buildTestApp, type TestApp } from '#server/testing/app.ts'
import { ACTORS, createAuthorityWorld } from '#server/testing/authority-world.ts'
import { asHttp, createRequestSource, faultOf, type OpenApi, PASSWORD } from '#server/testing/hostile-requests.ts'
import { openTestDatabase, testEngines } from '#server/testing/test-database.ts'

/** Values that no field takes: of a wrong type, and of a right type that a rule refuses. */
const WRONG: ReadonlyArray<(schema: unknown) => unknown> = [
  () => ({ wrong: true }),
  (schema) => ((schema as { readonly type?: unknown }).type === 'number' ? -1 : ' '),
]

/** `npm run bench:attacks -- --only requests` sends 20,000. */
const REQUESTS = 1_500
const SEED = 2
/** Requests of which only a part is sent. */
const CUT = 40

const logged = vi.fn<(fields: { err?: unknown }, message: string) => void>()
const ignored = () => {}
const log = { error: logged, warn: ignored, info: ignored, debug: ignored } as unknown as Logger

describe.each(testEngines)('%s', (engine) => {
  let db: Database
  let app: TestApp
  /** Tokens that were valid at the start; the requests may end their sessions. */
  let tokens: Array<string | undefined> = []
  let passwordHash: string

  beforeAll(async () => {
    db = await openTestDatabase(engine)
    app = await buildTestApp(db, { log })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    passwordHash = await hash(PASSWORD)
  })
  afterAll(async () => {
    await app.close()
    await db.close()
  })

  /** A new world after every so many requests, because the requests freeze, delete and sign out users. */
  const renewWorld = async () => {
    const { tokens: made } = await createAuthorityWorld(db)
    await db.query(`update users set password_hash = $1 where password_hash = '-'`, [passwordHash])
    tokens = [
      ...ACTORS.map((actor) => made[actor]),
      made.player,
      made.player,
      made.player,
      made.admin,
      made.admin,
      made.admin,
    ]
  }

  const sourceOf = async (seed: number) => {
    const document = (await app.http.inject('/docs/json')).json<unknown>()
    return createRequestSource(document, seed, (chance) => tokens[Math.floor(chance * tokens.length)] ?? null)
  }

  test(`${REQUESTS} requests from seed ${SEED} meet no fault of the server`, { timeout: 120_000 }, async () => {
    const source = await sourceOf(SEED)
    const faults: unknown[] = []
    const statuses = new Map<number, number>()
    for (let index = 0; index < REQUESTS; index++) {
      if (index % 150 === 0) await renewWorld()
      const request = source.next()
      const { method, url, headers, body: payload } = request
      const {
        statusCode,
        body,
        headers: got,
      } = await app.http.inject({
        method,
        url,
        headers: { ...headers },
        ...(payload === null ? {} : { payload }),
      })
      const fault = faultOf(statusCode, body)
      if (fault !== null) faults.push({ index, fault, request, cause: logged.mock.lastCall?.[0].err })
      if (statusCode < 300 && String(got['content-type']).includes('json')) source.learn(JSON.parse(body))
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(faults.slice(0, 3)).toEqual([])
    expect(faults).toHaveLength(0)
    // If nothing was accepted, the test would have tried nothing.
    expect(source.operations).toBeGreaterThan(50)
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 10)
    for (const status of [400, 401, 403, 404, 409, 422]) expect(statuses.get(status)).toBeGreaterThan(0)
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test.each([
    ['admin', '/api/v1/bank?userId=x', 'userId'],
    ['admin', '/api/v1/transaction?userId=0', 'userId'],
    ['player', '/api/v1/bank?userId=%F0%9F%98%80', 'userId'],
    ['player', '/api/v1/history/user?from=0000-01-01T00:00:00.000Z', 'from'],
    ['player', '/api/v1/history/user/summary?to=0000-12-31T23:59:59.999Z', 'to'],
    ['player', '/api/v1/market/candles?from=0000-01-01T00:00:00.000Z', 'from'],
    ['player', '/api/v1/market/ticks?source=simulated', 'from'],
    ['player', '/api/v1/market/ticks?from=2026-01-01T00:00:00.000Z', 'source'],
    ['player', '/api/v1/history/user?from=2026-01-01T00:00:00.000%2B07:00', 'from'],
    ['player', '/api/v1/history/user?from=-000001-01-01T00:00:00.000Z', 'from'],
    ['player', '/api/v1/history/user?from=%2B010000-01-01T00:00:00.000Z', 'from'],
  ] as const)('a %s’s %s names the field that is wrong', async (actor, path, field) => {
    const world = await createAuthorityWorld(db)
    const { status, body } = await app.call('GET', path, { token: world.tokens[actor] })
    expect([status, body.code, body.details?.fields?.map((one) => one.path)]).toEqual([400, 'BAD_REQUEST', [field]])
  })

  test('every call names the fields that are wrong as the wire does', { timeout: 120_000 }, async () => {
    const document = (await app.http.inject('/docs/json')).json<OpenApi>()
    const world = await createAuthorityWorld(db)
    const misnamed: string[] = []
    const named = new Map<string, Set<string>>()
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        const schema = requestBody?.content['application/json']?.schema
        const fields = schema?.properties ?? {}
        const names = [...parameters.map(({ name }) => name), ...Object.keys(fields)]
        // Such a call can name nothing; signing out would end the session of the others.
        if (names.length === 0) continue
        const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => `${name}=%00`)
        const filled = (keys: readonly string[], of: (schema: unknown) => unknown) =>
          Object.fromEntries(keys.map((key) => [key, of(fields[key])]))
        const bodies = [
          {},
          ...WRONG.flatMap((of) => [filled(Object.keys(fields), of), filled(schema?.required ?? [], of)]),
        ]
        const call = `${method.toUpperCase()} ${path}`
        const url = path.replaceAll(/\{\w+\}/g, randomUUID())
        const tries = [
          [`${path.replaceAll(/\{\w+\}/g, '-')}?${query.join('&')}`, bodies[0]],
          ...bodies.map((body) => [url, body] as const),
        ] as const
        for (const actor of ['player', 'admin'] as const)
          for (const [address, body] of tries) {
            const answer = await app.call(method.toUpperCase() as 'POST', address, {
              token: world.tokens[actor],
              ...(requestBody !== undefined && { body }),
              headers: { 'idempotency-key': randomUUID() },
            })
            for (const field of answer.body.details?.fields ?? []) {
              const name = field.path.split('.')[0] ?? ''
              if (!names.includes(name)) misnamed.push(`${call}: ${name}`)
              named.set(call, (named.get(call) ?? new Set()).add(name))
            }
          }
      }
    expect(misnamed).toEqual([])
    expect(named.get('POST /api/v1/bank')).toEqual(new Set(['bankNumber', 'nameBank', 'nameOwner', 'author']))
    expect(named.size).toBeGreaterThan(40)
  })

  test.each(['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    'the far day %s is a day',
    async (day) => {
      const { tokens: made } = await createAuthorityWorld(db)
      for (const path of ['history/user', 'history/user/summary', 'market/candles'])
        for (const name of ['from', 'to'])
          expect((await app.call('GET', `/api/v1/${path}?${name}=${day}`, { token: made.player })).status).toBe(200)
      const ticks = `/api/v1/market/ticks?source=simulated&from=${day}&to=${day}`
      expect((await app.call('GET', ticks, { token: made.player })).status).toBe(200)
    },
  )

  test('connections that die while they send leave nothing behind', async () => {
    await renewWorld()
    logged.mockClear()
    const { port } = app.http.server.address() as AddressInfo
    const source = await sourceOf(SEED + 1)
    for (let index = 0; index < CUT; index++) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const text = asHttp(source.next())
      await new Promise((resolve) => socket.write(text.slice(0, 1 + (text.length * index) / CUT), resolve))
      socket.destroy()
    }
    expect((await app.call('GET', '/api/v1/public-config')).status).toBe(200)
    expect(logged).not.toHaveBeenCalled()
  })
})
