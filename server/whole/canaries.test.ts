// Gate: everything that a server has stored is searched.
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCanaries, type Canaries } from '#testing/attack/canaries.ts'
import { type OtlpReceiver, startOtlpReceiver } from '#testing/machines/otlp-receiver.ts'
import { startOwnRedis } from '#testing/machines/redis.ts'
import { until } from '#testing/time/until.ts'
import { withLaidServer } from '#testing/database/laid.ts'
import { type RawReply, type RunningServer } from '#testing/machines/process.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'

/**
 * Nothing secret or personal leaves the installation, or stands in its log: a real server is used in every way that
 * takes such values, each unique, and its log, its traces and its metrics are searched for all of them.
 */

const WITHIN_MS = 240_000
/** Sent by the caller, and allowed to leave: where it is found, the look would have found a leak. */
const TRACE_ID = randomBytes(16).toString('hex')

let canaries: Canaries
let receiver: OtlpReceiver
beforeEach(async () => {
  canaries = createCanaries()
  receiver = await startOtlpReceiver()
})
afterEach(() => receiver.close())

/** Letters alone, for values that take nothing else. */
const letters = (name: string, before = ''): string =>
  canaries.keep(
    name,
    before +
      randomBytes(14)
        .toString('hex')
        .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''),
  )
const digits = (name: string, count: number): string =>
  canaries.keep(name, Array.from(randomBytes(count), (byte) => String(byte % 10)).join(''))
const bytesOf = (name: string): string => {
  const bytes = randomBytes(32)
  canaries.keep(`${name}, its bytes`, bytes.toString('latin1'))
  return canaries.keep(name, bytes.toString('base64'))
}

function vapidKey(): string {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return canaries.keep('VAPID_PRIVATE_KEY', keys.getPrivateKey().toString('base64url').padStart(43, 'A'))
}

/** Every setting that holds a secret. */
const secretSettings = () => ({
  ADMIN_USERNAME: letters('ADMIN_USERNAME'),
  ADMIN_PASSWORD: canaries.make('ADMIN_PASSWORD'),
  REFERRAL_CODE: canaries.make('REFERRAL_CODE'),
  METRICS_TOKEN: canaries.make('METRICS_TOKEN'),
  AUDIT_KEY: canaries.make('AUDIT_KEY', 'kim-phien-audit-'),
  LOG_KEY: bytesOf('LOG_KEY'),
  BACKUP_KEY: bytesOf('BACKUP_KEY'),
  VAPID_PRIVATE_KEY: vapidKey(),
  PYTH_API_KEY: canaries.make('PYTH_API_KEY'),
  OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${canaries.make('OTEL_EXPORTER_OTLP_HEADERS')}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  LOG_LEVEL: 'trace',
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT_FACTOR: '100',
  STAFF_SECOND_FACTOR: 'optional',
  PUBLIC_ORIGIN: 'http://localhost:3999',
  // A closed port: rounds are of simulated gold, and each attempt to connect fails.
  GOLD_FEED: 'pyth',
  PYTH_URL: 'http://127.0.0.1:11',
})
type Settings = ReturnType<typeof secretSettings>

