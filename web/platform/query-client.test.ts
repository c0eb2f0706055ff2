import { expect, test } from 'vitest'
import { ApiError, isRetryable } from './http.ts'
import { queryClient, retryDelayMs, shouldRetryQuery } from './query-client.ts'

const failed = (status: number, retryAfterMs?: number) =>
  new ApiError({ status, code: 'UNKNOWN', message: 'x', retryAfterMs })

test.each([0, 408, 500, 503, 599])('status %s may be tried again', (status) => {
  expect(isRetryable(failed(status))).toBe(true)
})

test.each([400, 401, 403, 404, 409, 413, 422, 429, 600])('status %s may not', (status) => {
  expect(isRetryable(failed(status))).toBe(false)
})

test('an error that is not a failed call is a bug and is not retried', () => {
  expect(isRetryable(new TypeError('x'))).toBe(false)
  expect(isRetryable(undefined)).toBe(false)
})

test('a query is attempted three times in all', () => {
  expect([0, 1, 2].map((failures) => shouldRetryQuery(failures, failed(500)))).toEqual([true, true, false])
  expect(shouldRetryQuery(0, failed(404))).toBe(false)
})

test('the delay doubles, respects Retry-After and has a maximum', () => {
  expect([0, 1, 9].map((failures) => retryDelayMs(failures, failed(500)))).toEqual([1_000, 2_000, 10_000])
  expect(retryDelayMs(0, failed(503, 4_000))).toBe(4_000)
  expect(retryDelayMs(0, failed(503, 60_000))).toBe(10_000)
})

test('mutations are never retried automatically', () => {
  expect(queryClient.getDefaultOptions().mutations?.retry).toBe(false)
})
