import type { Readable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, RefusalOf } from '#contract/endpoint.ts'
import type { FieldProblem, Meta } from '#contract/envelope.ts'
import { BODY_LIMIT_BYTES, IDEMPOTENCY_KEY_MAX } from '#contract/limits.ts'
import { type RefusalCode, refusals, type SharedRefusal } from '#contract/refusals.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { authenticate, judgeAdmission, type ParsedToken, parseToken } from './auth.ts'
import { monotonicMs } from './clock.ts'
import { compressAnswers } from './compress.ts'
import type { Queryable } from './db.ts'
import { databaseAway, failureJson, isRefused, refusalIn, type Refused, refuse, refuseFields } from './errors.ts'
import { createFairStarts } from './fair-starts.ts'
import type { Logger } from './log.ts'
import { isWithinBounds } from './payload-bounds.ts'
import { addressKey } from './rate-limits.ts'
import { faultSentence } from './fault-sentence.ts'
import { traceRequests, type Tracing } from './tracing.ts'
import { createTurns, type Turns } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in subject, on routes that need a session. */
    subject: Subject | null
    /** The parsed token of the request, on routes that check it themselves. */
    token: ParsedToken | null
    /** How much longer the call may take, in ms; null before any of it was used. */
    leftMs: number | null
  }
  interface FastifyInstance {
    /** Writes an unexpected failure of a request to the log, and one of the database now and then. */
    logFailure: (error: unknown, request: FastifyRequest) => void
  }
  interface FastifyReply {
    /** Why the call was refused; null unless it was. */
    refusalCode: RefusalCode | null
  }
  interface FastifyContextConfig {
    /** The contract's endpoint that a route serves. */
    readonly endpoint?: Endpoint
  }
}

type Schema = z.ZodMiniType
type Decoded<S> = S extends Schema ? z.output<S> : undefined
type Part<E extends Endpoint, Name extends 'params' | 'query' | 'body'> = Decoded<E[Name]>

/** What a handler receives: everything decoded into our own words. */
export interface Call<E extends Endpoint, Who> {
  readonly params: Part<E, 'params'>
  readonly query: Part<E, 'query'>
  readonly body: Part<E, 'body'>
  /** The signed-in subject; null on a public endpoint. */
  readonly subject: Who
  /** The client's IP address; with TRUST_PROXY the one that the proxy names. */
  readonly ip: string
  readonly userAgent: string | null
  /** The request itself, for the one route whose body is a stream. */
  readonly request: FastifyRequest
  /** The Idempotency-Key of a money act (rules §3), else null. */
  readonly idempotencyKey: string | null
}

/** `data` in our own words; a list has `meta` beside it. */
export type Answer<E extends Endpoint> = E extends { readonly isList: true }
  ? { readonly data: z.output<E['data']>; readonly meta: Meta }
  : z.output<E['data']>

