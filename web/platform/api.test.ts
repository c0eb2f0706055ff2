import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { identityEndpoints } from '#contract/identity.ts'
import { signInEndpoints } from '#contract/sign-in.ts'
import { walletEndpoints } from '#contract/wallet.ts'
import { callEndpoint, callRepeatable, sendRequest } from './api.ts'
import { earlyAnswers } from './early-calls.ts'
import { formatDay } from './formats.ts'
import { ApiError, failureText, newIdempotencyKey } from './http.ts'
import { resetServerTime, serverNowMs } from './server-time.ts'
import { endSession, leaveIfOver } from './session.ts'
import { startAnew, writeAccessToken } from './storage.ts'
import { commonTexts } from './texts.ts'
import { keptStore } from '#web/testing/kept-store.ts'

vi.mock('./session.ts', () => ({ endSession: vi.fn<() => void>(), leaveIfOver: vi.fn<() => void>() }))

type Seen = { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }
type Reply = {
  status: number
  body: string
  headers?: Record<string, string>
  /** Answered only once it is fulfilled. */
  held?: Promise<void>
}

let server: Server
let seen: Seen | undefined
let reply: Reply
const store = keptStore()
const { kept } = store
const realFetch = globalThis.fetch

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen = { method: request.method, url: request.url, headers: request.headers, body }
      const { status, headers, held = Promise.resolve() } = reply
      const text = reply.body
      void held.then(() => response.writeHead(status, headers).end(text))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

beforeEach(() => {
  const { port } = server.address() as AddressInfo
  // A browser resolves paths against the page; Node needs the host.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(`http://127.0.0.1:${port}${path}`, init))
  vi.stubGlobal('localStorage', store)
  kept.clear()
  startAnew()
  vi.clearAllMocks()
  seen = undefined
  reply = { status: 200, body: JSON.stringify({ statusCode: 200, message: 'OK', data: null }) }
})

afterEach(() => {
  resetServerTime()
  vi.unstubAllGlobals()
})

describe('an early call', () => {
  const early = (fields: { token?: string; text?: string; receivedAtMs?: number; status?: number } = {}) => {
    const controller = new AbortController()
    const answer = {
      response: new Response(null, { status: fields.status ?? 200 }),
      text: fields.text ?? '{"data":"early"}',
      sentAtMs: 1,
      receivedAtMs: fields.receivedAtMs ?? Date.now(),
    }
    globalThis.earlyCalls = new Map([
      ['/x?page=1', { token: fields.token ?? 'mine', controller, answer: Promise.resolve(answer) }],
    ])
    kept.set('access_token', 'mine')
    return controller
  }
  const ask = (page = 1) => sendRequest({ method: 'GET', path: `/x?page=${page}` })
  afterEach(() => {
    globalThis.earlyCalls = undefined
  })

  test('is used once; the next call goes to the server', async () => {
    early()
    expect((await ask()).body).toEqual({ data: 'early' })
    expect(seen).toBeUndefined()
    expect((await ask()).body).toMatchObject({ data: null })
    expect(seen?.url).toBe('/x?page=1')
  })

  test.each([
    ['on behalf of somebody else', { token: 'theirs' }],
    ['long ago', { receivedAtMs: Date.now() - 60_000 }],
  ])('%s is not used', async (_, fields) => {
    early(fields)
    expect((await ask()).body).toMatchObject({ data: null })
    expect(seen?.url).toBe('/x?page=1')
  })

  test('is not used for another path', async () => {
    early()
    await ask(2)
    expect(seen?.url).toBe('/x?page=2')
    expect(globalThis.earlyCalls?.size).toBe(1)
  })

  test('counts as pending until its caller has the answer', async () => {
    let arrive = (): void => {}
    const controller = early()
    const given = { response: new Response(), text: '{"data":"early"}', sentAtMs: 1, receivedAtMs: Date.now() }
    const answer = new Promise<typeof given>((resolve) => {
      arrive = () => resolve(given)
    })
    globalThis.earlyCalls = new Map([['/x?page=1', { token: 'mine', controller, answer }]])
    const told: string[] = []
    const drawn = earlyAnswers().then(() => told.push('drawn'))
    const asked = ask().then(() => told.push('asked'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(told).toEqual([])
    arrive()
    await Promise.all([drawn, asked])
    expect(told).toEqual(['asked', 'drawn'])
  })

  test('that failed to arrive is sent again', async () => {
    early()
    globalThis.earlyCalls = new Map([
      ['/x?page=1', { token: 'mine', controller: new AbortController(), answer: Promise.resolve(undefined) }],
    ])
    expect((await ask()).body).toMatchObject({ data: null })
  })

  test('that was refused fails like any other call, and ends a dead session', async () => {
    early({ status: 401, text: '{"code":"UNAUTHORIZED","message":"Hết phiên"}' })
    expect(await failureOf(ask())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(endSession).toHaveBeenCalledOnce()
    expect(seen).toBeUndefined()
  })

  test('that hangs ends with the time limit of its caller', async () => {
    const controller = early()
    const aborted = new Promise<undefined>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve(undefined))
    })
    globalThis.earlyCalls = new Map([['/x?page=1', { token: 'mine', controller, answer: aborted }]])
    const call = sendRequest({ method: 'GET', path: '/x?page=1', timeoutMs: 30 })
    expect(await failureOf(call)).toMatchObject({ status: 0, code: 'TIMED_OUT_LOCALLY' })
  })
})

