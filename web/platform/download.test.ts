import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { downloadFile } from './download.ts'
import { ApiError, clientErrorCodes } from './http.ts'
import { endSession } from './session.ts'
import { startAnew, writeAccessToken } from './storage.ts'

vi.mock('./session.ts', () => ({ endSession: vi.fn<() => void>(), leaveIfOver: vi.fn<() => void>() }))

const path = '/api/v1/files/a.png'
const sent: (string | null)[] = []
let answer: (signal: AbortSignal) => Promise<Response>

beforeEach(() => {
  writeAccessToken('the-token')
  vi.stubGlobal('fetch', (_: string, { headers, signal }: { headers: HeadersInit; signal: AbortSignal }) => {
    sent.push(new Headers(headers).get('authorization'))
    return answer(signal)
  })
})
afterEach(() => {
  startAnew()
  sent.length = 0
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A response that never arrives, as on a dead line. */
const silence = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

test('the request carries the token, and the answer is the bytes', async () => {
  answer = () => Promise.resolve(new Response('bytes', { headers: { 'content-type': 'image/png' } }))
  const blob = await downloadFile(path, new AbortController().signal)
  expect([await blob.text(), blob.type, sent]).toEqual(['bytes', 'image/png', ['Bearer the-token']])
})

test('a refusal and a dead line fail with different codes', async () => {
  const failure = (signal = new AbortController().signal) => downloadFile(path, signal).catch((error: unknown) => error)
  answer = () => Promise.resolve(new Response('{}', { status: 404 }))
  expect(await failure()).toMatchObject({ status: 404 })
  expect(endSession).not.toHaveBeenCalled()
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await failure()).toMatchObject({ status: 0, code: clientErrorCodes.noResponse })
  vi.useFakeTimers()
  answer = silence
  const waiting = failure()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await waiting).toMatchObject({ status: 0, code: clientErrorCodes.timedOut })
})

test('a refused token ends the session', async () => {
  answer = () => Promise.resolve(new Response('{"code":"UNAUTHORIZED"}', { status: 401 }))
  await expect(downloadFile(path, new AbortController().signal)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(endSession).toHaveBeenCalledOnce()
})

test('an abort is not an ApiError', async () => {
  answer = silence
  const controller = new AbortController()
  const waiting = downloadFile(path, controller.signal)
  controller.abort(new Error('scrolled away'))
  await expect(waiting).rejects.toThrow('scrolled away')
  await expect(waiting).rejects.not.toBeInstanceOf(ApiError)
})