/** The JSON text of `data` in wire words, for an answer that is also stored or was stored before. */
export class Encoded {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** How long anybody may keep an answer that is public: Cache-Control's own words. */
export type Caching = 'public, max-age=5' | 'public, max-age=31536000, immutable'

/** An answer that is the same for everybody, which may be kept. Programs on other sites' pages may read it, too. */
export class PublicAnswer<T> {
  readonly answer: T
  readonly caching: Caching
  constructor(answer: T, caching: Caching) {
    this.answer = answer
    this.caching = caching
  }
}

/** The answer of an endpoint that is text or bytes as they are; kept by nobody unless it says how long. */
export class RawAnswer {
  readonly body: string | Uint8Array
  readonly caching: Caching | null
  constructor(body: string | Uint8Array, caching: Caching | null) {
    this.body = body
    this.caching = caching
  }
}

/** The answer of an endpoint that is an image. */
export class ImageAnswer {
  readonly stream: Readable
  readonly mime: string
  constructor(stream: Readable, mime: string) {
    this.stream = stream
    this.mime = mime
  }
}

/** The answer of an endpoint that is a file to be saved under a name of ASCII letters. */
export class FileAnswer {
  readonly stream: Readable
  readonly mime: string
  readonly name: string
  constructor(stream: Readable, mime: string, name: string) {
    this.stream = stream
    this.mime = mime
    this.name = name
  }
}

type Handled<E extends Endpoint> =
  | (E extends { readonly isImage: true }
      ? ImageAnswer
      : E extends { readonly isFile: true }
        ? FileAnswer
        : E extends { readonly isRaw: string }
          ? RawAnswer
          : Answer<E> | Encoded | PublicAnswer<Answer<E>>)
  | Refused<RefusalOf<E>>

type Handler<E extends Endpoint, Who> = (call: Call<E, Who>) => Promise<Handled<E>> | Handled<E>

export interface Api {
  readonly app: FastifyInstance
  /**
   * Serves an endpoint of the contract: checks session and access rule, decodes, calls the handler and encodes its
   * answer. A handler refuses by returning `refuse('CODE')`, with one of the refusals that the endpoint declares; a
   * thrown refusal is one of the shared ones.
   */
  handle<const E extends Endpoint>(
    endpoint: E,
    handler: Handler<E, E['access'] extends 'public' ? null : Subject>,
  ): void
  /**
   * The same without a query of the session: the handler gets the parsed token and must check the session row and the
   * access rule itself, inside its own transaction. For the hottest route only.
   */
  handleWithToken<const E extends Endpoint>(endpoint: E, handler: Handler<E, ParsedToken>): void
}

export interface HttpOptions {
  readonly log: Logger
  /** Addresses or networks whose X-Forwarded-For and traceparent are trusted (TRUST_PROXY); null trusts none. */
  readonly trustProxy: readonly string[] | null
  /** Null where telemetry is off. */
  readonly tracing?: Tracing | null
}

/**
 * Calls of one account that change something run one after the other; this many more may wait (rules §3), further ones
 * get 429.
 */
const ACTS_WAITING = 20
/**
 * A call that is not done by then is answered 503. It goes on, and an act is looked up by its key when the call is repeated
 * (rules §3); a call that still waits for its turn is not begun any more. Waiting for a connection, for locks and for a
 * statement each have limits of their own, which add up to more than a caller should wait. Neither the body on its way
 * here nor a stream on its way out counts.
 */
const ANSWERED_MS = 9_000
/**
 * Parallel calls of one account that only read: a screen makes about ten together, and no account needs all
 * connections.
 */
const READS_AT_ONCE = 4
const READS_WAITING = 100
/** A 429 is sent after this delay: a client that repeats at once would keep this process busy with refusals. */
const SENT_AWAY_AFTER_MS = 500

const FORM = /^multipart\//i

/** A request that takes longer to arrive is cut off, so that slow senders cannot hold connections. */
const REQUEST_TIMEOUT_MS = 30_000

/** While the database is unreachable every request meets the same error, so it is logged only this often. */
const SAY_AWAY_EVERY_MS = 5_000

/**
 * No text of ours contains a NUL, and PostgreSQL cannot store one. Matches `u0000` after an odd number of backslashes.
 */
const NUL_IN_JSON = /(?<!\\)(?:\\\\)*\\u0000/

const vietnamese: { error: z.core.$ZodErrorMap } = { error: faultSentence }

/**
 * A request's id: in the `X-Request-Id` of its answer, in its log lines, and in the sentence that a person sees after
 * an unexpected failure. Short, so that it can be read out; the first part differs between processes.
 */
function requestIds(): () => string {
  const process = randomBytes(3).toString('hex')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}

/** Builds the HTTP server without any route. */
export function createHttp({ trustProxy, log, tracing = null }: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustProxy === null ? false : [...trustProxy],
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // What a connection still asks while the server closes is answered, and is the last that it may ask.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: requestIds(),
    // Ids are our own, because they are written to our log.
    requestIdHeader: false,
    // A path that cannot be decoded does not reach the error handler.
    frameworkErrors: (error, _request, reply) => void sendRefused(reply, toRefused(error)),
    clientErrorHandler(error, socket) {
      // The bytes were not HTTP, so there is no request to answer.
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
  // The first hook: what makes a request wait belongs to its time.
  if (tracing !== null) traceRequests(app, tracing, trustProxy)
  const startFairly = createFairStarts()
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    startFairly(addressKey(request.ip), done)
  })
  compressAnswers(app)
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // A POST without a body may still name its content type.
    if (text.length === 0) done(null, undefined)
    else if (NUL_IN_JSON.test(text as string)) done(refuse('BAD_REQUEST'))
    else void parseJson(request, text as string, done)
  })
  let saidAwayAtMs = Number.NEGATIVE_INFINITY
  app.decorate('logFailure', (error, request) => {
    const { code } = toRefused(error)
    const about = { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url ?? null }
    if (code === 'INTERNAL') log.error(about, 'A request failed')
    if (code === 'DATABASE_AWAY' && monotonicMs() - saidAwayAtMs > SAY_AWAY_EVERY_MS) {
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

/**
 * Runs a part of a call, and rejects with DATABASE_AWAY when the call's time is over: the parts of one call share it. What
 * is late goes on; how it fails is logged, since nobody is told.
 * @param work is asked with a function that tells whether it is late, for what it has not begun by then
 */
export async function inTime<T>(
  request: FastifyRequest,
  work: (isLate: () => boolean) => Promise<T> | T,
  answeredMs = ANSWERED_MS,
): Promise<T> {
  const begunMs = monotonicMs()
  const leftMs = request.leftMs ?? answeredMs
  let isLate = false
  const running = (async () => await work(() => isLate))()
  running.then(
    (value) => {
      // Nobody reads it, and whoever writes it waits to be read.
      if (isLate && (value instanceof FileAnswer || value instanceof ImageAnswer)) value.stream.destroy()
    },
    (error: unknown) => {
      if (isLate) request.server.logFailure(error, request)
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(databaseAway())
    }, leftMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
    request.leftMs = leftMs - (monotonicMs() - begunMs)
  }
}

/**
 * Wraps a server so that features register endpoints on it. Sessions are read from `db`.
 * @param onSessionUsed called with the session of each admitted call of `handle`
 * @param isFactorFresh asked before a call that needs a fresh second factor; false refuses it with FACTOR_REQUIRED
 * @param answeredMs a call that takes longer is answered 503
 */
export function createApi(
  app: FastifyInstance,
  db: Queryable,
  onSessionUsed: (sessionId: string) => void = () => {},
  isFactorFresh: (subject: Subject) => Promise<boolean> = () => Promise.resolve(true),
  answeredMs = ANSWERED_MS,
): Api {
  app.decorateRequest('subject', null)
  app.decorateRequest('token', null)
  // Taken before any connection: a client that sends hundreds of calls at once delays only itself.
  const acts = createTurns(1, ACTS_WAITING)
  const reads = createTurns(READS_AT_ONCE, READS_WAITING)
  const turnsOf = ({ method, isUpload }: Endpoint): Turns | null =>
    isUpload === true ? null : method === 'GET' ? reads : acts

  /** Runs the work when it is the account's turn, unless that comes too late. */
  const inTurn = <T>(turns: Turns, userId: string, work: () => Promise<T> | T, isLate: () => boolean) =>
    turns.run(userId, () => {
      if (isLate()) throw databaseAway()
      return work()
    }) ?? tooMany()

  function register<E extends Endpoint, Who>(
    endpoint: E,
    who: (request: FastifyRequest) => Who,
    hooks: Pick<RouteOptions, 'onRequest' | 'errorHandler'>,
    handler: Handler<E, Who>,
  ): void {
    const { params, query, body, data, isMoneyAct, isList, isUpload, isRaw } = endpoint as Endpoint
    const encode = (value: unknown) => JSON.stringify(z.encode(data, value))
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint },
      ...hooks,
      handler: async (request, reply) => {
        // Checked first: without a token nothing else about the request matters.
        const subject = who(request)
        // The parser of forms with files belongs to the whole server; every other call requires JSON.
        if (isUpload !== true && FORM.test(request.headers['content-type'] ?? ''))
          return sendRefused(reply, refuse('UNSUPPORTED_TYPE'))
        if (query !== undefined && request.url.includes('%00')) return sendRefused(reply, refuse('BAD_REQUEST'))
        const call = {
          subject,
          params: params === undefined ? undefined : decode('params', params, request.params),
          query: query === undefined ? undefined : decode('query', query, request.query),
          body: body === undefined ? undefined : decode('body', body, request.body),
          ip: request.ip,
          userAgent: request.headers['user-agent'] ?? null,
          request,
          idempotencyKey: isMoneyAct === true ? idempotencyKeyOf(request) : null,
        } as Call<E, Who>
        const handled = await handler(call)
        if (isRefused(handled)) return sendRefused(reply, handled)
        const answer = handled instanceof PublicAnswer ? handled.answer : handled
        if (answer instanceof ImageAnswer)
          return reply.headers(bytesHeaders).header('content-type', answer.mime).send(answer.stream)
        if (answer instanceof FileAnswer)
          return reply
            .headers(bytesHeaders)
            .header('content-disposition', `attachment; filename="${answer.name}"`)
            .header('content-type', answer.mime)
            .send(answer.stream)
        if (answer instanceof RawAnswer)
          return reply
            .headers(bytesHeaders)
            .header('content-type', isRaw === 'text/plain' ? 'text/plain; charset=utf-8' : isRaw)
            .headers(answer.caching === null ? {} : publicHeaders(answer.caching))
            .send(typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body))
        reply.headers(jsonHeaders)
        if (handled instanceof PublicAnswer) reply.headers(publicHeaders(handled.caching))
        if (answer instanceof Encoded) return reply.send(`{"statusCode":200,"message":"OK","data":${answer.json}}`)
        if (isList !== true) return reply.send(`{"statusCode":200,"message":"OK","data":${encode(answer)}}`)
        const list = answer as { data: unknown; meta: Meta }
        return reply.send(
          `{"statusCode":200,"message":"OK","data":${encode(list.data)},"meta":${JSON.stringify(list.meta)}}`,
        )
      },
    })
  }

  return {
    app,
    handle(endpoint, handler) {
      const { access, needsFreshFactor } = endpoint as Endpoint
      if (access === 'public')
        return register(
          endpoint,
          () => null as never,
          {},
          (call) => inTime(call.request, () => handler(call), answeredMs),
        )
      const turns = turnsOf(endpoint)
      const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        // Checked before the session, which costs a query. An invented token learns nothing from this answer.
        const token = parseToken(request.headers.authorization)
        if (token !== null && turns?.isFull(token.userId) === true) return sendRefused(reply, await tooMany())
        const judge = async () => {
          const judged = await judgeAccess(db, endpoint, token)
          if (isRefused(judged) || needsFreshFactor !== true || (await isFactorFresh(judged))) return judged
          return refuse('FACTOR_REQUIRED')
        }
        const subject = await inTime(request, judge, answeredMs)
        if (isRefused(subject)) return sendRefused(reply, subject)
        request.subject = subject
        onSessionUsed(subject.sessionId)
        return undefined
      }
      register(
        endpoint,
        (request) => request.subject as never,
        { onRequest },
        (call) => {
          const { userId } = call.subject as Subject
          // An upload's body arrives while its handler runs, as slowly as the sender's network is.
          if (turns === null) return handler(call)
          return inTime(call.request, (isLate) => inTurn(turns, userId, () => handler(call), isLate), answeredMs)
        },
      )
    },
    handleWithToken(endpoint, handler) {
      // Runs before the body is read: without a token the body is not accepted.
      const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
        request.token = parseToken(request.headers.authorization)
        if (request.token === null) sendRefused(reply, refuse('UNAUTHORIZED'))
        else done()
      }
      // With an invalid token the body must not be validated either. Only a malformed request pays for this query of
      // the session: a valid request is checked by the handler.
      const errorHandler = async (error: unknown, request: FastifyRequest) => {
        const status = refusals[toRefused(error).code].status
        const subject = MALFORMED.has(status) ? await judgeAccess(db, endpoint, request.token) : null
        throw isRefused(subject) ? subject : error
      }
      register(
        endpoint,
        (request) => request.token as never,
        { onRequest, errorHandler },
        (call) => {
          const { userId } = call.subject
          if (acts.isFull(userId)) return tooMany()
          const work = async (isLate: () => boolean) => {
            // A request with an invented token must not delay the account that the token names, so it gets no place in
            // the queue.
            if (acts.isBusy(userId) && (await authenticate(db, call.subject)) === null) return refuse('UNAUTHORIZED')
            return inTurn(acts, userId, () => handler(call), isLate)
          }
          return inTime(call.request, work, answeredMs)
        },
      )
    },
  }
}