/** The ApiError with which a call fails. */
async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`Expected an ApiError, got ${String(error)}`)
  return error
}

describe('an unexpected failure', () => {
  test('shows the request id for the operator; an expected refusal does not', async () => {
    const headers = { 'x-request-id': '3f9a1c-2k' }
    reply = { status: 500, headers, body: '{"statusCode":500,"code":"INTERNAL","message":"Có lỗi xảy ra"}' }
    expect((await failureOf(sendRequest({ method: 'GET', path: '/x' }))).message).toBe(
      'Có lỗi xảy ra (mã lỗi 3f9a1c-2k)',
    )
    reply = { status: 409, headers, body: '{"statusCode":409,"code":"STALE","message":"Đã thay đổi"}' }
    expect((await failureOf(sendRequest({ method: 'GET', path: '/x' }))).message).toBe('Đã thay đổi')
  })
})

describe('a request', () => {
  test('carries JSON, the current token and the idempotency key', async () => {
    kept.set('access_token', 'first')
    const call = { method: 'POST', path: '/api/v1/x', body: { a: 1 } } as const
    await sendRequest({ ...call, idempotencyKey: 'key-1' })
    expect(seen).toMatchObject({ method: 'POST', url: '/api/v1/x', body: '{"a":1}' })
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer first',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
    })
    writeAccessToken('second')
    await sendRequest({ method: 'GET', path: '/api/v1/x' })
    expect(seen?.headers.authorization).toBe('Bearer second')
    expect(seen?.headers['content-type']).toBeUndefined()
    startAnew()
    kept.clear()
    await sendRequest({ method: 'GET', path: '/api/v1/x' })
    expect(seen?.headers.authorization).toBeUndefined()
  })

  test('every new key is different', () => {
    expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
  })
})

