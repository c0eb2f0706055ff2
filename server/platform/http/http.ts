import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { IDEMPOTENCY_KEY_MAX } from '#contract/limits.ts'
import { refusals, type SharedRefusal } from '#contract/refusals.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { parseAddress } from './addresses.ts'
import {
  type Handled,
  ImageAnswer,
  PublicAnswer,
  PublicText,
  sendAnswer,
  sendRefused,
  textOf,
  toRefused,
} from './answers.ts'
import { createAuthenticator, isFactorFresh, judgeAdmission, type ParsedToken, parseToken } from './auth.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { databaseAway, isRefused, type Refused, refuse, refuseFields, refuseIssues } from './errors.ts'
import { whileWaitedFor } from '#server/platform/database/given-up.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { isWithinBounds } from './payload-bounds.ts'
import { faultSentence } from './fault-sentence.ts'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'
import { createTurns, type Turns } from '#server/platform/process/turns.ts'

export { decodeData, Encoded, encodeData, FileAnswer, ImageAnswer, PublicAnswer, RawAnswer } from './answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    subject: Subject | null
    token: ParsedToken | null
    /** The ms that the call may still take; null until `inTime` has measured a first part of the call. */
    leftMs: number | null
    /** Gives up the running read. Is called when the connection is closed. Null while no read runs. */
    leave: (() => void) | null
  }
  interface FastifyContextConfig {
    readonly endpoint?: Endpoint
  }
}

type Schema = z.ZodMiniType
type Decoded<S> = S extends Schema ? z.output<S> : undefined
type Part<E extends Endpoint, Name extends 'params' | 'query' | 'body'> = Decoded<E[Name]>

export interface Call<E extends Endpoint, Who> {
  readonly params: Part<E, 'params'>
  readonly query: Part<E, 'query'>
  readonly body: Part<E, 'body'>
  readonly subject: Who
  readonly ip: string
  readonly userAgent: string | null
  readonly request: FastifyRequest
  /** The Idempotency-Key of a call that `takesKey` (rules §3.5); null without this header, and for any other call. */
  readonly idempotencyKey: string | null
}

type Handler<E extends Endpoint, Who> = (call: Call<E, Who>) => Promise<Handled<E>> | Handled<E>

export interface Api {
  readonly app: FastifyInstance
  /**
   * Registers an endpoint. Each call is decoded, and checked for session and access unless the endpoint is public. The
   * handler returns refusals that the endpoint declares, and may throw only shared refusals.
   */
  handle<const E extends Endpoint>(
    endpoint: E,
    handler: Handler<E, E['access'] extends 'public' ? null : Subject>,
  ): void
  /** Registers an endpoint whose handler checks session and access inside its own transaction. */
  handleWithToken<const E extends Endpoint>(endpoint: E, handler: Handler<E, ParsedToken>): void
}

/** Changing calls of one account run one by one, except uploads. If this many wait, further calls get 429. */
const ACTS_WAITING = 20
/**
 * A call that takes longer is answered 503 (rules §3.5). A change goes on nevertheless, a read is given up, and a call
 * that still waits for its turn is not started. The time in which a body arrives, an upload is handled or a stream is
 * sent does not count.
 */
const ANSWERED_MS = 9_000
/** Concurrent reads of one account: few, so that the reads of one screen do not take all connections. */
const READS_AT_ONCE = 4
const READS_WAITING = 100
/** The 429 of a full queue is delayed, because a client that retries at once would keep this process busy. */
const SENT_AWAY_AFTER_MS = 500

const FORM = /^multipart\//i

/** How long a PublicAnswer to a GET is reused (rules §6.3). */
const PUBLIC_KEPT_MS = 3_000
const PUBLIC_KEPT_CHARS = 16_000_000

/**
 * Runs a part of a call. Rejects with DATABASE_AWAY when `answeredMs`, which all parts of the call share, are over. A
 * late change goes on, and its failure is logged. A late read is given up (given-up.ts), and so is a read whose caller
 * has closed the connection.
 * @param work gets a function that returns whether the call is late: a late call must not start further steps
 */
