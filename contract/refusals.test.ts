import { describe, expect, test } from 'vitest'
import { refusals } from './refusals.ts'

const entries = Object.entries(refusals)

describe('every refusal', () => {
  test.each(entries)('%s has a stable code, an error’s status and a sentence', (code, { status, message }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]).toContain(status)
    expect(message).toBe(message.trim().normalize('NFC'))
    expect(message.length).toBeGreaterThan(5)
  })

  test('has a code of its own', () => {
    expect(new Set(entries.map(([code]) => code)).size).toBe(entries.length)
    expect(entries.length).toBeGreaterThan(30)
  })
})

test('the statuses that rules and spec name', () => {
  const named: ReadonlyArray<readonly [code: keyof typeof refusals, status: number]> = [
    ['BAD_REQUEST', 400],
    ['BAD_JSON', 400],
    ['UNAUTHORIZED', 401],
    ['LOGIN_FAILED', 401],
    ['ACCOUNT_PAUSED', 403],
    ['MUST_CHANGE_PASSWORD', 403],
    ['STAFF_CANNOT_PLAY', 403],
    ['NOT_FOUND', 404],
    ['ROUND_NOT_FOUND', 404],
    ['DISCLOSURE_CHANGED', 409],
    ['KEY_REUSED', 409],
    ['RESULT_ALREADY_SET', 409],
    ['ROUND_ENDED', 409],
    ['STALE', 409],
    ['USER_HAS_OPEN_ITEMS', 409],
    ['TOO_LARGE', 413],
    ['UNSUPPORTED_TYPE', 415],
    ['AMOUNT_LIMIT', 422],
    ['LOSS_LIMIT', 422],
    ['STAKE_LIMIT', 422],
    ['TIMED_OUT', 422],
    ['TOO_LATE', 422],
    ['TOO_MANY_REQUESTS', 429],
    ['CLOCK_UNSURE', 503],
    ['LEDGER_CHECK_FAILED', 503],
    ['DATABASE_AWAY', 503],
  ]
  expect(named.filter(([code, status]) => refusals[code].status !== status)).toEqual([])
})