/** A client behind a proxy, which says who it is in every way that clients have. */
function clientOf(server: RunningServer, name: string, ip: string) {
  const headers = {
    'user-agent': `Mozilla/5.0 (${canaries.make(`${name}’s User-Agent`)})`,
    'x-forwarded-for': canaries.keep(`${name}’s address`, ip),
    cookie: `session=${canaries.make(`${name}’s cookie`)}`,
    referer: `https://kim.example/?from=${canaries.make(`${name}’s referrer`)}`,
    'accept-language': canaries.make(`${name}’s language`),
    tracestate: `vendor=${canaries.make(`${name}’s tracestate`)}`,
    baggage: `user=${canaries.make(`${name}’s baggage`)}`,
    traceparent: `00-${TRACE_ID}-${randomBytes(8).toString('hex')}-01`,
  }
  return {
    headers,
    async send(
      status: number | readonly number[],
      method: string,
      path: string,
      { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
    ): Promise<RawReply> {
      const answer = await server.send(method, path, {
        token,
        body,
        headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      })
      const allowed = [status].flat()
      if (!allowed.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer
    },
  }
}

const keepToken = (name: string, { data }: RawReply): string => {
  const token = canaries.keep(`${name}’s token`, String(data['access_token']))
  for (const [at, part] of token.split('.').entries())
    if (part.length > 15) canaries.keep(`${name}’s token, part ${at}`, part)
  if (typeof data['deviceSecret'] === 'string') canaries.keep(`${name}’s device`, data['deviceSecret'])
  return token
}

/** Waits for half a minute at most. */
const readMetrics = (server: RunningServer, { METRICS_TOKEN }: Settings): Promise<RawReply> =>
  server.send('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })

/** Uses everything that takes a secret or says something about somebody, rightly and wrongly. */
async function useEverything(server: RunningServer, settings: Settings, { hasBucket }: { hasBucket: boolean }) {
  const player = clientOf(server, 'player', '203.0.113.77')
  const staff = clientOf(server, 'admin', '2001:db8:77:1:2:3:4:5')
  const username = letters('username', 'Kim')
  const password = `${canaries.make('password')} +?`
  const registration = { username, password, rePassword: password, code: settings.REFERRAL_CODE }
  await player.send(422, 'POST', '/api/v1/auth/register', {
    body: { ...registration, code: canaries.make('wrong code') },
  })
  await player.send(422, 'POST', '/api/v1/auth/register', {
    body: { ...registration, rePassword: canaries.make('other password') },
  })
  const token = keepToken('player', await player.send(200, 'POST', '/api/v1/auth/register', { body: registration }))
  await player.send(409, 'POST', '/api/v1/auth/register', { body: registration })
  const { data: me } = await player.send(200, 'GET', '/api/v1/user/me', { token })
  const userId = canaries.keep('player’s id', String(me['_id']))
  keepToken(
    'player’s other session',
    await player.send(200, 'POST', '/api/v1/auth/login', { body: { username, password } }),
  )
  await player.send(401, 'POST', '/api/v1/auth/login', {
    body: { username, password: canaries.make('wrong password') },
  })
  await player.send(401, 'POST', '/api/v1/auth/login', {
    body: { username: letters('unknown name'), password, deviceSecret: canaries.make('invented device') },
  })
  await player.send(401, 'GET', '/api/v1/user/me', { token: canaries.make('invented token') })
  await player.send(401, 'GET', `/api/v1/user/me?token=${canaries.make('token in the address')}`)

  // The admin's second factor, by an app.
  const admin = { username: settings.ADMIN_USERNAME, password: settings.ADMIN_PASSWORD }
  const adminToken = keepToken('admin', await staff.send(200, 'POST', '/api/v1/auth/login', { body: admin }))
  const { data: totp } = await staff.send(200, 'POST', '/api/v1/user/factors/totp', { token: adminToken })
  const secret = canaries.keep('TOTP secret', String(totp['secret']))
  canaries.keep('TOTP challenge', String(totp['challenge']))
  const factor = { challenge: totp['challenge'], name: canaries.make('name of a factor') }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await staff.send(422, 'POST', '/api/v1/user/factors/totp/confirm', {
    token: adminToken,
    body: { ...factor, code: code === '000000' ? '000001' : '000000' },
  })
  const { data: added } = await staff.send([200, 422], 'POST', '/api/v1/user/factors/totp/confirm', {
    token: adminToken,
    body: { ...factor, code },
  })
  const recovery = (added['recoveryCodes'] ?? []) as readonly string[]
  for (const [at, one] of recovery.entries()) canaries.keep(`recovery code ${at}`, one)
  expect(recovery.length).toBeGreaterThan(3)
  const { data: step } = await staff.send(200, 'POST', '/api/v1/auth/login', { body: admin })
  canaries.keep('challenge of a sign-in', String(step['challenge']))
  await staff.send([401, 422], 'POST', '/api/v1/auth/factor', {
    body: { challenge: step['challenge'], recoveryCode: canaries.make('wrong recovery code') },
  })

  // Banks and money.
  const bank = {
    bankNumber: digits('bank number', 14),
    nameBank: letters('holder').toUpperCase(),
    nameOwner: 'Vietcombank',
  }
  await player.send(422, 'POST', '/api/v1/bank', {
    token,
    body: { ...bank, bankNumber: canaries.make('no bank number') },
  })
  await player.send(400, 'POST', '/api/v1/bank', {
    token,
    body: { ...bank, bankNumber: [canaries.make('bank number in a list')] },
  })
  const { data: linked } = await player.send(200, 'POST', '/api/v1/bank', { token, body: bank })
  const filing = (body: unknown, key: string) =>
    player.send(200, 'POST', '/api/v1/transaction', { token, body, key: canaries.make(key) })
  const deposit = await filing({ type: 'DEPOSIT', money: 50, description: canaries.make('memo') }, 'key of a deposit')
  const withdrawal = await filing(
    { type: 'WITHDRAW', money: 5, pass: canaries.make('withdrawal note'), bank: linked['_id'] },
    'key of a withdrawal',
  )

  // A browser that takes pushes at an address which leads nowhere.
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const subscription = {
    endpoint: `https://${canaries.make('host of pushes')}.test/${canaries.make('path of pushes')}`,
    p256dh: canaries.keep('p256dh', browser.getPublicKey().toString('base64url')),
    auth: canaries.keep('auth of pushes', randomBytes(16).toString('base64url')),
  }
  await player.send(200, 'PUT', '/api/v1/push/subscription', { token, body: subscription })
  await player.send(200, 'PUT', '/api/v1/push', {
    token,
    body: {
      kinds: { requestDecided: true, careReplied: true, pointsAdjusted: true },
      quietHours: null,
      mayOffer: true,
    },
  })
  await player.send(422, 'PUT', '/api/v1/push/subscription', {
    token,
    body: { ...subscription, endpoint: `https://127.0.0.1/${canaries.make('forbidden address')}` },
  })

  // Staff at work; the second factor was proved in this session as it was added.
  const decide = (id: unknown, body: unknown) =>
    staff.send(200, 'PATCH', `/api/v1/transaction/${String(id)}`, { token: adminToken, body })
  await decide(deposit.data['_id'], { status: 'ACCEPT', from: 'IN_PROGRESS' })
  await decide(withdrawal.data['_id'], {
    status: 'REJECT',
    from: 'IN_PROGRESS',
    description: canaries.make('rejection'),
  })
  await staff.send(200, 'POST', `/api/v1/customers/${userId}/notes`, {
    token: adminToken,
    body: { noteId: randomUUID(), text: canaries.make('note of staff') },
  })
  await staff.send(200, 'GET', `/api/v1/user?search=${username}&username=${username}`, { token: adminToken })
  await staff.send(200, 'GET', `/api/v1/staff/find?q=${bank.bankNumber}`, { token: adminToken })
  await staff.send([200, 400, 404], 'GET', `/api/v1/customers/${canaries.make('id in a path')}`, { token: adminToken })
  const { data: fresh } = await player.send(200, 'GET', '/api/v1/user/me', { token })
  await staff.send([200, 409], 'POST', `/api/v1/user/${userId}`, {
    token: adminToken,
    body: { score: 4_321, reason: canaries.make('reason of an adjustment'), version: fresh['version'] },
  })

  // The push about these decisions was tried, and could not be handed over.
  await until('a push fails', 30_000, async () =>
    /^pushes_failed [1-9]/m.test((await readMetrics(server, settings)).text),
  )

  // A bet, and wrong ones.
  // A server that starts just before a round's end has none of that type until the next one begins.
  let gameId: unknown
  await until('a round runs', 30_000, async () => {
    gameId = (await player.send(200, 'GET', '/api/v1/game/current?type=120s', { token })).data['_id']
    return gameId !== undefined
  })
  const bet = { gameId, score: 1, value: 'UP', seenBasis: 'PRICE' }
  await player.send([200, 409, 422], 'POST', '/api/v1/history', {
    token,
    body: bet,
    key: canaries.make('key of a bet'),
  })
  await player.send(400, 'POST', '/api/v1/history', { token, body: { ...bet, value: canaries.make('direction') } })

  // Chat over a socket, with a text, a broken event and images.
  const { data: adminMe } = await staff.send(200, 'GET', '/api/v1/user/me', { token: adminToken })
  const socket = io(server.address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token, userId, username },
    extraHeaders: player.headers,
  })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject))
  const say = (payload: unknown) =>
    socket.timeout(10_000).emitWithAck('send_message', payload) as Promise<Record<string, unknown>>
  const message = { receiverId: adminMe['_id'], type: 'text', tempId: canaries.make('tempId') }
  expect(await say({ ...message, content: canaries.make('chat text') })).toMatchObject({ ok: true })
  expect(
    await say({ ...message, tempId: 'a', content: { text: canaries.make('chat text in an object') } }),
  ).toMatchObject({
    ok: false,
  })
  expect(await say(canaries.make('an event that is none'))).toMatchObject({ ok: false })
  socket.disconnect()
  const stranger = io(server.address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token: canaries.make('invented token of a socket'), userId, username },
    extraHeaders: player.headers,
  })
  await new Promise<void>((resolve, reject) => stranger.once('connect_error', () => resolve()).once('connect', reject))
  stranger.disconnect()

  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'green' } })
    .withExif({ IFD0: { Copyright: canaries.make('text in an image') } })
    .jpeg()
    .toBuffer()
  const upload = (bytes: Buffer, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), `${canaries.make(name)}.jpg`)
    return form
  }
  // A bucket refuses our key: the failure is the server's.
  await player.send(hasBucket ? 500 : 200, 'POST', '/api/v1/file-upload', {
    token,
    body: upload(image, 'name of a file'),
  })
  await player.send(422, 'POST', '/api/v1/file-upload', {
    token,
    body: upload(
      Buffer.concat([image.subarray(0, 20), Buffer.from(canaries.make('bytes of a file'))]),
      'name of a broken file',
    ),
  })

  // Requests that nobody should send.
  await player.send(400, 'POST', '/api/v1/auth/login', { body: `{"password":"${canaries.make('broken JSON')}` })
  await player.send(400, 'POST', '/api/v1/auth/login', { body: `["${canaries.make('JSON that is no object')}"]` })
  await player.send(422, 'POST', '/api/v1/auth/login', {
    body: `{"username":"a\\u0000${canaries.make('text with NUL')}","password":"b"}`,
  })
  await player.send(422, 'POST', '/api/v1/auth/login', {
    body: { username: `\ud800${canaries.make('half a letter')}`, password },
  })
  // Where the web is built, its page is the answer.
  await player.send([200, 404], 'GET', `/${canaries.make('unknown path')}/x?${canaries.make('unknown query')}`)
  await player.send([400, 404], 'GET', `/api/v1/files/%zz${canaries.make('path that cannot be decoded')}`)
  await player.send([404, 405], 'DELETE', `/api/v1/auth/login?${canaries.make('wrong method')}`)
  const raw = connect(Number(new URL(server.address).port), '127.0.0.1')
  raw.write(`GET / HTTP/1.1\r\n${canaries.make('bytes that are no HTTP')}\r\n\r\n`)
  raw.resume()
  await once(raw, 'close')

  // Last what ends sessions.
  const next = canaries.make('next password')
  await player.send(422, 'POST', '/api/v1/auth/change-password', {
    token,
    body: { oldPassword: canaries.make('wrong old password'), newPassword: next },
  })
  await player.send(200, 'POST', '/api/v1/auth/change-password', {
    token,
    body: { oldPassword: password, newPassword: next },
  })
  await player.send(200, 'GET', '/api/v1/user/data-export', { token })
  await player.send([401, 422], 'POST', '/api/v1/auth/close-account', {
    token,
    body: { password: canaries.make('password to close') },
  })
  return { player, token }
}

