// Gate: requests by the hundred are made up.
import { hash } from '@node-rs/argon2'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { createAuthorityWorld, tokensToDraw } from '#testing/app/authority-world.ts'
import { asHttp, createRequestSource, faultOf, type OpenApi, PASSWORD } from '#testing/attack/hostile-requests.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

/** Values that no field takes: of a wrong type, and of a right type that a rule refuses. */
const WRONG: ReadonlyArray<(schema: unknown) => unknown> = [
  () => ({ wrong: true }),
  (schema) => ((schema as { readonly type?: unknown }).type === 'number' ? -1 : ' '),
]

/** Times at and beyond the ends of this age, with whether they are refused. */
const FAR_TIMES: ReadonlyArray<readonly [text: string, isRefused: boolean]> = [
  ['1900-01-01T00:00:00.000Z', false],
  ['2099-12-31T23:59:59.999Z', false],
  ['1899-12-31T16:59:59.999Z', true],
  ...['0001-01-01', '0002-11-20', '2100-01-01', '9999-12-31', '10000-01-01', '2026-02-30'].map(
    (day) => [`${day}T23:59:59.999Z`, true] as const,
  ),
  ...['', 'NaN', 'Infinity', '1e3'].map((text) => [text, true] as const),
]

/** Every field of a call that takes a day or an instant. */
const timesOf = ({ paths }: OpenApi) =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => [
        ...parameters.map(({ name, schema }) => ({ method, path, name, schema, place: 'query' })),
        ...Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}).map(([name, schema]) => ({
          ...{ method, path, name, schema },
          place: 'body',
        })),
      ]),
    )
    .flatMap(({ schema, ...field }) => {
      const formats = [schema, ...(schema.anyOf ?? [])].map(({ format }) => format)
      const format = formats.find((one) => one === 'date' || one === 'date-time')
      return format === undefined ? [] : [{ ...field, format }]
    })

/** `HOSTILE_REQUESTS=20000` sends as many (docs/benchmarks.md). */
const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? (inject('isFull') ? 1_500 : 500))
const SEED = 2
/** Requests of which only a part is sent. */
const CUT = 40

const logged = vi.fn<(fields: { err?: unknown }, message: string) => void>()
const ignored = () => {}
const log = { error: logged, warn: ignored, info: ignored, debug: ignored } as unknown as Logger

describe.each(testEngines)('%s', (engine) => {
  const { db, app } = useApp(engine, { log }, { areReset: false })
  /** Tokens that were valid at the start; the requests may end their sessions. */
  let tokens: Array<string | undefined> = []
  let passwordHash: string

  beforeAll(async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    passwordHash = await hash(PASSWORD)
  })

  /** A new world after every so many requests, because the requests freeze, delete and sign out users. */
  const renewWorld = async () => {
    const { tokens: made } = await createAuthorityWorld(db)
    await db.query(`update users set password_hash = $1 where password_hash = '-'`, [passwordHash])
    tokens = tokensToDraw(made)
  }

  const sourceOf = async (seed: number) => {
    const document = (await app.http.inject('/docs/json')).json<unknown>()
    return createRequestSource(document, seed, (chance) => tokens[Math.floor(chance * tokens.length)] ?? null)
  }

  test(
    `${REQUESTS} requests from seed ${SEED} meet no fault of the server`,
    { timeout: 120_000 + 60 * REQUESTS },
    async () => {
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
    },
  )

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

  test('every call names the fields that are wrong as the wire does', async () => {
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

  test('every day and instant of a call is of this age, or its field is named', async () => {
    const document = (await app.http.inject('/docs/json')).json<OpenApi>()
    const world = await createAuthorityWorld(db)
    const tried = new Set<string>()
    const faults: string[] = []
    for (const { method, path, name, place, format } of timesOf(document))
      for (const [value, isRefused] of FAR_TIMES) {
        const text = format === 'date' ? value.replace(/T.*$/, '') : value
        const url = path.replace('{type}', '60s').replaceAll(/\{\w+\}/g, randomUUID())
        const asked = place === 'query' ? `${url}?${name}=${encodeURIComponent(text)}` : url
        const answerTo = (actor: 'player' | 'admin') =>
          app.call(method.toUpperCase() as 'POST', asked, {
            token: world.tokens[actor],
            ...(place === 'body' && { body: { [name]: text } }),
            headers: { 'idempotency-key': randomUUID() },
          })
        const asAdmin = await answerTo('admin')
        const { status, body } = asAdmin.status === 403 ? await answerTo('player') : asAdmin
        const isNamed = body.details?.fields?.some((field) => field.path === name) === true
        const call = `${method} ${path} ${name}`
        tried.add(call)
        if (isNamed !== isRefused || status >= 500) faults.push(`${call}=${text}: ${status}`)
      }
    expect(faults).toEqual([])
    // Lists, statistics and rates, prices, figures, the mark of the notices and the own time-out.
    expect(tried.size).toBeGreaterThanOrEqual(25)
  })

  test.each(FAR_TIMES.filter(([, isRefused]) => !isRefused))('a range from or to %s is answered', async (time) => {
    const { tokens: made } = await createAuthorityWorld(db)
    for (const path of ['history/user', 'history/user/summary', 'market/candles'])
      for (const name of ['from', 'to'])
        expect((await app.call('GET', `/api/v1/${path}?${name}=${time}`, { token: made.player })).status).toBe(200)
    const ticks = `/api/v1/market/ticks?source=simulated&from=${time}&to=${time}`
    expect((await app.call('GET', ticks, { token: made.player })).status).toBe(200)
  })

  test('figures of the last day of 9999 are refused, and those of the last day of 2099 answered', async () => {
    const { tokens: made } = await createAuthorityWorld(db)
    const statusOf = async (day: string) =>
      (
        await app.call('GET', `/api/v1/overview/figures?from=${day}T00:00:00.000Z&to=${day}T23:59:59.999Z`, {
          token: made.admin,
        })
      ).status
    expect([await statusOf('9999-12-31'), await statusOf('2099-12-31')]).toEqual([400, 200])
  })

  test('a place of a list or a second that is far off is no fault', async () => {
    const world = await createAuthorityWorld(db)
    const user = world.id('user', 'admin', 'own')
    const far = (digits: number) => '9'.repeat(digits)
    const statuses: number[] = []
    for (const path of [
      `user/notifications?after=${far(15)}_bet:${user}`,
      `user/notifications?after=${far(13)}_bet:${user}`,
      `customers/${user}/timeline?before=${far(17)}~bet:${user}`,
      `book/acts?after=${far(6)}.${far(15)}`,
      `market/evidence/simulated/${far(12)}`,
    ])
      for (const actor of ['player', 'admin'] as const)
        statuses.push((await app.call('GET', `/api/v1/${path}`, { token: world.tokens[actor] })).status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })

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
