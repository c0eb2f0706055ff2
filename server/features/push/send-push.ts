import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { RequestDetails } from 'web-push'
import type { PushMessage } from '#contract/push.ts'
import { type EndpointRule, literalAddress, parseEndpoint, publicEndpoints } from './endpoint-rule.ts'
import type { PushKeys } from './keys.ts'

/** The push address of a browser, and its keys (RFC 8291), base64url. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly authSecret: string
}

export type PushOutcome =
  | { readonly is: 'sent' }
  /** The subscription does not exist any more, or its endpoint may not be called. */
  | { readonly is: 'gone' }
  /** Another attempt may succeed, after `wishedMs` if the push service names a time. */
  | { readonly is: 'failed'; readonly reason: string; readonly wishedMs: number | null }
  /** The push service refuses this message. Another attempt would not help. */
  | { readonly is: 'refused'; readonly reason: string }

export interface PushDelivery {
  /** How long a push service keeps the message for a browser that is away, in seconds. */
  readonly ttlS: number
  /** A message replaces an undelivered message with the same topic (RFC 8030 §5.4). */
  readonly topic: string
}

export type SendPush = (
  target: PushTarget,
  message: PushMessage,
  delivery: PushDelivery,
  stopping: AbortSignal,
) => Promise<PushOutcome>

export interface SendPushOptions {
  readonly keys: PushKeys
  readonly rule?: EndpointRule
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** CA certificates by which push services are verified; by default, those that Node trusts. */
  readonly ca?: string
  /** Time limit, in ms, from the call until the head of the answer has arrived. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000
const ANSWER_HEADER_BYTES = 8 * 1024
/** Every message is padded to this many bytes, so that its length does not show a push service which message it is. */
const PAYLOAD_BYTES = 512

const systemAddresses = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Returns a function that encrypts a message for a browser (RFC 8291), signs the request (RFC 8292) and sends it to the
 * push service (RFC 8030). All addresses of the host must be allowed, and the connection goes to one of these. No
 * redirect is followed. Of the answer, only status and Retry-After are read.
 */
export function createSendPush({
  keys,
  rule = publicEndpoints,
  resolve = systemAddresses,
  ca,
  timeoutMs = TIMEOUT_MS,
}: SendPushOptions): SendPush {
  return async (target, message, { ttlS, topic }, stopping) => {
    const url = parseEndpoint(target.endpoint, rule)
    if (url === null) return { is: 'gone' }
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
    const literal = literalAddress(url)
    let addresses: readonly string[]
    try {
      addresses = literal === null ? await unlessAborted(resolve(url.hostname), signal) : [literal]
    } catch (error) {
      return failed(error)
    }
    if (addresses.length === 0) return failed(new Error('The host has no address'))
    if (!addresses.every(rule.allowsAddress)) return { is: 'gone' }
    // `web-push` is loaded for the first message, not at the start of the server.
    const { default: webPush } = await import('web-push')
    let details: RequestDetails
    try {
      details = webPush.generateRequestDetails(
        { endpoint: target.endpoint, keys: { p256dh: target.p256dh, auth: target.authSecret } },
        padded(message),
        {
          vapidDetails: { subject: keys.contact, publicKey: keys.publicKey, privateKey: keys.privateKey },
          contentEncoding: 'aes128gcm',
          TTL: ttlS,
          topic,
          urgency: 'normal',
        },
      )
    } catch (error) {
      return { is: 'refused', reason: reasonOf(error) }
    }
    return new Promise((done) => {
      const call = request(url, {
        method: 'POST',
        headers: details.headers,
        // Each message gets a new connection: one that was kept open may lead to an address outside of `addresses`.
        agent: false,
        lookup: pinned(addresses),
        maxHeaderSize: ANSWER_HEADER_BYTES,
        signal,
        ...(ca !== undefined && { ca }),
      })
      call.once('response', (answer) => {
        done(outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after']))
        answer.destroy()
      })
      call.once('error', (error) => done(failed(error)))
      call.end(details.body)
    })
  }
}

/** Returns the topic of a kind of message for one session: 32 characters of a hash, the limit of RFC 8030 §5.4. */
export const topicOf = (sessionId: string, kind: string): string =>
  createHash('sha256').update(`${sessionId} ${kind}`).digest('base64url').slice(0, 32)

export function padded(message: PushMessage): Buffer {
  const json = Buffer.from(JSON.stringify(message))
  if (json.length > PAYLOAD_BYTES) throw new Error('A push message is too long.')
  return Buffer.concat([json, Buffer.alloc(PAYLOAD_BYTES - json.length, ' ')])
}

const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (all === true) done(null, found)
    else done(null, first?.address ?? '', first?.family)
  }

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { is: 'sent' }
  // RFC 8030 §7.3: the subscription is not valid any more.
  if (status === 404 || status === 410) return { is: 'gone' }
  if (status !== 408 && status !== 429 && status < 500) return { is: 'refused', reason: `status ${status}` }
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  return { is: 'failed', reason: `status ${status}`, wishedMs: seconds === null ? null : seconds * 1000 }
}

const failed = (error: unknown): PushOutcome => ({ is: 'failed', reason: reasonOf(error), wishedMs: null })

/** Returns an error's code or name. The error's message is not used: it may contain the endpoint, which is secret. */
const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : 'unknown')

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const given = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('The host was not resolved in time'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  return Promise.race([work, given])
}