/** Reads the metrics, ends the server, and searches all that it gave away. */
async function search(server: RunningServer, settings: Settings): Promise<void> {
  const metrics = await readMetrics(server, settings)
  expect(metrics.status).toBe(200)
  expect(await server.stop()).toBe(0)
  const sinks = { log: server.output(), traces: receiver.bodies(), metrics: metrics.text }

  // The look sees what there is: each place has what it should have.
  const marker = createCanaries()
  marker.keep('trace', TRACE_ID)
  expect(marker.findIn(sinks.traces)).toContain('trace (as it is)')
  expect(receiver.spans().filter(({ name }) => name.startsWith('bet.')).length).toBeGreaterThan(0)
  expect(sinks.metrics).toContain('route="/api/v1/auth/login"')
  expect(sinks.log).toContain('"level":')
  // The collector's own key goes to the collector, in a header.
  expect(canaries.findIn(receiver.heads())).toEqual(['OTEL_EXPORTER_OTLP_HEADERS (as it is)'])

  expect(canaries.names.length).toBeGreaterThan(85)
  const found = Object.entries(sinks).flatMap(([sink, text]) => canaries.findIn(text).map((one) => `${sink}: ${one}`))
  expect(found).toEqual([])
}

test(
  'a server with its own database tells nobody what it was told',
  async () => {
    const settings = secretSettings()
    await withLaidServer({ ...settings, BACKUP_EVERY: '1' }, async (server) => {
      await useEverything(server, settings, { hasBucket: false })
      await until('a backup is made', 30_000, () => server.output().includes('A backup was made'))
      await search(server, settings)
    })
  },
  WITHIN_MS,
)