async function tooMany(): Promise<Refused<'TOO_MANY_REQUESTS'>> {
  await sleep(SENT_AWAY_AFTER_MS, undefined, { ref: false })
  return refuse('TOO_MANY_REQUESTS', undefined, 1)
}

/** Statuses for a malformed request. */
const MALFORMED: ReadonlySet<number> = new Set([400, 413, 415])

/** The subject of the token and its session row, or the refusal. */
async function judgeAccess(
  db: Queryable,
  endpoint: Endpoint,
  token: ParsedToken | null,
): Promise<Subject | Refused<SharedRefusal>> {
  const subject = token === null ? null : await authenticate(db, token)
  if (subject === null) return refuse('UNAUTHORIZED')
  return judgeAdmission(endpoint, subject) ?? subject
}

/** The JSON text of an endpoint's `data`, for `new Encoded(…)` and for a stored answer. */
export const encodeData = <E extends Endpoint>(endpoint: E, data: z.output<E['data']>): string =>
  JSON.stringify(z.encode(endpoint.data, data))

/** Reads what `encodeData` wrote. */
export const decodeData = <E extends Endpoint>(endpoint: E, json: string): z.output<E['data']> =>
  z.decode(endpoint.data, JSON.parse(json)) as z.output<E['data']>

/** @param part the decoded part, as a refusal of the whole names it */
function decode(part: 'params' | 'query' | 'body', schema: Schema, wire: unknown): unknown {
  if (!isWithinBounds(wire))
    throw refuseFields({ path: part, message: 'Quá nhiều trường, phần tử hoặc tầng lồng nhau' })
  const result = z.safeDecode(schema, wire, vietnamese)
  if (result.success) return result.data
  throw refuseFields(...result.error.issues.flatMap(problemsOf))
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
  return paths.map((path) => ({ path: path.map(String).join('.'), message: issue.message }))
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > IDEMPOTENCY_KEY_MAX)
    throw refuseFields({ path: 'Idempotency-Key', message: `1–${IDEMPOTENCY_KEY_MAX} ASCII` })
  return key
}

