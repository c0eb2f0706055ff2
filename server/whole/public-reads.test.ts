import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { openNativeConnections, POOL_SIZES } from '#server/platform/database/native.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'

const ACTS = '/api/v1/book/acts'

describe.each(testEngines)('what anybody may read, on %s', (engine) => {
  let db: Database & { readonly url: string | null; readonly connections?: Connections }
  let connections: Connections
  let app: TestApp
  let statements: string[]
  beforeAll(async () => {
    db = await openTestDatabase(engine)
    connections = db.connections ?? openNativeConnections(db.url ?? '')
    const { publicReads } = connections
    const counted: Database = {
      ...publicReads,
      query: (text, ...rest) => {
        statements.push(text)
        return publicReads.query(text, ...rest)
      },
    }
    statements = []
    app = await buildTestApp(db, { connections: { ...connections, publicReads: counted }, publicKeptMs: 1_000 })
  })
  afterAll(async () => {
    await app.close()
    if (connections !== db.connections) await connections.close()
    await db.close()
  })

  test('is computed once for all who ask the same meanwhile, and may be kept by a proxy', async () => {
    statements.length = 0
    const replies = await Promise.all(Array.from({ length: 30 }, () => app.call('GET', `${ACTS}?kind=act`)))
    expect(new Set(replies.map(({ status, headers }) => `${status} ${String(headers['cache-control'])}`))).toEqual(
      new Set(['200 public, max-age=5']),
    )
    expect(statements).toHaveLength(1)
    expect((await app.call('GET', `${ACTS}?kind=feed`)).body).toEqual(replies[0]?.body)
    expect(statements).toHaveLength(2)
    await sleep(1_100)
    await app.call('GET', `${ACTS}?kind=act`)
    expect(statements).toHaveLength(3)
  })

  test('a refusal is not kept', async () => {
    const path = '/api/v1/rounds/0190eeee-0000-7000-8000-000000000001/receipt'
    statements.length = 0
    for (let times = 0; times < 2; times++) expect((await app.call('GET', path)).status).toBe(404)
    expect(statements).toHaveLength(2)
  })
})

describe.runIf(testEngines.includes('native'))('what anybody may read (PostgreSQL only)', () => {
  const db = useDatabase('native', { areReset: false })
  let connections: Connections
  let app: TestApp
  let player: TestPlayer
  let roundId: string
  beforeAll(async () => {
    connections = openNativeConnections(db.url ?? '')
    app = await buildTestApp(db, { connections })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    ;[player] = await createPlayers(db, 1)
    ;({ id: roundId } = await createRound(db))
  })
  afterAll(async () => {
    await app.close()
    await connections.close()
  })

  const running = async (): Promise<number> => {
    const { rows } = await connections.engine.query<{ n: bigint }>(
      `select count(*) as n from pg_stat_activity
        where datname = current_database() and state = 'active' and application_name = 'kim-phien publicReads'`,
    )
    return Number(rows[0]?.n)
  }
  /** While the list's table is locked, every statement of the list waits. */
  const locked = (work: () => Promise<void>) =>
    db.tx(async (tx) => {
      await tx.query('lock table book_notable in access exclusive mode')
      await work()
    })

  test('a slow list keeps no player waiting, is answered 503 after two seconds, and leaves nothing running', async () => {
    await locked(async () => {
      const begunAt = performance.now()
      const asked = Array.from({ length: 4 * POOL_SIZES.publicReads }, (_, at) =>
        app.call('GET', `${ACTS}?limit=${at + 1}`),
      )
      const token = player.bearer.slice('Bearer '.length)
      const bet = app.call('POST', '/api/v1/history', { token, body: { gameId: roundId, score: 1, value: 'UP' } })
      const ledger = app.call('GET', '/api/v1/user/ledger', { token })
      expect([(await bet).status, (await ledger).status]).toEqual([200, 200])
      expect(performance.now() - begunAt).toBeLessThan(1_900)
      const first = await Promise.race(asked)
      expect(first).toMatchObject({ status: 503, body: { code: 'DATABASE_AWAY' } })
      expect(performance.now() - begunAt).toBeGreaterThan(1_900)
      await Promise.all(asked)
    })
    expect(await running()).toBe(0)
  })

  test('a caller who leaves ends the statement, and who still waits for the same gets it', async () => {
    const { port } = app.http.server.address() as AddressInfo
    const ask = (query: string, signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}${ACTS}?${query}`, signal === undefined ? {} : { signal })
    await locked(async () => {
      const leaving = new AbortController()
      const left = ask('kind=act', leaving.signal)
      await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: 1_500 })
      leaving.abort()
      await expect(left).rejects.toThrow(/abort/i)
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 1_000 })
    })
    const leaving = new AbortController()
    let stays: Promise<Response> | undefined
    await locked(async () => {
      const left = ask('kind=feed', leaving.signal)
      await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: 1_500 })
      stays = ask('kind=feed')
      await sleep(200)
      leaving.abort()
      await expect(left).rejects.toThrow(/abort/i)
      await sleep(200)
      expect(await running()).toBe(1)
    })
    expect((await stays)?.status).toBe(200)
    // The connections are whole: what was ended took no later statement with it.
    const again = Array.from({ length: 10 }, (_, at) => app.call('GET', `${ACTS}?kind=dispute&limit=${at + 1}`))
    expect(new Set((await Promise.all(again)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})
