import { describe, expect, test } from 'vitest'
import { EPOCH_MS } from './calendar.ts'
import { decideDeleteRound, decideSetResult, type StaffRound } from './round.ts'

const closesAtMs = EPOCH_MS + 60_000
const round: StaffRound = {
  type: '60s',
  status: 'running',
  isDeleted: false,
  closesAtMs,
  staffDirection: null,
  isExitTold: false,
}
const inTimeMs = closesAtMs - 10_000

describe('announcing a result', () => {
  test('is possible while at least 10 seconds remain', () => {
    expect(decideSetResult(round, inTimeMs)).toBeNull()
    expect(decideSetResult(round, inTimeMs + 1)).toBe('TOO_LATE')
    expect(decideSetResult(round, closesAtMs - 1)).toBe('TOO_LATE')
  })

  test('is not possible once the price at the end is known, even when the clock was set back', () => {
    expect(decideSetResult({ ...round, isExitTold: true }, inTimeMs - 3_600_000)).toBe('TOO_LATE')
  })

  test('is possible only once', () => {
    expect(decideSetResult({ ...round, staffDirection: 'up' }, inTimeMs)).toBe('RESULT_ALREADY_SET')
    expect(decideSetResult({ ...round, staffDirection: 'up' }, closesAtMs - 1)).toBe('RESULT_ALREADY_SET')
  })

  test('is not possible once the round is over, even when its row still says running', () => {
    expect(decideSetResult(round, closesAtMs)).toBe('ROUND_ENDED')
    expect(decideSetResult({ ...round, status: 'settling' }, inTimeMs)).toBe('ROUND_ENDED')
    expect(decideSetResult({ ...round, status: 'ended', staffDirection: 'up' }, inTimeMs)).toBe('ROUND_ENDED')
  })

  test('is refused without a round', () => {
    expect(decideSetResult(null, inTimeMs)).toBe('ROUND_NOT_FOUND')
    expect(decideSetResult({ ...round, isDeleted: true }, inTimeMs)).toBe('ROUND_NOT_FOUND')
  })
})

describe('deleting a round', () => {
  test('voids a running one while at least 10 seconds remain', () => {
    expect(decideDeleteRound(round, inTimeMs)).toEqual({ ok: true, act: 'void' })
    expect(decideDeleteRound({ ...round, staffDirection: 'up' }, inTimeMs)).toEqual({ ok: true, act: 'void' })
    for (const nowMs of [inTimeMs + 1, closesAtMs, closesAtMs + 5000]) {
      expect(decideDeleteRound(round, nowMs)).toEqual({ ok: false, refusal: 'TOO_LATE' })
    }
  })

  test('does not void one whose price at the end is known, even when the clock was set back', () => {
    expect(decideDeleteRound({ ...round, isExitTold: true }, inTimeMs - 3_600_000)).toEqual({
      ok: false,
      refusal: 'TOO_LATE',
    })
  })

  test('waits for one that is settling', () => {
    expect(decideDeleteRound({ ...round, status: 'settling' }, closesAtMs + 1)).toEqual({
      ok: false,
      refusal: 'TOO_LATE',
    })
  })

  test('only hides an ended one: its bets stay as they were settled', () => {
    expect(decideDeleteRound({ ...round, status: 'ended' }, closesAtMs + 1e9)).toEqual({ ok: true, act: 'hide' })
  })

  test('is refused without a round', () => {
    for (const missing of [
      null,
      { ...round, isDeleted: true },
      { ...round, status: 'ended', isDeleted: true } as const,
    ]) {
      expect(decideDeleteRound(missing, inTimeMs)).toEqual({ ok: false, refusal: 'ROUND_NOT_FOUND' })
    }
  })
})
