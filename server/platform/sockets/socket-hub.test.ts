import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { letTimeFly } from '#testing/time/flying-time.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

/** The server's own promise is 1 s; the rest is a margin for a busy machine. */
const SOON_MS = 1_000
/** How long a flood would last if it were not cut off. */
const FLOOD_MS = 6_000

interface Watched {
  readonly socket: Socket
  readonly heard: Array<{ name: string; payload: unknown }>
  /** Resolves with the next event of this name. */
  next(name: string): Promise<unknown>
  /** Resolves once the server has closed it. */
  readonly closed: Promise<string>
}

const sockets: Socket[] = []
const baseOf = (app: TestApp) => `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
const bearerOf = (player: TestPlayer) => player.bearer.slice('Bearer '.length)

function dial(app: TestApp, auth: unknown): Watched {
  const socket = io(baseOf(app), {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: auth as Record<string, unknown>,
  })
  sockets.push(socket)
  const heard: Watched['heard'] = []
  socket.onAny((name: string, payload: unknown) => heard.push({ name, payload }))
  return {
    socket,
    heard,
    next: (name) => new Promise((resolve) => socket.once(name, resolve)),
    closed: new Promise((resolve) => socket.once('disconnect', resolve)),
  }
}

async function open(app: TestApp, player: TestPlayer): Promise<Watched> {
  const watched = dial(app, { token: bearerOf(player), userId: player.id, username: player.username })
  await new Promise<void>((resolve, reject) => {
    watched.socket.once('connect', resolve)
    watched.socket.once('connect_error', reject)
  })
  return watched
}

/** The error of a refused handshake. */
const refusalOf = (app: TestApp, auth: unknown) =>
  new Promise<unknown>((resolve, reject) => {
    const { socket } = dial(app, auth)
    socket.once('connect', () => reject(new Error('the socket was opened')))
    socket.once('connect_error', (error: Error & { data?: unknown }) => resolve(error.data))
  })

/** Presence events arrive at any time, whatever a test is about. */
const withoutPresence = (heard: Watched['heard']) =>
  heard.filter(({ name }) => name !== 'user_online' && name !== 'user_offline')

const failure = (code: keyof typeof refusals) => ({
  statusCode: refusals[code].status,
  code,
  message: refusals[code].message,
})

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})

describe.each(testEngines)('%s', (engine) => {
  const { db, app } = useApp(engine)
  let player: TestPlayer
  let boss: TestPlayer

  beforeAll(async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
  })
  beforeEach(async () => {
    ;[player] = await createPlayers(db, 1)
    ;[boss] = await createPlayers(db, 1, { role: 'admin' })
  })

  describe('the handshake', () => {
    test('a token alone is enough; what else it names must be its own', async () => {
      const { socket } = dial(app, { token: bearerOf(player) })
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      const named = await open(app, { ...player, id: player.id.toUpperCase() })
      expect(named.socket.connected).toBe(true)
      expect(app.hub.count()).toBe(2)
    })

    test.each([
      ['nothing', () => ({}), 'BAD_REQUEST'],
      ['a number for a token', () => ({ token: 5 }), 'BAD_REQUEST'],
      ['a text that is no token', () => ({ token: 'kp1.x' }), 'UNAUTHORIZED'],
      ['another user’s id', () => ({ token: bearerOf(player), userId: boss.id }), 'FORBIDDEN'],
      ['another user’s name', () => ({ token: bearerOf(player), username: boss.username }), 'FORBIDDEN'],
    ] as const)('%s is refused', async (_name, auth, code) => {
      expect(await refusalOf(app, auth())).toEqual(failure(code))
      expect(app.hub.count()).toBe(0)
    })

    test.each([
      [`update sessions set ended_at = clock_timestamp()`, 'UNAUTHORIZED'],
      [`update sessions set expires_at = clock_timestamp()`, 'UNAUTHORIZED'],
      [`update users set deleted_at = clock_timestamp()`, 'UNAUTHORIZED'],
      [`update users set is_frozen = true`, 'ACCOUNT_PAUSED'],
      [`update users set must_change_password = true`, 'MUST_CHANGE_PASSWORD'],
    ] as const)('after "%s" it is refused', async (statement, code) => {
      await db.query(statement)
      expect(await refusalOf(app, { token: bearerOf(player) })).toEqual(failure(code))
    })

    test('only websockets: polling finds nothing', async () => {
      const response = await fetch(`${baseOf(app)}/socket.io/?EIO=4&transport=polling`)
      expect(response.status).toBe(400)
    })
  })

  describe('rooms', () => {
    test('a hint reaches every socket of its user and nobody else', async () => {
      const [one, two, other] = await Promise.all([open(app, player), open(app, player), open(app, boss)])
      const heard = Promise.all([one.next('balance_changed'), two.next('balance_changed')])
      app.hub.emitTo(`user:${player.id}`, 'balance_changed', { balanceMinor: 123_45n })
      expect(await heard).toEqual([{ score: 123.45 }, { score: 123.45 }])
      expect(withoutPresence(other.heard)).toEqual([])
    })

    test('admins have a room of their own', async () => {
      const [one, admin] = await Promise.all([open(app, player), open(app, boss)])
      const heard = admin.next('transaction_changed')
      app.hub.emitTo('staff', 'transaction_changed', { requestId: 'r' })
      expect(await heard).toEqual({ requestId: 'r' })
      expect(withoutPresence(one.heard)).toEqual([])
    })

    test('a game is heard from watching to unwatching it', async () => {
      const one = await open(app, player)
      app.hub.emitTo('game:30s', 'round_changed', { type: '30s' })
      expect(await one.socket.emitWithAck('watch_game', { type: '30s' })).toEqual({ ok: true })
      const heard = one.next('price_tick')
      app.hub.emitHere(['game:30s', 'game:60s'], 'price_tick', {
        source: 'simulated',
        sourceLabel: 'Giá mô phỏng',
        second: 1_790_000_000,
        price: 3_950_123,
        quoteAtMs: 1_790_000_000_000,
        serverTimeMs: 1_790_000_000_400,
      })
      expect(await heard).toEqual({
        source: 'simulated',
        sourceLabel: 'Giá mô phỏng',
        second: 1_790_000_000,
        price: 3950.123,
        quoteAt: '2026-09-21T14:13:20.000Z',
        serverTime: '2026-09-21T14:13:20.400Z',
      })
      expect(await one.socket.emitWithAck('unwatch_game', { type: '30s' })).toEqual({ ok: true })
      app.hub.emitTo('game:30s', 'round_changed', { type: '30s' })
      app.hub.emitTo(`user:${player.id}`, 'account_changed', {})
      await one.next('account_changed')
      expect(one.heard.map(({ name }) => name)).toEqual(['price_tick', 'account_changed'])
    })

    test('emitHere tells each socket once and in order with emitTo, also one whose network stalls', async () => {
      const [quick, stalled] = await Promise.all([open(app, player), open(app, boss)])
      for (const { socket } of [quick, stalled])
        for (const type of ['30s', '60s']) await socket.emitWithAck('watch_game', { type })
      const { transport } = stalled.socket.io.engine as unknown as {
        transport: { ws: { pause(): void; resume(): void } }
      }
      transport.ws.pause()
      // More than the network's buffers hold: the server has to keep what the stalled one does not take.
      const rounds = 150
      for (let second = 0; second < rounds; second++) {
        app.hub.emitHere(['game:30s', 'game:60s'], 'price_tick', {
          ...{ source: 'simulated', sourceLabel: 'Giá'.repeat(12_000), second, price: null, quoteAtMs: null },
          serverTimeMs: 1_790_000_000_000,
        })
        app.hub.emitTo('game:30s', 'round_changed', { type: '30s' })
        if (second % 10 === 0) await sleep(1)
      }
      const all = Array.from({ length: rounds }, (_, second) => [second, '30s']).flat()
      const seenBy = ({ heard }: Watched) =>
        withoutPresence(heard).map(({ payload }) => {
          const { second, type } = payload as { second?: number; type?: string }
          return second ?? type
        })
      await expect.poll(() => seenBy(quick).length, { timeout: 5_000 }).toBe(all.length)
      expect(seenBy(stalled).length).toBeLessThan(all.length)
      transport.ws.resume()
      await expect.poll(() => seenBy(stalled).length, { timeout: 5_000 }).toBe(all.length)
      expect(seenBy(quick)).toEqual(all)
      expect(seenBy(stalled)).toEqual(all)
    })

    test.each([{}, { type: '45s' }, null, '30s', { type: 'staff' }])('%j is no game to watch', async (payload) => {
      const one = await open(app, player)
      expect(await one.socket.emitWithAck('watch_game', payload)).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
      // An event without an acknowledgement to answer is ignored.
      one.socket.emit('watch_game', payload)
      one.socket.emit('no_such_event', payload)
      expect(await one.socket.emitWithAck('watch_game', { type: '60s' })).toEqual({ ok: true })
    })

    test.each([
      ['a thousand fields', Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 0]))],
      ['a deep one', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
    ])('%s is no payload', async (_name, payload) => {
      const one = await open(app, player)
      expect(await one.socket.emitWithAck('watch_game', payload)).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
      const handshake = { token: bearerOf(player), payload }
      expect(await refusalOf(app, handshake)).toEqual(failure('BAD_REQUEST'))
    })

    test('bytes are no payload', async () => {
      const one = await open(app, player)
      const payload = { type: Buffer.from('30s') }
      expect(await one.socket.emitWithAck('watch_game', payload)).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
    })

    test('a frame over 64 KiB closes the socket', async () => {
      const one = await open(app, player)
      one.socket.emit('watch_game', { type: 'x'.repeat(70_000) })
      expect(await one.closed).toBe('transport close')
    })
  })

  describe('within a second', () => {
    const act = (path: string, body: unknown, who = boss, method: 'POST' | 'DELETE' = 'POST') =>
      app.call(method, `/api/v1${path}`, { token: bearerOf(who), ...(body === undefined ? {} : { body }) })

    /** Runs an act and returns what the socket received until it was closed. */
    const heardUntilClosed = async (watched: Watched, work: () => Promise<{ status: number }>) => {
      expect((await work()).status).toBe(200)
      const from = performance.now()
      expect(await watched.closed).toBe('io server disconnect')
      expect(performance.now() - from).toBeLessThan(SOON_MS)
      return withoutPresence(watched.heard)
    }

    test('a logout closes the sockets of its session and no other', async () => {
      const one = await open(app, player)
      const other = await open(app, boss)
      const heard = await heardUntilClosed(one, () => act('/auth/logout', undefined, player))
      expect(heard).toEqual([{ name: 'session_ended', payload: { reason: 'logout' } }])
      expect(other.socket.connected).toBe(true)
      expect(withoutPresence(other.heard)).toEqual([])
    })

    test('a session that its owner ended in the list of devices closes its sockets', async () => {
      const one = await open(app, player)
      const path = `/user/sessions/${player.token.sessionId}`
      const heard = await heardUntilClosed(one, () => act(path, undefined, player, 'DELETE'))
      expect(heard).toEqual([{ name: 'session_ended', payload: { reason: 'logout' } }])
    })

    test('freezing says so and closes; the session stays, and opens sockets again when unfrozen', async () => {
      const one = await open(app, player)
      const heard = await heardUntilClosed(one, () => act(`/user/${player.id}`, { isPaused: true }))
      expect(new Set(heard.map(({ name }) => name))).toEqual(new Set(['account_changed']))
      expect((await app.call('GET', '/api/v1/user/me', { token: bearerOf(player) })).status).toBe(200)
      await act(`/user/${player.id}`, { isPaused: false })
      const again = await open(app, player)
      // Longer than a sweep's interval: the old change must not close sockets that were opened after it.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      expect(again.socket.connected).toBe(true)
    })

    test.each([
      ['a password set by staff', { password: 'matkhau2' }, 'password-reset'],
      ['a new role', { role: 'ADMIN', version: '1.1' }, 'role-changed'],
      ['a delete', undefined, 'deleted'],
    ])('%s', async (_name, body, reason) => {
      const one = await open(app, player)
      const path = `/user/${player.id}${reason === 'role-changed' ? '/role' : ''}`
      const heard = await heardUntilClosed(one, () => act(path, body, boss, body === undefined ? 'DELETE' : 'POST'))
      expect(heard.at(-1)).toEqual({ name: 'session_ended', payload: { reason } })
    })

    test('a session that runs out', async () => {
      await db.query(`update sessions set expires_at = clock_timestamp() + interval '300 ms' where user_id = $1`, [
        player.id,
      ])
      const one = await open(app, player)
      expect(await one.closed).toBe('io server disconnect')
      expect(withoutPresence(one.heard)).toEqual([{ name: 'session_ended', payload: { reason: 'expired' } }])
    })

    test('what other processes write is seen too, also when it is committed late', async () => {
      const one = await open(app, player)
      await db.tx(async (tx) => {
        await tx.query(
          `update sessions set ended_at = clock_timestamp() - interval '40 seconds', end_reason = 'logout'
            where user_id = $1`,
          [player.id],
        )
      })
      expect(await one.closed).toBe('io server disconnect')
    })
  })

  test('an emit inside a transaction is a fault, and after its commit is not', async () => {
    const emit = () => app.hub.emitTo('everybody', 'account_changed', {})
    await expect(db.tx(async () => emit())).rejects.toThrow(/emitted inside tx/)
    await db.tx(async (tx) => {
      await tx.query('select 1')
      tx.afterCommit(emit)
    })
  })
})

describe('hostile connections', () => {
  const { db, app } = useApp('embedded', {}, { areReset: false })
  let player: TestPlayer

  beforeAll(async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    ;[player] = await createPlayers(db, 1)
  })

  /** A WebSocket without the socket.io client; `text` is what the server sent. */
  const openRaw = async () => {
    const raw = new WebSocket(`${baseOf(app).replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const text: string[] = []
    raw.addEventListener('message', ({ data }) => void text.push(String(data)))
    const closed = new Promise<void>((resolve) => raw.addEventListener('close', () => resolve()))
    await new Promise((resolve) => raw.addEventListener('open', resolve))
    return { raw, text, closed }
  }
  const join = async () => {
    const watched = await openRaw()
    watched.raw.send(`40${JSON.stringify({ token: bearerOf(player) })}`)
    await expect.poll(() => watched.text.some((line) => line.startsWith('40')), { interval: 1 }).toBe(true)
    return watched
  }
  /** Sends at a steady rate until the time is over or the socket closed. Returns the elapsed ms. */
  const flood = async (raw: WebSocket, frame: string | Uint8Array<ArrayBuffer>, perS: number) => {
    const startedAt = performance.now()
    const lastedMs = () => performance.now() - startedAt
    for (let sent = 0; raw.readyState === WebSocket.OPEN && lastedMs() < FLOOD_MS; await sleep(20))
      for (; sent < (lastedMs() / 1000) * perS; sent++) raw.send(frame)
    return lastedMs()
  }

  let landTime: (() => Promise<void>) | undefined
  afterEach(() => landTime?.())

  test('each kind of flood is cut off with a reason after 3 s, and no other socket is', async () => {
    landTime = letTimeFly()
    const frames = ['42["nope",{}]', '42["watch_game",{"type":"30s"}]', '439[]', '3', new Uint8Array(8)]
    const floods = await Promise.all(frames.map(() => join()))
    const nameless = await openRaw()
    const busy = await join()
    const [busyMs, namelessMs, ...floodsMs] = await Promise.all([
      flood(busy.raw, '42["nope",{}]', 150),
      // A pong, which has no meaning, before any session is named.
      flood(nameless.raw, '3', 400),
      ...floods.map(({ raw }, index) => flood(raw, frames[index] as string, 400)),
    ])
    await Promise.all([nameless.closed, ...floods.map(({ closed }) => closed)])
    const { message } = refusals.SOCKET_FLOOD
    const reason = `42${JSON.stringify(['cut_off', { code: 'SOCKET_FLOOD', message, retryAfter: 10 }])}`
    // Bytes that belong to no event break the protocol, which ends the connection at once.
    expect(floods.map(({ text }) => text.includes(reason))).toEqual([true, true, true, true, false])
    expect(Math.min(namelessMs, ...floodsMs.slice(0, -1))).toBeGreaterThan(2_000)
    expect(Math.max(namelessMs, ...floodsMs)).toBeLessThan(FLOOD_MS)

    expect(busyMs).toBeGreaterThanOrEqual(FLOOD_MS)
    for (let index = 0; index < 1_000; index++) busy.raw.send('42["nope",{}]')
    await sleep(1_200)
    expect(busy.raw.readyState).toBe(WebSocket.OPEN)
    expect(app.hub.count()).toBe(1)
    busy.raw.close()
    // A user who was cut off may connect again.
    expect((await open(app, player)).socket.connected).toBe(true)
  })

  test('a namespace of 60 KB is not repeated: its connection is closed', async () => {
    const { raw, text, closed } = await openRaw()
    raw.send(`40/${'x'.repeat(60_000)},{}`)
    await closed
    expect(text.join('').length).toBeLessThan(1_000)
  })

  test.each([
    ['a frame that is too large', '', 65_537],
    ['an event before its session', '42["nope"]', 60_000],
  ])('after %s nothing more is read, and the connection ends', async (_name, first, bytes) => {
    const tcp = connect((app.http.server.address() as AddressInfo).port, '127.0.0.1')
    let heard = ''
    tcp.on('data', (data) => (heard += data.toString('latin1')))
    tcp.on('error', () => {})
    const ended = new Promise((resolve) => tcp.once('close', resolve))
    tcp.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    await expect.poll(() => heard).toContain('"sid"')
    // A mask of zeros leaves the text as it is.
    if (first !== '')
      tcp.write(Buffer.concat([Buffer.from([0x81, 0x80 | first.length, 0, 0, 0, 0]), Buffer.from(first)]))
    const size = Buffer.alloc(8)
    size.writeBigUInt64BE(BigInt(bytes))
    const frame = Buffer.concat([Buffer.from([0x81, 0xff]), size, Buffer.alloc(4), Buffer.alloc(bytes, 'x')])
    const startedAt = performance.now()
    const pour = () => {
      while (!tcp.destroyed) if (!tcp.write(frame)) return void tcp.once('drain', pour)
    }
    pour()
    await ended
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    // What the network's buffers hold, and not what a second of reading takes.
    expect(tcp.bytesWritten).toBeLessThan(64 * 1_024 * 1_024)
  })

  test('of several handshakes over one connection, one is looked up at a time', async () => {
    const { raw, text } = await openRaw()
    for (let index = 0; index < 20; index++) raw.send(`40${JSON.stringify({ token: `kp1.${'A'.repeat(86)}` })}`)
    await expect.poll(() => text.filter((line) => line.startsWith('44')).length).toBe(20)
    expect(text.filter((line) => line.includes('TOO_MANY_REQUESTS')).length).toBeGreaterThan(10)
    raw.close()
  })
})

