import { afterEach, expect, test, vi } from 'vitest'
import { uploadFile } from './upload.ts'
import { endSession } from '#web/platform/session.ts'
import { startAnew, writeAccessToken } from '#web/platform/storage.ts'

vi.mock('#web/platform/session.ts', () => ({ endSession: vi.fn<() => void>(), leaveIfOver: vi.fn<() => void>() }))

/** A request that ends as the test says, once it is sent. */
function answerWith(ending: 'load' | 'timeout', status = 0, response: unknown = null) {
  class Request extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = status
    readonly response = response
    open() {}
    setRequestHeader() {}
    getResponseHeader(name: string) {
      return { 'x-request-id': 'yeu-cau-7', 'retry-after': '9' }[name] ?? null
    }
    send() {
      queueMicrotask(() => this.dispatchEvent(new Event(ending)))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
}

afterEach(() => {
  startAnew()
  vi.unstubAllGlobals()
})

const upload = () =>
  uploadFile({ path: '/api/v1/files', refusals: ['UPLOADS_OF_DAY'], file: new Blob(['x']), onProgress: () => {} })

test('an upload that fails says as much as any other call: code, wait, and the request’s id of an internal error', async () => {
  answerWith('load', 429, { code: 'UPLOADS_OF_DAY', message: 'Mai gửi tiếp.' })
  await expect(upload()).rejects.toMatchObject({
    ...{ status: 429, code: 'UPLOADS_OF_DAY', message: 'Mai gửi tiếp.', retryAfterMs: 9_000 },
  })
  answerWith('load', 500, { code: 'INTERNAL', message: 'Máy chủ gặp lỗi.' })
  await expect(upload()).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('yeu-cau-7') })
  answerWith('load', 502)
  await expect(upload()).rejects.toMatchObject({ code: 'HTTP_502' })
  answerWith('timeout')
  await expect(upload()).rejects.toMatchObject({ status: 0, code: 'TIMED_OUT_LOCALLY' })
  answerWith('load', 200, { data: { url: '/a' } })
  await expect(upload()).resolves.toEqual({ url: '/a' })
})

test('a refused token ends the session, a refused file does not', async () => {
  writeAccessToken('the-token')
  answerWith('load', 429, { code: 'UPLOADS_OF_DAY', message: 'Mai gửi tiếp.' })
  await expect(upload()).rejects.toMatchObject({ status: 429 })
  expect(endSession).not.toHaveBeenCalled()
  answerWith('load', 401, { code: 'UNAUTHORIZED', message: 'Hãy đăng nhập lại.' })
  await expect(upload()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(endSession).toHaveBeenCalledOnce()
})