describe('a failure', () => {
  test('keeps the server’s status, code, sentence and details', async () => {
    reply = {
      status: 422,
      body: JSON.stringify({ statusCode: 422, code: 'AMOUNT_LIMIT', message: 'Số điểm quá lớn', details: { max: 9 } }),
    }
    const error = await failureOf(sendRequest({ method: 'POST', path: '/x', refusals: ['AMOUNT_LIMIT'] }))
    expect(error).toMatchObject({ status: 422, code: 'AMOUNT_LIMIT', message: 'Số điểm quá lớn', details: { max: 9 } })
  })

  test('with an unknown code shows the sentence of the answer', async () => {
    reply = { status: 409, body: JSON.stringify({ statusCode: 409, code: 'NEW_RULE', message: 'Quy định mới' }) }
    const error = await failureOf(sendRequest({ method: 'POST', path: '/x', refusals: ['AMOUNT_LIMIT'] }))
    expect(error).toMatchObject({ status: 409, code: 'UNKNOWN' })
    expect(failureText(error, 'Không thể gửi')).toBe('Quy định mới')
  })

  test('with a shared refusal keeps its code', async () => {
    reply = { status: 403, body: JSON.stringify({ statusCode: 403, code: 'ACCOUNT_PAUSED', message: 'x' }) }
    expect(await failureOf(sendRequest({ method: 'GET', path: '/x' }))).toMatchObject({ code: 'ACCOUNT_PAUSED' })
  })

  test('an HTML page of a proxy becomes the general sentence, and Retry-After is read', async () => {
    reply = { status: 503, body: '<html>Bad gateway</html>', headers: { 'retry-after': '3' } }
    const error = await failureOf(sendRequest({ method: 'GET', path: '/x' }))
    expect(error).toMatchObject({ status: 503, code: 'HTTP_503', message: 'Có lỗi xảy ra', retryAfterMs: 3_000 })
  })

  test('an unreachable server has status 0', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await failureOf(sendRequest({ method: 'GET', path: '/x' }))
    expect(error).toMatchObject({ status: 0, code: 'NO_RESPONSE' })
  })

  test('a server that does not answer in time has status 0 as well', async () => {
    reply = { status: 200, body: '{}', held: new Promise(() => {}) }
    const error = await failureOf(sendRequest({ method: 'GET', path: '/x', timeoutMs: 30 }))
    expect(error).toMatchObject({ status: 0, code: 'TIMED_OUT_LOCALLY' })
  })

  test('a caller that aborts gets its own reason back, not an ApiError', async () => {
    reply = { status: 200, body: '{}', held: new Promise(() => {}) }
    const controller = new AbortController()
    const call = sendRequest({ method: 'GET', path: '/x', signal: controller.signal })
    controller.abort(new DOMException('left', 'AbortError'))
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await expect(sendRequest({ method: 'GET', path: '/x', signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('a 2xx that is not JSON is unreadable', async () => {
    reply = { status: 200, body: '<html>' }
    expect(await failureOf(sendRequest({ method: 'GET', path: '/x' }))).toMatchObject({ code: 'UNREADABLE' })
  })

  test('a refused token ends the session; a failed sign-in or a 401 to another session’s token does not', async () => {
    reply = { status: 401, body: JSON.stringify({ code: 'UNAUTHORIZED', message: 'x' }) }
    await failureOf(sendRequest({ method: 'POST', path: '/login' }))
    kept.set('access_token', 'mine')
    await failureOf(sendRequest({ method: 'POST', path: '/login', isPublic: true }))
    expect(seen?.headers['authorization']).toBeUndefined()
    await failureOf(sendRequest({ method: 'POST', path: '/logout', token: 'theirs' }))
    expect(seen?.headers['authorization']).toBe('Bearer theirs')
    expect(endSession).not.toHaveBeenCalled()
    await failureOf(sendRequest({ method: 'GET', path: '/x' }))
    expect(endSession).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['another user’s', () => kept.set('access_token', 'theirs')],
    ['gone', () => kept.delete('access_token')],
  ])('once the token is %s, an answer under way is dropped and nothing more is sent', async (_, replace) => {
    kept.set('access_token', 'mine')
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    reply = { status: 200, body: '{"data":"of the one before"}', held }
    const late = failureOf(sendRequest({ method: 'GET', path: '/x' }))
    await vi.waitFor(() => expect(seen?.headers['authorization']).toBe('Bearer mine'))
    replace()
    answer()
    expect(await late).toMatchObject({ status: 401, code: 'SESSION_OVER' })
    seen = undefined
    expect(await failureOf(sendRequest({ method: 'GET', path: '/x' }))).toMatchObject({ code: 'SESSION_OVER' })
    expect(seen).toBeUndefined()
    expect(leaveIfOver).toHaveBeenCalledTimes(2)
    expect(endSession).not.toHaveBeenCalled()
  })
})

describe('a call of the contract', () => {
  test('uses wire names outside and our names inside', async () => {
    reply.body = JSON.stringify({
      statusCode: 200,
      message: 'OK',
      data: { access_token: 'abc', mustChangePassword: false },
    })
    const input = { username: 'lan', password: 'secret1', passwordAgain: 'secret1', referralCode: 'KIMPHIEN' }
    const answer = await callEndpoint(signInEndpoints.register, { body: input })
    expect(answer).toEqual({ accessToken: 'abc', mustChangePassword: false })
    expect(seen?.url).toBe('/api/v1/auth/register')
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      username: 'lan',
      password: 'secret1',
      rePassword: 'secret1',
      code: 'KIMPHIEN',
    })
  })

  test('a list answers its rows, in our names and units, with their meta', async () => {
    const row = {
      _id: 'r1',
      position: 1,
      reason: 'WELCOME',
      walletDelta: 1000.5,
      balanceAfter: 1000.5,
      actor: 'system',
      ref: 'x',
      note: null,
      createdAt: '2026-11-21T08:00:00.000Z',
    }
    const meta = { total: 1, page: 2, limit: 10, hasMore: false }
    reply.body = JSON.stringify({ statusCode: 200, message: 'OK', data: [row], meta })
    const page = await callEndpoint(walletEndpoints.ledger, { query: { page: 2, limit: 10, reason: undefined } })
    expect(seen?.url).toBe('/api/v1/user/ledger?page=2&limit=10')
    expect(page.meta).toEqual(meta)
    expect(page.rows).toMatchObject([{ id: 'r1', deltaMinor: 100_050n, createdAtMs: Date.UTC(2026, 10, 21, 8) }])
  })

  test('an answer that does not fit the contract is unreadable', async () => {
    reply.body = JSON.stringify({ statusCode: 200, message: 'OK', data: [{ _id: 7 }], meta: {} })
    expect(await failureOf(callEndpoint(walletEndpoints.ledger, { query: {} }))).toMatchObject({ code: 'UNREADABLE' })
  })

  test('with half of a character fails as the server would refuse it, and is not sent', async () => {
    const body = { username: 'lan', password: 'x\ud83d' }
    expect(await failureOf(callEndpoint(signInEndpoints.login, { body }))).toMatchObject({
      status: 422,
      code: 'TEXT_INVALID',
      message: 'Nội dung có ký tự không đọc được. Vui lòng xoá ký tự đó rồi thử lại.',
    })
    expect(seen).toBeUndefined()
  })

  describe.each<{ kind: string; answer: Partial<Reply> | 'none'; isLost: boolean; said: string }>([
    { kind: 'none', answer: 'none', isLost: true, said: `Hỏng. ${commonTexts.serverUnreachable}` },
    { kind: 'one in another form', answer: { body: '{"data":7}' }, isLost: true, said: 'Hỏng' },
    { kind: 'a page of a proxy', answer: { status: 502, body: '<html>' }, isLost: true, said: 'Hỏng' },
    { kind: 'a refusal by a proxy', answer: { status: 413, body: '<html>' }, isLost: false, said: 'Hỏng' },
    {
      kind: 'a sentence of the server',
      answer: { status: 503, body: '{"code":"DATABASE_AWAY","message":"Chờ chút"}' },
      isLost: false,
      said: 'Chờ chút',
    },
  ])('whose answer is $kind', ({ answer, isLost, said }) => {
    const id = '018f2a3b-0000-7000-8000-000000000001'
    test.each([
      ['a question', () => callEndpoint(walletEndpoints.ledger, { query: {} }), said],
      ['a sign-in', () => callRepeatable(signInEndpoints.login, { body: { username: 'lan', password: 'x' } }), said],
      [
        'an act',
        () => callEndpoint(staffGameEndpoints.deleteRound, { params: { id } }),
        isLost ? commonTexts.unsure : said,
      ],
    ])('has a sentence as %s', async (_, call, sentence) => {
      if (answer === 'none') vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
      else reply = { ...reply, ...answer }
      expect(failureText(await failureOf(call()), 'Hỏng')).toBe(sentence)
    })
  })

  test('fills in the path', async () => {
    const id = '018f2a3b-0000-7000-8000-000000000001'
    reply.body = JSON.stringify({ statusCode: 200, message: 'OK', data: null })
    await callEndpoint(staffGameEndpoints.deleteRound, { params: { id } })
    expect(seen).toMatchObject({ method: 'DELETE', url: `/api/v1/game/${id}`, body: '' })
  })

  test('an answer with the server’s time updates the page’s clock', async () => {
    const aheadMs = 60_000
    reply.body = JSON.stringify({
      statusCode: 200,
      message: 'OK',
      data: {
        score: 1234.5,
        creditScore: 100,
        vip: null,
        isPaused: false,
        isWin: null,
        bank: [],
        rates: { '30s': 5, '60s': 7, '90s': 9, '120s': 12 },
        presetStakes: [10],
        serverTime: new Date(Date.now() + aheadMs).toISOString(),
      },
    })
    const config = await callEndpoint(identityEndpoints.config, {})
    expect(config).toMatchObject({ balanceMinor: 123_450n, isFrozen: false, scriptedOutcome: null })
    expect(Math.abs(serverNowMs() - Date.now() - aheadMs)).toBeLessThan(500)
  })

  test('an answer without the server’s time tells a device that is a day ahead which day it is', async () => {
    const rowAtMs = Date.now()
    vi.useFakeTimers({ now: rowAtMs + 86_400_000, toFake: ['Date'] })
    reply = { ...reply, headers: { date: new Date(rowAtMs).toUTCString() } }
    await sendRequest({ method: 'GET', path: '/x' })
    expect(formatDay(rowAtMs, serverNowMs())).toBe(commonTexts.today)
    vi.useRealTimers()
  })

  test('an answer that the browser may have kept for days says nothing about the day', async () => {
    reply = { ...reply, headers: { date: new Date(0).toUTCString(), 'cache-control': 'public, immutable' } }
    await sendRequest({ method: 'GET', path: '/x' })
    expect(formatDay(Date.now(), serverNowMs())).toBe(commonTexts.today)
  })
})
