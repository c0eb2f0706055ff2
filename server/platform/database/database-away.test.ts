import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { type CutProxy, openCutProxy } from '#testing/machines/proxy.ts'
import { balancesOf, createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { CommitUnknownError, type Connections, type Database } from './db.ts'
import { openNative } from './native.ts'
import { connectionLost, isDatabaseAway } from './transaction.ts'

const databaseError = (code: string, severity = 'ERROR') => Object.assign(new Error('x'), { code, severity })

describe('errors that mean that the database is away', () => {
  test.each(['08006', '53300', '57P01', '57P02', '57P03', '58030', '25006', '57014', '55P03'])('%s does', (code) => {
    expect(isDatabaseAway(databaseError(code))).toBe(true)
  })

  test.each(['22P02', '23505', '40001', '40P01', '42601', 'P0001', '08', '157P01'])('%s does not', (code) => {
    expect(isDatabaseAway(databaseError(code))).toBe(false)
  })

  test('a connection lost by either side does, and an unknown outcome', () => {
    const refusedElsewhere = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    expect(isDatabaseAway(refusedElsewhere)).toBe(false)
    expect(isDatabaseAway(connectionLost(refusedElsewhere))).toBe(true)
    expect(isDatabaseAway(new CommitUnknownError('lost at COMMIT'))).toBe(true)
    expect([null, undefined, 'lost', {}].filter(isDatabaseAway)).toEqual([])
  })
})

describe.runIf(testEngines.includes('native'))('a lost connection (PostgreSQL only)', () => {
  let shared: Database & { readonly url: string | null }
  let proxy: CutProxy
  let url: string

  beforeAll(async () => {
    shared = await openTestDatabase('native')
    url = shared.url as string
    proxy = await openCutProxy(url)
  })
  afterAll(async () => {
    await proxy.close()
    await shared.close()
  })

  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    )

  describe('a statement', () => {
    const away = async (dbUrl: string, work: (db: Database) => Promise<unknown>, statementTimeoutMs = 30_000) => {
      const db = openNative({ url: dbUrl, max: 1, statementTimeoutMs })
      try {
        return isDatabaseAway(await errorOf(work(db)))
      } finally {
        await db.close()
      }
    }

    test('that finds nobody listening', async () => {
      expect(await away('postgres://root@127.0.0.1:9/postgres', (db) => db.query('select 1'))).toBe(true)
    })

    test('that finds no such database any more', async () => {
      const gone = new URL(url)
      gone.pathname = '/no_such_database'
      expect(await away(gone.href, (db) => db.query('select 1'))).toBe(true)
    })

    test('whose connection the administrator ends', async () => {
      const isAway = await away(url, async (db) => {
        const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
        const waiting = db.query('select pg_sleep(20)')
        setTimeout(() => void shared.query('select pg_terminate_backend($1)', [rows[0]?.pid as number]), 100)
        await waiting
      })
      expect(isAway).toBe(true)
    })

    test('whose connection the network loses', async () => {
      const isAway = await away(proxy.url, async (db) => {
        await db.query('select 1')
        const waiting = db.query('select pg_sleep(20)')
        setTimeout(() => void proxy.lose(), 100)
        await waiting
      })
      await proxy.find()
      expect(isAway).toBe(true)
    })

    test('that takes too long', async () => {
      expect(await away(url, (db) => db.query('select pg_sleep(20)'), 50)).toBe(true)
    })

    test('that is wrong is not', async () => {
      expect(await away(url, (db) => db.query('select 1/0'))).toBe(false)
      expect(await away(url, (db) => db.query('select $1::uuid', ['x']))).toBe(false)
    })

    test('on a server that became read-only; the next one is sent over another connection', async () => {
      const db = openNative({ url, max: 1 })
      const pid = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
      const before = await pid()
      await db.query('set default_transaction_read_only = on')
      expect(isDatabaseAway(await errorOf(db.query('create table t ()')))).toBe(true)
      expect(await pid()).not.toBe(before)
      await db.close()
    })
  })

  describe('the server whose database is held up', () => {
    /** Reads by this many players at once, with two connections for all of them: most wait for one. */
    const PLAYERS = 6
    const LONGEST_MS = 10_000
    let connections: Connections
    let app: TestApp
    let players: TestPlayer[]

    beforeEach(async () => {
      const open = () => openNative({ url, max: 2 })
      const [engine, requests] = [open(), open()]
      connections = {
        ...{ engine, sessions: engine, bets: engine, requests, publicReads: requests },
        close: async () => void (await Promise.all([engine.close(), requests.close()])),
      }
      app = await buildTestApp(engine, { connections })
      await app.http.listen({ port: 0, host: '127.0.0.1' })
      players = await createPlayers(engine, PLAYERS)
    })
    afterEach(async () => {
      await app.close()
      await connections.close()
    })

    const readAll = async () => {
      const paths = ['/api/v1/user/ledger?page=1', '/api/v1/book/acts', '/log/key']
      const { port } = app.http.server.address() as AddressInfo
      return await Promise.all(
        players.flatMap(({ bearer }) =>
          paths.map(async (path) => {
            const begunMs = performance.now()
            const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: bearer } })
            await answer.text()
            return {
              path,
              status: answer.status,
              retryAfter: answer.headers.get('retry-after'),
              isInTime: performance.now() - begunMs < LONGEST_MS,
            }
          }),
        ),
      )
    }
    const heldUp = async (work: Promise<unknown>) => {
      // By then it has begun.
      await sleep(300)
      for (const { path, ...seen } of await readAll())
        expect({ path, ...seen }).toEqual({ path, status: 503, retryAfter: '2', isInTime: true })
      await work
      for (const { path, status } of await readAll()) expect([path, status]).toEqual([path, 200])
    }

    test('answers reads 503 within 10 s when every connection is taken', async () => {
      const taken = () => connections.requests.query('select pg_sleep(12)')
      await heldUp(Promise.all([taken(), taken()]))
    })

    test('answers reads 503 within 10 s when their tables are locked', async () => {
      await heldUp(
        shared.onOneConnection(async (connection) => {
          await connection.query('set idle_in_transaction_session_timeout = 0')
          await connection.query('begin')
          await connection.query('lock table ledger_transfers, ledger_accounts, book_notable, book_logs')
          await connection.query('select pg_sleep(12)')
          await connection.query('rollback')
        }),
      )
    })
  })

  describe('the server whose database goes away', () => {
    let db: Database
    let app: TestApp
    let player: TestPlayer
    const sockets: Socket[] = []
    const token = () => player.bearer.slice('Bearer '.length)
    const dial = () => {
      const { port } = app.http.server.address() as AddressInfo
      const socket = io(`http://127.0.0.1:${port}`, {
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        auth: { token: token() },
      })
      sockets.push(socket)
      return socket
    }

    beforeEach(async () => {
      db = openNative({ url: proxy.url })
      app = await buildTestApp(db)
      await app.http.listen({ port: 0, host: '127.0.0.1' })
      ;[player] = await createPlayers(db, 1)
    })
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.disconnect()
      await app.close()
      await db.close()
    })

    test('answers 503 with Retry-After everywhere, and serves again when it is back', async () => {
      const round = await createRound(shared)
      const socket = dial()
      await new Promise((resolve) => socket.once('connect', () => resolve(undefined)))
      const bet = { gameId: round.id, score: 100, value: 'UP' }
      const act = (path: string, body: object, key: string) =>
        app.call('POST', path, { token: token(), body, headers: { 'idempotency-key': key } })
      const deposit = { type: 'DEPOSIT', money: 100 }

      await proxy.lose()
      const replies = [
        await app.call('GET', '/api/v1/user/me', { token: token() }),
        await app.call('GET', '/api/v1/market/seeds'),
        await app.call('POST', '/api/v1/auth/login', { body: { username: 'an', password: 'matkhau1' } }),
        await act('/api/v1/transaction', deposit, 'd-1'),
        ...(await Promise.all([act('/api/v1/history', bet, 'b-1'), act('/api/v1/history', bet, 'b-2')])),
      ]
      for (const { status, headers, body } of replies) {
        expect([status, body.code, headers['retry-after']]).toEqual([503, 'DATABASE_AWAY', '2'])
        expect(body.message).toBe(refusals.DATABASE_AWAY.message)
      }
      const failure = { code: 'DATABASE_AWAY', message: refusals.DATABASE_AWAY.message, retryAfter: 2 }
      const join = { conversationId: round.id }
      expect(await socket.timeout(5_000).emitWithAck('join_room', join)).toEqual({ ok: false, ...failure })
      const handshake = await new Promise((resolve) =>
        dial().once('connect_error', (error: Error & { data?: unknown }) => resolve(error.data)),
      )
      expect(handshake).toEqual({ statusCode: 503, ...failure })

      await proxy.find()
      await expect.poll(async () => (await app.call('GET', '/api/v1/user/me', { token: token() })).status).toBe(200)
      const [first, again] = [await act('/api/v1/history', bet, 'b-1'), await act('/api/v1/history', bet, 'b-1')]
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.body.data).toEqual(first.body.data)
      expect((await balancesOf(shared, player.id)).staked).toBe(100_00n)
    })

    test('a bet whose connections all die is placed once by the repeat of its key', async () => {
      const round = await createRound(shared)
      const send = () =>
        app.call('POST', '/api/v1/history', {
          token: token(),
          body: { gameId: round.id, score: 100, value: 'UP' },
          headers: { 'idempotency-key': 'b-1' },
        })
      const statuses: number[] = []
      for (const cut of ['before-commit', 'at-commit', 'after-commit'] as const) {
        proxy.cutNext(cut)
        statuses.push((await send()).status)
      }
      statuses.push((await send()).status)
      expect(statuses).toEqual([200, 200, 200, 200])
      expect((await balancesOf(shared, player.id)).staked).toBe(100_00n)
    })
  })
})
