import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { AppDeps } from '#server/app.ts'
import { selfSigned } from './self-signed.ts'

/**
 * A push service and its browsers on this machine: takes messages as RFC 8030 says, verifies their sender (RFC 8292),
 * and decrypts them with the browser's keys (RFC 8291). Written from the standards, without the library under test.
 */

/** A browser's subscription in the words of its Push API, with the keys that never leave the browser. */
export interface TestBrowser {
  readonly endpoint: string
  readonly p256dh: string
  readonly authSecret: string
  readonly ecdh: ECDH
}

export interface TakenPush {
  readonly endpoint: string
  readonly headers: IncomingHttpHeaders
  /** The decrypted message. */
  readonly text: string
  /** The claims of the sender's token (RFC 8292 §2). */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub?: string }
  /** The sender's public key, base64url. */
  readonly sender: string
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface PushService {
  /** Pushes that were taken with 201, oldest first. */
  readonly taken: TakenPush[]
  /** Every call, also those that were refused. */
  readonly calls: () => number
  /** A browser that has just subscribed. */
  subscribe(): TestBrowser
  /** Answers calls by itself until `null` is set: an error, a redirect, nothing at all. */
  answerWith(answer: Answer | null): void
  /** The options with which `buildApp` calls this service instead of public ones. */
  readonly options: Omit<AppDeps['push'], 'keys'> & { readonly ca: string }
  readonly host: string
  readonly port: number
  stop(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const host = 'push.kimphien.test'
  const { cert, key } = selfSigned(host)
  const browsers = new Map<string, TestBrowser>()
  const taken: TakenPush[] = []
  let calls = 0
  let answer: Answer | null = null

  const take: Answer = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const browser = browsers.get(request.url ?? '')
      if (browser === undefined) return void response.writeHead(404).end()
      const { headers } = request
      try {
        const sender = verifySender(headers.authorization ?? '', new URL(browser.endpoint).origin)
        if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('RFC 8030 §5.2: no TTL')
        if (headers['content-encoding'] !== 'aes128gcm') throw new Error('RFC 8291 §2: not aes128gcm')
        const text = decryptPush(Buffer.concat(chunks), browser.ecdh, Buffer.from(browser.authSecret, 'base64url'))
        taken.push({ endpoint: browser.endpoint, headers, text, ...sender })
        response.writeHead(201, { location: `${browser.endpoint}/message` }).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  }
  const server = createServer({ cert, key }, (request, response) => {
    calls += 1
    ;(answer ?? take)(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    taken,
    calls: () => calls,
    subscribe() {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys('base64url')
      const path = `/push/${randomBytes(16).toString('base64url')}`
      const endpoint = `https://${host}:${port}${path}`
      const browser = { endpoint, p256dh, authSecret: randomBytes(16).toString('base64url'), ecdh }
      browsers.set(path, browser)
      return browser
    },
    answerWith: (next) => void (answer = next),
    options: {
      rule: { allowsPort: () => true, allowsAddress: (ip) => ip === '127.0.0.1' },
      resolve: async () => ['127.0.0.1'],
      ca: cert,
    },
    host,
    port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The plain text of a message with one record (RFC 8291 §3, RFC 8188 §2). */
export function decryptPush(body: Buffer, browser: ECDH, authSecret: Buffer): string {
  const salt = body.subarray(0, 16)
  const recordBytes = body.readUInt32BE(16)
  const keyEnd = 21 + (body[20] ?? 0)
  const senderKey = body.subarray(21, keyEnd)
  const record = body.subarray(keyEnd)
  if (record.length > recordBytes) throw new Error('RFC 8291 §4: more than one record')
  const derive = (from: Uint8Array, by: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, length))
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = derive(browser.computeSecret(senderKey), authSecret, keyInfo, 32)
  const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('RFC 8188 §2: the last record ends with 2')
  return padded.subarray(0, end).toString('utf8')
}

/** Verifies `vapid t=…, k=…` (RFC 8292 §3) for a push service of this origin. */
export function verifySender(authorization: string, origin: string): Pick<TakenPush, 'claims' | 'sender'> {
  const [, token = '', sender = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(sender, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const claims = read(body) as unknown as TakenPush['claims']
  const leftS = claims.exp - Date.now() / 1000
  if (!isSigned || read(head)['alg'] !== 'ES256') throw new Error('RFC 8292 §2: not signed with ES256')
  if (claims.aud !== origin || leftS <= 0 || leftS > 86_400) throw new Error('RFC 8292 §2: not for this service')
  return { claims, sender }
}
