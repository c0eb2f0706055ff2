import { describe, expect, test } from 'vitest'
import {
  cleanSentence,
  decideAnswer,
  decideOpening,
  DISPUTABLE_DAYS,
  disputableUntilMs,
  DISPUTE_TEXT_MAX,
  DISPUTES_PER_DAY,
} from './dispute.ts'

const settledAtMs = 1_700_000_000_000
const opening = {
  isStaff: false,
  text: 'Giá ra không giống biểu đồ',
  betStatus: 'lost',
  settledAtMs,
  nowMs: settledAtMs + 1000,
  isDisputed: false,
  openedLastDay: 0,
  seal: 'sealed',
} as const

describe('opening a dispute', () => {
  test('is allowed for a settled own bet, however it ended, also for one that no log can name', () => {
    for (const betStatus of ['won', 'lost', 'voided'] as const)
      expect(decideOpening({ ...opening, betStatus })).toBeNull()
    expect(decideOpening({ ...opening, seal: 'none' })).toBeNull()
  })

  test.each([
    [{ isStaff: true }, 'STAFF_CANNOT_PLAY'],
    [{ text: null }, 'REASON_REQUIRED'],
    [{ betStatus: 'open', settledAtMs: null }, 'BET_NOT_SETTLED'],
    [{ isDisputed: true }, 'DISPUTE_EXISTS'],
    [{ openedLastDay: DISPUTES_PER_DAY }, 'TOO_MANY_DISPUTES'],
    [{ seal: 'waiting' }, 'NOT_SEALED_YET'],
  ] as const)('with %j is refused', (change, refusal) => {
    expect(decideOpening({ ...opening, ...change })).toBe(refusal)
  })

  test('ends with the last moment of the thirtieth day', () => {
    const endMs = disputableUntilMs(settledAtMs)
    expect(endMs - settledAtMs).toBe(DISPUTABLE_DAYS * 24 * 3600 * 1000)
    expect(decideOpening({ ...opening, nowMs: endMs - 1 })).toBeNull()
    expect(decideOpening({ ...opening, nowMs: endMs })).toBe('DISPUTE_TOO_LATE')
  })
})

test('a sentence is trimmed to one line and has 1 to 300 characters', () => {
  expect(cleanSentence('  Giá ra\n sai \t rồi ')).toBe('Giá ra sai rồi')
  expect(cleanSentence(' \n ')).toBeNull()
  // Nothing that anybody sees: a space without width, a blank of Braille; and no word.
  for (const blank of ['\u200b', '\u2800', '...', '👍']) expect(cleanSentence(blank)).toBeNull()
  expect(cleanSentence('a'.repeat(DISPUTE_TEXT_MAX))).toHaveLength(DISPUTE_TEXT_MAX)
  expect(cleanSentence('a'.repeat(DISPUTE_TEXT_MAX + 1))).toBeNull()
  expect(cleanSentence('a\0b')).toBeNull()
  expect(cleanSentence('\ud83d')).toBeNull()
})

const answer = {
  status: 'open',
  isOwnDispute: false,
  verdict: 'upheld',
  text: 'Đúng, giá ra đã bị ghi sai',
  correctionMinor: 500n,
  stakeMinor: 1000n,
} as const

describe('answering a dispute', () => {
  test('upholds with a correction up to the stake, or rejects without one', () => {
    expect(decideAnswer(answer)).toBeNull()
    expect(decideAnswer({ ...answer, correctionMinor: 1000n })).toBeNull()
    expect(decideAnswer({ ...answer, correctionMinor: 1n })).toBeNull()
    expect(decideAnswer({ ...answer, verdict: 'rejected', correctionMinor: null })).toBeNull()
  })

  test.each([
    [{ status: 'upheld' }, 'ALREADY_DECIDED'],
    [{ status: 'rejected' }, 'ALREADY_DECIDED'],
    [{ isOwnDispute: true }, 'NOT_YOURSELF'],
    [{ text: null }, 'REASON_REQUIRED'],
    [{ correctionMinor: null }, 'AMOUNT_REQUIRED'],
    [{ correctionMinor: 0n }, 'AMOUNT_REQUIRED'],
    [{ correctionMinor: -1n }, 'AMOUNT_REQUIRED'],
    [{ correctionMinor: 1001n }, 'AMOUNT_LIMIT'],
    [{ verdict: 'rejected' }, 'AMOUNT_LIMIT'],
  ] as const)('a wrong answer is refused: %#', (change, refusal) => {
    expect(decideAnswer({ ...answer, ...change })).toBe(refusal)
  })
})