export async function inTime<T>(
  request: FastifyRequest,
  work: (isLate: () => boolean) => Promise<T> | T,
  answeredMs = ANSWERED_MS,
): Promise<T> {
  const begunMs = monotonicMs()
  const leftMs = request.leftMs ?? answeredMs
  let isLate = false
  const leaving = new AbortController()
  const leave = (): void => leaving.abort(databaseAway())
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead) request.leave = leave
  const run = async () => await work(() => isLate)
  const running = isRead ? whileWaitedFor(leaving.signal, run) : run()
  running.then(
    (value) => {
      if (isLate && value instanceof ImageAnswer) value.stream.destroy()
    },
    (error: unknown) => {
      if (isLate && !(isRead && isDatabaseAway(error))) request.server.logFailure(error, request)
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(databaseAway())
      if (isRead) leave()
    }, leftMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
    request.leave = null
    request.leftMs = leftMs - (monotonicMs() - begunMs)
  }
}

/**
 * Makes the functions that register the handlers of endpoints. Sessions are read from `db`.
 * @param asksForFactors false when second factors are off: then no call of staff needs a fresh factor
 */
export function createApi(
  app: FastifyInstance,
  db: Queryable,
  onSessionUsed: (sessionId: string) => void = () => {},
  asksForFactors = false,
  { answeredMs = ANSWERED_MS, publicKeptMs = PUBLIC_KEPT_MS } = {},
): Api {
  app.decorateRequest('subject', null)
  app.decorateRequest('token', null)
  const sizeOf = (answer: unknown): number => (answer instanceof PublicText ? answer.answer.length : 0)
  const serving: Serving = {
    ...{ app, db, onSessionUsed, asksForFactors, answeredMs },
    authenticate: createAuthenticator(db),
    acts: createTurns(1, ACTS_WAITING),
    reads: createTurns(READS_AT_ONCE, READS_WAITING),
    kept: createKeptAnswers<unknown>(sizeOf, publicKeptMs, PUBLIC_KEPT_CHARS),
  }
  return {
    app,
    handle(endpoint, handler) {
      const { access } = endpoint as Endpoint
      if (access === 'public') handlePublic(serving, endpoint, handler as Handler<typeof endpoint, null>)
      else handleSignedIn(serving, endpoint, handler as Handler<typeof endpoint, Subject>)
    },
    handleWithToken: (endpoint, handler) => handleWithToken(serving, endpoint, handler),
  }
}

interface Serving {
  readonly app: FastifyInstance
  readonly db: Queryable
  readonly authenticate: (token: ParsedToken) => Promise<Subject | null>
  readonly onSessionUsed: (sessionId: string) => void
  readonly asksForFactors: boolean
  readonly answeredMs: number
  // A handler waits for a turn of its account, so that hundreds of calls of one account do not take all connections.
  readonly acts: Turns
  readonly reads: Turns
  readonly kept: ReturnType<typeof createKeptAnswers<unknown>>
}

const inTurn = <T>(turns: Turns, userId: string, work: () => Promise<T> | T, isLate: () => boolean) =>
  turns.run(userId, () => {
    if (isLate()) throw databaseAway()
    return work()
  }) ?? tooMany()

function register<E extends Endpoint, Who>(
  { app }: Serving,
  endpoint: E,
  who: (request: FastifyRequest) => Who,
  hooks: Pick<RouteOptions, 'onRequest' | 'errorHandler'>,
  handler: Handler<E, Who>,
): void {
  const { params, query, body, takesKey, isUpload } = endpoint as Endpoint
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    ...hooks,
    handler: async (request, reply) => {
      const subject = who(request)
      // The parser of forms is registered for all calls, but only uploads may send a form.
      if (isUpload !== true && FORM.test(request.headers['content-type'] ?? ''))
        return sendRefused(reply, refuse('UNSUPPORTED_TYPE'))
      const call = {
        subject,
        params: params === undefined ? undefined : decode('params', params, request.params),
        query: query === undefined ? undefined : decode('query', query, request.query),
        body: body === undefined ? undefined : decode('body', body, request.body),
        ip: parseAddress(request.ip) ?? request.ip,
        userAgent: request.headers['user-agent'] ?? null,
        request,
        idempotencyKey: takesKey === true ? idempotencyKeyOf(request) : null,
      } as Call<E, Who>
      return sendAnswer(endpoint, request, reply, await handler(call))
    },
  })
}

function handlePublic<E extends Endpoint>(serving: Serving, endpoint: E, handler: Handler<E, null>): void {
  const { kept, answeredMs } = serving
  const answer = async (call: Call<E, null>) => {
    const handled = await handler(call)
    if (!(handled instanceof PublicAnswer)) return handled
    return new PublicText(textOf(endpoint, handled.answer), handled.caching)
  }
  const answerOnce = (call: Call<E, null>) =>
    endpoint.method === 'GET' ? kept(call.request.url, () => answer(call)) : answer(call)
  const who = () => null
  register(serving, endpoint, who, {}, (call) => inTime(call.request, () => answerOnce(call) as never, answeredMs))
}