test.runIf(testEngines.includes('native') && process.env['TEST_REDIS_URL'])(
  'a server on PostgreSQL, Redis and a bucket, when these fail (PostgreSQL and Redis only)',
  async () => {
    const settings = secretSettings()
    const folder = mkdtempSync(join(tmpdir(), 'canaries-'))
    const redisPassword = canaries.make('password of REDIS_URL')
    const redis = await startOwnRedis('--requirepass', redisPassword)
    const s3 = new S3rver({
      ...{ address: '127.0.0.1', port: 0, directory: folder, silent: true, allowMismatchedSignatures: false },
      ...{ vhostBuckets: false, configureBuckets: [{ name: 'pictures' }] },
    })
    const { port } = await s3.run()
    const db = await openTestDatabase('native')
    try {
      const url = new URL(db.url ?? '')
      url.password = canaries.make('password of DATABASE_URL')
      const env = {
        ...settings,
        DATABASE_URL: url.href,
        REDIS_URL: redis.url.replace('redis://', `redis://:${redisPassword}@`),
        S3_BUCKET: 'pictures',
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        S3_ACCESS_KEY_ID: canaries.make('S3_ACCESS_KEY_ID'),
        S3_SECRET_ACCESS_KEY: canaries.make('S3_SECRET_ACCESS_KEY'),
      }
      await withLaidServer(env, async (server) => {
        const { player, token } = await useEverything(server, settings, { hasBucket: true })
        expect(server.output()).toContain('A request failed')
        // Everything that it stands on is taken away while it is used.
        await redis.stop()
        await db.query('alter table ledger_accounts rename to ledger_accounts_away')
        const body = { type: 'DEPOSIT', money: 5, description: canaries.make('memo of a failure') }
        await player.send(500, 'POST', '/api/v1/transaction', { token, body })
        await db.query('alter table ledger_accounts_away rename to ledger_accounts')
        await endConnections(db)
        await player.send([200, 503], 'POST', '/api/v1/transaction', {
          token,
          body: { ...body, description: canaries.make('memo without a database') },
        })
        await until('Redis is missed', 30_000, () => server.output().includes('Redis is away'))
        await search(server, settings)
      })
    } finally {
      await db.close()
      await s3.close()
      await redis.stop()
      rmSync(folder, { recursive: true })
    }
  },
  WITHIN_MS,
)