const redisUrl = process.env['TEST_REDIS_URL'] ?? ''

describe.skipIf(redisUrl === '')('several processes (Redis only)', () => {
  test('a hint of one reaches the sockets of another', async () => {
    const redis = new Redis(redisUrl)
    const second = redis.duplicate()
    const db = await openTestDatabase('embedded')
    const apps = [await buildTestApp(db, { redis }), await buildTestApp(db, { redis: second })] as const
    try {
      for (const app of apps) await app.http.listen({ port: 0, host: '127.0.0.1' })
      const [player] = await createPlayers(db, 1)
      if (player === undefined) throw new Error('no player was made')
      const one = await open(apps[1], player)
      const heard = one.next('bet_changed')
      // Subscriptions take a moment to reach Redis, so the hint is repeated until it arrives.
      const telling = setInterval(() => apps[0].hub.emitTo(`user:${player.id}`, 'bet_changed', { betId: 'b' }), 20)
      expect(await heard).toEqual({ betId: 'b' })
      clearInterval(telling)
      const own = one.heard.length
      apps[0].hub.emitHere(`user:${player.id}` as const, 'account_changed', {})
      apps[1].hub.emitHere(`user:${player.id}` as const, 'account_changed', {})
      await one.next('account_changed')
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(one.heard.slice(own).filter(({ name }) => name === 'account_changed')).toHaveLength(1)
    } finally {
      for (const app of apps) await app.close()
      await db.close()
      redis.disconnect()
      second.disconnect()
    }
  })
})
