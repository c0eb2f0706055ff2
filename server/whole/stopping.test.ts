import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'

let db: Database
let app: TestApp
let player: TestPlayer
let lines: Line[]

/** A connection of HTTP/1.1 that stays open as long as the server leaves it open. */
interface Line {
  readonly tcp: Socket
  /** What the server has sent so far. */
  readonly heard: () => string
  readonly ended: Promise<unknown>
}

const portOf = () => (app.http.server.address() as AddressInfo).port

async function dial(): Promise<Line> {
  const tcp = connect(portOf(), '127.0.0.1')
  await once(tcp, 'connect')
  let heard = ''
  tcp.on('data', (bytes) => (heard += String(bytes)))
  tcp.on('error', () => {})
  const line = { tcp, heard: () => heard, ended: once(tcp, 'close') }
  lines.push(line)
  return line
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${player.bearer}\r\n\r\n`

/** The head of a request that links a bank. */
const post = (body: string) =>
  `POST /api/v1/bank HTTP/1.1\r\nHost: x\r\nAuthorization: ${player.bearer}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
const bank = JSON.stringify({ bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' })

async function socketOf(one: TestPlayer) {
  const socket = io(`http://127.0.0.1:${portOf()}`, {
    ...{ transports: ['websocket'], reconnection: false, forceNew: true },
    auth: { token: one.bearer.slice('Bearer '.length) },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const closed = new Promise<{ readonly reason: string; readonly atMs: number }>((resolve) =>
    socket.once('disconnect', (reason) => resolve({ reason, atMs: performance.now() })),
  )
  return { socket, closed }
}

beforeEach(async () => {
  lines = []
  db = await openTestDatabase('embedded')
  app = await buildTestApp(db)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const [made] = await createPlayers(db, 1)
  if (made === undefined) throw new Error('no player was made')
  player = made
})
afterEach(async () => {
  for (const { tcp } of lines) tcp.destroy()
  await app.close()
  await db.close()
})

test('a process that is to end says so at /readyz, and answers what kept connections ask, once each', async () => {
  const proxy = await dial()
  const client = await dial()
  client.tcp.write(get('/api/v1/user/me'))
  await expect.poll(client.heard).toContain('HTTP/1.1 200')
  expect(client.heard().toLowerCase()).not.toContain('connection: close')
  app.announceStop()
  proxy.tcp.write(get('/readyz'))
  await proxy.ended
  expect(proxy.heard()).toContain('HTTP/1.1 503')
  expect(proxy.heard()).toContain('{"status":"stopping","checks":{}}')
  client.tcp.write(post(bank) + bank)
  await client.ended
  expect(client.heard().toLowerCase()).toContain('connection: close')
  expect((await db.query('select 1 from banks where owner_id = $1', [player.id])).rowCount).toBe(1)
  // Whoever comes before the proxy has noticed is served, too.
  const late = await dial()
  late.tcp.write(get('/api/v1/user/me'))
  await late.ended
  expect(late.heard()).toContain('HTTP/1.1 200')
})

test('a call that is on its way when the server closes is answered, and nothing waits for its connection', async () => {
  const client = await dial()
  client.tcp.write(post(bank) + bank.slice(0, 20))
  const idle = await dial()
  idle.tcp.write(get('/api/v1/user/me'))
  await expect.poll(idle.heard).toContain('HTTP/1.1 200')
  const begunMs = performance.now()
  const closed = app.close()
  await idle.ended
  expect(client.heard()).toBe('')
  client.tcp.write(bank.slice(20))
  await client.ended
  expect(client.heard()).toMatch(/^HTTP\/1\.1 20[01] /)
  await closed
  expect(performance.now() - begunMs).toBeLessThan(3_000)
})

test('neither a request that never ends nor a socket that never answers holds the server up', async () => {
  const slow = await dial()
  slow.tcp.write('POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Le')
  const { socket } = await socketOf(player)
  const mute = await dial()
  mute.tcp.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  )
  await expect.poll(mute.heard).toContain('"sid"')
  mute.tcp.pause()
  const begunMs = performance.now()
  await app.close()
  expect(performance.now() - begunMs).toBeLessThan(7_000)
  await slow.ended
  expect(slow.heard()).toBe('')
  expect(socket.connected).toBe(false)
})

test('sockets are closed one after the other, each so that its client comes back by itself', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => socketOf(player)))
  expect(app.hub.count()).toBe(20)
  const begunMs = performance.now()
  const closing = app.close(1_000)
  await sleep(200)
  // The game goes on for those that are still there.
  app.hub.emitTo(`user:${player.id}`, 'account_changed', {})
  const closings = await Promise.all(opened.map(({ closed }) => closed))
  await closing
  expect(new Set(closings.map(({ reason }) => reason))).toEqual(new Set(['transport close']))
  const afterMs = closings.map(({ atMs }) => atMs - begunMs).toSorted((one, other) => one - other)
  expect(afterMs[4]).toBeLessThan(800)
  expect(afterMs[15]).toBeGreaterThan(300)
  expect(afterMs[19]).toBeLessThan(3_000)
})
