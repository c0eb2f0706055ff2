import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { UPLOAD_WITHIN_MS } from '#contract/files.ts'
import { BODY_LIMIT_BYTES } from '#contract/limits.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { createFairStarts } from '#server/platform/process/fair-starts.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { traceRequests, type Tracing } from '#server/platform/process/tracing.ts'
import { addressKey, createAddressList, forwardedAddresses } from './addresses.ts'
import { sendRefused, toRefused } from './answers.ts'
import { compressAnswers } from './compress.ts'
import { failureJson, refuse } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    logFailure: (error: unknown, request: FastifyRequest) => void
  }
}

export interface HttpOptions {
  readonly log: Logger
  /** Addresses or networks whose X-Forwarded-For and traceparent are trusted (TRUST_PROXY); null trusts none. */
  readonly trustProxy: readonly string[] | null
  readonly tracing?: Tracing | null
}

const HEAD_WITHIN_MS = 30_000
const REQUEST_WITHIN_MS = UPLOAD_WITHIN_MS + 30_000

/** While the database is away, many requests fail with the same error. The error is logged at most this often. */
const SAY_AWAY_EVERY_MS = 5_000
const SAY_PROXY_EVERY_MS = 3_600_000

/** Makes the ids of requests for `X-Request-Id` and the log: short, so that people can read them out. */
function requestIds(): () => string {
  const process = randomBytes(3).toString('hex')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}

export const FORWARDING = /^(x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/** Warns of a proxy that is not trusted: all users behind it count as one address and share its limits. */
function warnOfProxy(app: FastifyInstance, log: Logger): void {
  let saidAtMs = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', (request, _reply, done) => {
    const isDue = monotonicMs() - saidAtMs > SAY_PROXY_EVERY_MS
    if (isDue && Object.keys(request.headers).some((name) => FORWARDING.test(name))) {
      saidAtMs = monotonicMs()
      log.warn(
        'Calls come through a proxy and TRUST_PROXY is not set: all people behind it count as one address and share its limits, such as 10 registrations an hour. Set it to the address of the proxy',
      )
    }
    done()
  })
}

export function createHttp({ trustProxy, log, tracing = null }: HttpOptions): FastifyInstance {
  const isTrusted = createAddressList(trustProxy ?? [])
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustProxy === null ? false : isTrusted,
    requestTimeout: REQUEST_WITHIN_MS,
    http: { headersTimeout: HEAD_WITHIN_MS },
    forceCloseConnections: 'idle',
    // Requests that arrive while the server closes are still answered.
    return503OnClosing: false,
    genReqId: requestIds(),
    // A header for the id would let a client put any text into the log.
    requestIdHeader: false,
    // The error of a path that cannot be decoded does not reach the error handler.
    frameworkErrors: (error, _request, reply) => void sendRefused(reply, toRefused(error)),
    clientErrorHandler(error, socket) {
      if (!socket.writable || (error as { code?: string }).code === 'ECONNRESET') return void socket.destroy()
      const body = failureJson(refuse('BAD_REQUEST'))
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })
  app.decorateReply('refusalCode', null)
  app.decorateRequest('span', null)
  app.decorateRequest('leftMs', null)
  app.decorateRequest('leave', null)
  if (trustProxy !== null)
    app.addHook('onRequest', (request, _reply, done) => {
      const header = request.raw.headers['x-forwarded-for']
      // A header without a valid address is emptied, not removed, because its presence shows that the peer is a proxy.
      if (header !== undefined) request.raw.headers['x-forwarded-for'] = forwardedAddresses(String(header))
      done()
    })
  // Tracing comes before each hook that makes a request wait, so that a trace contains the wait.
  if (tracing !== null) traceRequests(app, tracing, isTrusted)
  if (trustProxy === null) warnOfProxy(app, log)
  const startFairly = createFairStarts()
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    reply.raw.once('close', () => request.leave?.())
    startFairly(addressKey(request.ip), done)
  })
  compressAnswers(app)
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else void parseJson(request, text as string, done)
  })
  let saidAwayAtMs = Number.NEGATIVE_INFINITY
  app.decorate('logFailure', (error, request) => {
    const { code } = toRefused(error)
    const about = { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url ?? null }
    if (code === 'INTERNAL') log.error(about, 'A request failed')
    // A read whose caller closed the connection also ends with DATABASE_AWAY, which is no fault of the database.
    if (code === 'DATABASE_AWAY' && !request.socket.destroyed && monotonicMs() - saidAwayAtMs > SAY_AWAY_EVERY_MS) {
      saidAwayAtMs = monotonicMs()
      log.warn(about, 'The database is away: requests are answered 503')
    }
  })
  app.setErrorHandler((error, request, reply) => {
    app.logFailure(error, request)
    return sendRefused(reply, toRefused(error))
  })
  return app
}
