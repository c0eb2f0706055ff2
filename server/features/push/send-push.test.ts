import { createECDH } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { pushMessages } from '#contract/push.ts'
import { PUSH_KINDS } from '#domain/push/push.ts'
import { decryptPush, type PushService, startPushService } from '#testing/machines/push-service.ts'
import { isPublicAddress, parseEndpoint, publicEndpoints } from './endpoint-rule.ts'
import { readPushKeys } from './keys.ts'
import { createSendPush, padded, topicOf } from './send-push.ts'

const nobodysDatabase = { query: () => Promise.reject(new Error('The key is given')) } as never
const keys = await readPushKeys(nobodysDatabase, {
  vapidPrivateKey: Buffer.alloc(32, 7).toString('base64url'),
  vapidSubject: null,
  supportContact: 'hotro@kimphien.example',
})
const message = pushMessages['care-replied']
const { signal } = new AbortController()
const delivery = { ttlS: 600, topic: topicOf('a session', 'care-replied') }

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
beforeEach(() => {
  service.taken.length = 0
  service.answerWith(null)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.stop())

const sender = (options = {}) => createSendPush({ keys, ...service.options, ...options })

test('the browser of these tests reads the example of RFC 8291 §5', () => {
  const browser = createECDH('prime256v1')
  browser.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  const authSecret = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  expect(decryptPush(Buffer.from(body, 'base64url'), browser, authSecret)).toBe(
    'When I grow up, I want to be a watermelon',
  )
})

test('a push arrives encrypted and signed, and only its browser can read it', async () => {
  const browser = service.subscribe()
  expect(await sender()(browser, message, delivery, signal)).toEqual({ is: 'sent' })
  const [push] = service.taken
  expect(JSON.parse(push?.text ?? '')).toEqual(message)
  expect(push?.sender).toBe(keys.publicKey)
  expect(push?.claims).toMatchObject({ sub: 'mailto:hotro@kimphien.example' })
  expect(push?.headers).toMatchObject({ ttl: '600', topic: delivery.topic, urgency: 'normal' })
  expect(delivery.topic).toMatch(/^[\w-]{32}$/)
})

test('a push service cannot tell by its length or topic what a push is about', () => {
  expect(new Set(PUSH_KINDS.map((kind) => padded(pushMessages[kind]).length)).size).toBe(1)
  const topics = ['a', 'b'].flatMap((session) => PUSH_KINDS.map((kind) => topicOf(session, kind)))
  expect(new Set(topics).size).toBe(6)
  expect(topicOf('a', 'care-replied')).toBe(topicOf('a', 'care-replied'))
})

describe('an answer', () => {
  const answering = (status: number, headers = {}) => {
    service.answerWith((_, response) => response.writeHead(status, headers).end())
    return sender()(service.subscribe(), message, delivery, signal)
  }

  test.each([
    [200, { is: 'sent' }],
    [404, { is: 'gone' }],
    [410, { is: 'gone' }],
    [400, { is: 'refused', reason: 'status 400' }],
    [403, { is: 'refused', reason: 'status 403' }],
    [413, { is: 'refused', reason: 'status 413' }],
    [500, { is: 'failed', reason: 'status 500', wishedMs: null }],
  ])('%d', async (status, outcome) => {
    expect(await answering(status)).toEqual(outcome)
  })

  test('429 and 503 with the time that the service wishes', async () => {
    expect(await answering(429, { 'retry-after': '90' })).toMatchObject({ is: 'failed', wishedMs: 90_000 })
    expect(await answering(503, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' })).toMatchObject({
      is: 'failed',
      wishedMs: null,
    })
  })

  test('that redirects is not followed', async () => {
    const before = service.calls()
    const { endpoint } = service.subscribe()
    expect(await answering(307, { location: endpoint })).toEqual({ is: 'refused', reason: 'status 307' })
    expect(service.calls()).toBe(before + 1)
    expect(service.taken).toEqual([])
  })

  test('that never comes is given up, and so is one whose header never ends', async () => {
    const quick = sender({ timeoutMs: 150 })
    service.answerWith(() => {})
    expect(await quick(service.subscribe(), message, delivery, signal)).toMatchObject({ is: 'failed' })
    service.answerWith((_, response) => {
      response.socket?.write(`HTTP/1.1 201 Created\r\n${'X-Long: y\r\n'.repeat(2000)}`)
    })
    expect(await sender()(service.subscribe(), message, delivery, signal)).toMatchObject({
      is: 'failed',
      reason: 'HPE_HEADER_OVERFLOW',
    })
  })

  test('that never comes is waited for no longer once the process stops', async () => {
    const stopping = new AbortController()
    service.answerWith(() => stopping.abort())
    const patient = { timeoutMs: 600_000 }
    expect(await sender(patient)(service.subscribe(), message, delivery, stopping.signal)).toMatchObject({
      is: 'failed',
    })
    const later = new AbortController()
    const hanging = sender({ resolve: () => new Promise(() => setTimeout(() => later.abort())), ...patient })
    expect(await hanging(service.subscribe(), message, delivery, later.signal)).toMatchObject({ is: 'failed' })
  })

  test('with a body without end is not read', async () => {
    service.answerWith((_, response) => {
      response.writeHead(201)
      const write = () => response.write(Buffer.alloc(65_536))
      response.on('drain', write)
      write()
      response.on('close', () => response.removeListener('drain', write))
    })
    expect(await sender()(service.subscribe(), message, delivery, signal)).toEqual({ is: 'sent' })
  })

  test('of a host with another certificate is none', async () => {
    const stranger = await startPushService()
    expect(await sender()(stranger.subscribe(), message, delivery, signal)).toMatchObject({ is: 'failed' })
    expect(stranger.calls()).toBe(0)
    await stranger.stop()
  })
})

describe('whom to call', () => {
  test.each([
    'http://push.example.com/x',
    'https://user:secret@push.example.com/x',
    'https://push.example.com:8443/x',
    'https://push.example.com/#x',
    'https://localhost/x',
    'https://api.localhost/x',
    'https://redis/x',
    'https://redis./x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://0/x',
    'https://10.1.2.3/x',
    'https://172.16.0.1/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.100.100.200/x',
    'https://168.63.129.16/x',
    'https://224.0.0.1/x',
    'https://255.255.255.255/x',
    'https://[::1]/x',
    'https://[::]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::127.0.0.1]/x',
    'https://[fe80::1]/x',
    'https://[fd00:ec2::254]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[2002:7f00:1::]/x',
    'ftp://push.example.com/x',
    'push.example.com',
    '',
  ])('not %s', (endpoint) => {
    expect(parseEndpoint(endpoint, publicEndpoints)).toBeNull()
  })

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QAbc',
    'https://8.8.8.8/x',
    'https://[2606:4700::1111]/x',
  ])('%s', (endpoint) => {
    expect(parseEndpoint(endpoint, publicEndpoints)?.href).toBe(endpoint)
  })

  test('no address that is not written as one', () => {
    expect(['', '1.2.3', '1.2.3.4/8', 'fe80::1%eth0', 'example.com', '8.8.8.8'].filter(isPublicAddress)).toEqual([
      '8.8.8.8',
    ])
  })

  const atPublicName = () => {
    const { port, options } = service
    const { pathname } = new URL(service.subscribe().endpoint)
    return { ...service.subscribe(), endpoint: `https://push.kimphien.test:${port}${pathname}`, ca: options.ca }
  }
  const onAnyPort = { ...publicEndpoints, allowsPort: () => true }

  test.each([
    ['a private one', ['127.0.0.1']],
    ['a public and a private one', ['8.8.8.8', '10.0.0.1']],
    ['one that hides IPv4 in IPv6', ['::ffff:169.254.169.254']],
  ])('no host whose addresses are %s', async (_, addresses) => {
    const before = service.calls()
    const send = sender({ rule: onAnyPort, resolve: async () => addresses })
    expect(await send(atPublicName(), message, delivery, signal)).toEqual({ is: 'gone' })
    expect(service.calls()).toBe(before)
  })

  test('the address that was judged, however the name resolves a moment later', async () => {
    const seen: string[] = []
    let asked = 0
    const send = sender({
      // Public at the first look and private at the next: what DNS rebinding does.
      resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']),
      rule: { allowsPort: () => true, allowsAddress: (ip: string) => seen.push(ip) > 0 && ip === '127.0.0.1' },
    })
    expect(await send(service.subscribe(), message, delivery, signal)).toEqual({ is: 'sent' })
    expect([asked, seen]).toEqual([1, ['127.0.0.1']])
  })

  test('nobody while the name cannot be resolved', async () => {
    const refusing = sender({ resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })) })
    expect(await refusing(service.subscribe(), message, delivery, signal)).toEqual({
      is: 'failed',
      reason: 'ENOTFOUND',
      wishedMs: null,
    })
    const hanging = sender({ resolve: () => new Promise(() => {}), timeoutMs: 50 })
    expect(await hanging(service.subscribe(), message, delivery, signal)).toMatchObject({ is: 'failed' })
  })

  test('by default public addresses only: a server of this machine gets no connection', async () => {
    const server = createServer()
    let connections = 0
    server.on('connection', () => (connections += 1))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const send = createSendPush({ keys })
    const { port } = server.address() as { port: number }
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(
        await send({ ...service.subscribe(), endpoint: `https://${host}:${port}/x` }, message, delivery, signal),
      ).toEqual({
        is: 'gone',
      })
    // A name of this machine, on the port of https.
    const resolved = createSendPush({ keys, resolve: async () => ['127.0.0.1'] })
    expect(
      await resolved({ ...service.subscribe(), endpoint: 'https://push.example.com/x' }, message, delivery, signal),
    ).toEqual({ is: 'gone' })
    expect(connections).toBe(0)
    server.close()
  })
})
