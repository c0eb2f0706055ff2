import { describe, expect, test } from 'vitest'
import { chooseSource, goldReopensAt, judgeQuote, liveClosedReason, NO_QUOTES } from './feed-state.ts'

/** Gold trades: a Wednesday. */
const NOW = Date.parse('2026-11-18T12:00:00Z')
const quote = (atMs: number) => ({ atMs, price: 4_000_000 })
const heard = (atMs: number) => judgeQuote(NO_QUOTES, quote(atMs), NOW).state

describe('betting in a live round', () => {
  test('is closed before the first quote and while the newest is older than 5 s', () => {
    expect(liveClosedReason(NO_QUOTES, NOW)).toBe('STALE')
    expect(liveClosedReason(heard(NOW), NOW + 5_000)).toBeNull()
    expect(liveClosedReason(heard(NOW), NOW + 5_001)).toBe('STALE')
    expect(liveClosedReason(heard(NOW - 3_600_000), NOW)).toBe('STALE')
  })

  test('an older quote takes nothing back', () => {
    const state = judgeQuote(heard(NOW), quote(NOW - 60_000), NOW).state
    expect(state.newestQuoteAtMs).toBe(NOW)
  })

  test('a quote from the future is dropped and closes betting until 10 s pass without one', () => {
    expect(judgeQuote(heard(NOW), quote(NOW + 100), NOW).isKept).toBe(true)
    const first = judgeQuote(heard(NOW), quote(NOW + 101), NOW)
    expect(first.isKept).toBe(false)
    expect(first.state.newestQuoteAtMs).toBe(NOW)
    expect(liveClosedReason(first.state, NOW)).toBe('AHEAD')
    const again = judgeQuote(first.state, quote(NOW + 60_000), NOW + 4_000).state
    const fresh = (nowMs: number) => judgeQuote(again, quote(nowMs), nowMs).state
    expect(liveClosedReason(fresh(NOW + 10_000), NOW + 10_000)).toBe('AHEAD')
    expect(liveClosedReason(fresh(NOW + 13_999), NOW + 13_999)).toBe('AHEAD')
    expect(liveClosedReason(fresh(NOW + 14_000), NOW + 14_000)).toBeNull()
  })
})

describe('the source of a round', () => {
  const choose = (state = heard(NOW), opensAtMs = NOW, nowMs = NOW) =>
    chooseSource('pyth', state, opensAtMs, opensAtMs + 60_000, nowMs)

  test('is live with gold open throughout and a quote of at most 5 s', () => {
    expect(choose()).toBe('pyth')
    expect(choose(heard(NOW - 5_000))).toBe('pyth')
    expect(choose(heard(NOW - 5_001))).toBe('simulated')
    expect(choose(NO_QUOTES)).toBe('simulated')
  })

  test('is simulated when gold closes before the round ends, and without a live source', () => {
    const closing = Date.parse('2026-11-18T22:00:00Z')
    const fresh = judgeQuote(NO_QUOTES, quote(closing), closing).state
    expect(choose(fresh, closing - 60_000, closing)).toBe('simulated')
    expect(choose(fresh, closing - 60_001, closing)).toBe('pyth')
    expect(chooseSource(null, heard(NOW), NOW, NOW + 30_000, NOW)).toBe('simulated')
  })
})

test('the reopening is told only while gold is shut and a live source is configured', () => {
  const saturday = Date.parse('2026-11-21T12:00:00Z')
  expect(goldReopensAt('pyth', saturday)).toBe(Date.parse('2026-11-22T23:00:00Z'))
  expect(goldReopensAt('pyth', NOW)).toBeNull()
  expect(goldReopensAt(null, saturday)).toBeNull()
})