function handleSignedIn<E extends Endpoint>(serving: Serving, endpoint: E, handler: Handler<E, Subject>): void {
  const { db, acts, reads, answeredMs, asksForFactors, authenticate } = serving
  const { needsFreshFactor, method, isUpload } = endpoint as Endpoint
  const turns = isUpload === true ? null : method === 'GET' ? reads : acts
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // A full queue is noticed before a query is spent on the session.
    const token = parseToken(request.headers.authorization)
    if (token !== null && turns?.isFull(token.userId) === true) return sendRefused(reply, await tooMany())
    const judge = async () => {
      const judged = await judgeAccess(authenticate, endpoint, token)
      if (isRefused(judged) || needsFreshFactor !== true) return judged
      if (!asksForFactors && judged.role === 'admin') return judged
      return (await isFactorFresh(db, judged)) ? { ...judged, needsFreshFactor } : refuse('FACTOR_REQUIRED')
    }
    const subject = await inTime(request, judge, answeredMs)
    if (isRefused(subject)) return sendRefused(reply, subject)
    request.subject = subject
    serving.onSessionUsed(subject.sessionId)
    return undefined
  }
  const who = (request: FastifyRequest) => request.subject as Subject
  register(serving, endpoint, who, { onRequest }, (call) => {
    // An upload has no time limit here, because its body arrives while the handler runs.
    if (turns === null) return handler(call)
    const work = (isLate: () => boolean) => inTurn(turns, call.subject.userId, () => handler(call), isLate)
    return inTime(call.request, work, answeredMs)
  })
}

function handleWithToken<E extends Endpoint>(serving: Serving, endpoint: E, handler: Handler<E, ParsedToken>): void {
  const { authenticate, acts, answeredMs } = serving
  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    request.token = parseToken(request.headers.authorization)
    if (request.token === null) sendRefused(reply, refuse('UNAUTHORIZED'))
    else done()
  }
  // A caller with an invalid token must not learn how the body is malformed. For a well-formed request the handler
  // checks the session, so only a malformed one costs an extra query.
  const errorHandler = async (error: unknown, request: FastifyRequest) => {
    const status = refusals[toRefused(error).code].status
    const subject = MALFORMED.has(status) ? await judgeAccess(authenticate, endpoint, request.token) : null
    throw isRefused(subject) ? subject : error
  }
  const who = (request: FastifyRequest) => request.token as ParsedToken
  register(serving, endpoint, who, { onRequest, errorHandler }, (call) => {
    const { userId } = call.subject
    if (acts.isFull(userId)) return tooMany()
    const work = async (isLate: () => boolean) => {
      // A call waits for its turn only with a valid session, so that invented tokens cannot delay an account's calls.
      if (acts.isBusy(userId) && (await authenticate(call.subject)) === null) return refuse('UNAUTHORIZED')
      return inTurn(acts, userId, () => handler(call), isLate)
    }
    return inTime(call.request, work, answeredMs)
  })
}

async function tooMany(): Promise<Refused<'TOO_MANY_REQUESTS'>> {
  await sleep(SENT_AWAY_AFTER_MS, undefined, { ref: false })
  return refuse('TOO_MANY_REQUESTS', undefined, 1)
}

const MALFORMED: ReadonlySet<number> = new Set([400, 413, 415])

async function judgeAccess(
  authenticate: Serving['authenticate'],
  endpoint: Endpoint,
  token: ParsedToken | null,
): Promise<Subject | Refused<SharedRefusal>> {
  const subject = token === null ? null : await authenticate(token)
  if (subject === null) return refuse('UNAUTHORIZED')
  return judgeAdmission(endpoint, subject) ?? subject
}

function decode(part: 'params' | 'query' | 'body', schema: Schema, wire: unknown): unknown {
  if (!isWithinBounds(wire))
    throw refuseFields({ path: part, message: 'Quá nhiều trường, phần tử hoặc tầng lồng nhau' })
  const result = z.safeDecode(schema, wire, { error: faultSentence })
  if (result.success) return result.data
  throw refuseIssues(result.error)
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > IDEMPOTENCY_KEY_MAX)
    throw refuseFields({ path: 'Idempotency-Key', message: `1–${IDEMPOTENCY_KEY_MAX} ASCII` })
  return key
}