/** Answers may contain private data, and are data, never a page. */
const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The browser must treat an image of a conversation, or a user's data, as what they are, and must not keep them in the
 * cache of a shared device (rules §7).
 */
const bytesHeaders = {
  'cache-control': 'private, no-store',
  'content-disposition': 'inline',
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

const publicHeaders = (caching: Caching) => ({
  'access-control-allow-origin': '*',
  'cache-control': caching,
  'cross-origin-resource-policy': 'cross-origin',
})

/** Sends a refusal with its status, code and sentence. */
export function sendRefused(reply: FastifyReply, refused: Refused): FastifyReply {
  if (refused.retryAfterS !== undefined) reply.header('retry-after', refused.retryAfterS)
  reply.refusalCode = refused.code
  return reply.code(refusals[refused.code].status).headers(jsonHeaders).send(failureJson(refused))
}

/** Fastify's own error codes for requests that never reached a handler. */
const frameworkRefusals: Readonly<Record<string, SharedRefusal>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
}

/** Every failure as a refusal; an unknown error becomes INTERNAL, without its cause. */
function toRefused(error: unknown): Refused {
  const expected = refusalIn(error)
  if (expected !== null) return expected
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? frameworkRefusals[code] : undefined
  if (known !== undefined) return refuse(known)
  const isClientsFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return refuse(isClientsFault ? 'BAD_REQUEST' : 'INTERNAL')
}