/** As an administrator of the database does before a restart. */
const endConnections = (db: { query(text: string): Promise<unknown> }) =>
  db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )

test(
  'a server that cannot start names the setting, not what is in it',
  async () => {
    const settings = secretSettings()
    const start = (env: Record<string, string>) =>
      withLaidServer({ ...settings, ...env }, () => Promise.resolve('started')).catch(
        (error: unknown) => `\n${String(error).replace('Error: The server ended: ', '')}`,
      )
    const messages = [
      await start({ DATABASE_URL: `postgres://root:${canaries.make('password of DATABASE_URL')}@127.0.0.1:1/none` }),
      await start({ REDIS_URL: `redis://:${canaries.make('password of REDIS_URL')}@127.0.0.1:1` }),
      await start({
        AUDIT_KEY: canaries.make('short key'),
        LOG_KEY: canaries.make('no key'),
        VAPID_PRIVATE_KEY: canaries.make('no VAPID key'),
      }),
    ]
    const named = [['DATABASE_URL'], ['REDIS_URL'], ['AUDIT_KEY', 'LOG_KEY', 'VAPID_PRIVATE_KEY']]
    for (const [at, names] of named.entries()) for (const name of names) expect(messages[at]).toContain(`\n${name}: `)
    expect(canaries.findIn(messages.join('\n'))).toEqual([])
  },
  WITHIN_MS,
)
