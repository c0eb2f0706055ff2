import { expect, test } from 'vitest'
import { createMeasures } from './measures.ts'

test('latency counts from the time an act was due, in percentiles', () => {
  const measures = createMeasures(60)
  for (let n = 1; n <= 1_000; n++) {
    measures.begin('bet', 1_000, 1_000 + n / 2)
    measures.end('bet', 1_000, 1_000 + n, 'done')
  }
  const [bets] = measures.seen().summaries
  expect(bets?.count).toBe(1_000)
  expect(bets?.percentiles.get(50)).toBeCloseTo(500, -1)
  expect(bets?.percentiles.get(99)).toBeCloseTo(990, -1)
  expect(bets?.percentiles.get(99.9)).toBeCloseTo(999, -1)
  expect(bets?.maxMs).toBeCloseTo(1_000, -1)
  expect(bets?.meanMs).toBeCloseTo(500.5, -1)
  // Late by 0.5 to 500 ms: that is this program, and not the server.
  expect(measures.seen().lateness.p99Ms).toBeCloseTo(495, -1)
  // The plot ends where there are samples no more.
  expect(bets?.distribution.at(0)?.[0]).toBe(0)
  expect(bets?.distribution.at(-1)?.[0]).toBeGreaterThan(99.9)
  expect(bets?.distribution.at(-1)?.[0]).toBeLessThan(100)
})

test('a short server stall shows in the percentiles of a plan that did not wait for it', () => {
  // An act each 10 ms for 10 s is answered in 1 ms, but for one stall of 2 s, in which acts are due all the same.
  const measures = createMeasures(10)
  for (let dueMs = 0; dueMs < 10_000; dueMs += 10) {
    const answeredMs = dueMs >= 4_000 && dueMs < 6_000 ? 6_001 : dueMs + 1
    measures.end('look', dueMs, answeredMs, 'done')
  }
  const [looks] = measures.seen().summaries
  expect(looks?.percentiles.get(50)).toBeLessThan(2)
  expect(looks?.percentiles.get(90)).toBeGreaterThan(900)
  expect(looks?.percentiles.get(99)).toBeGreaterThan(1_800)
})

test('refusals, what was not sent and what nobody expects are counted apart', () => {
  const measures = createMeasures(10)
  measures.end('bet', 0, 5, 'refused', 'ROUND_CLOSING')
  measures.end('bet', 0, 5, 'refused', 'ROUND_CLOSING')
  measures.end('bet', 0, 5, 'not sent', 'a bet is open')
  measures.stumble('bet', 3_500, 'HTTP_502')
  measures.end('bet', 0, 4_000, 'done')
  measures.tick(3_500)
  measures.lose()
  const seen = measures.seen()
  expect(seen.counts).toEqual([
    { timed: 'bet', outcome: 'refused', code: 'ROUND_CLOSING', count: 2 },
    { timed: 'bet', outcome: 'not sent', code: 'a bet is open', count: 1 },
    { timed: 'bet', outcome: 'unexpected', code: 'HTTP_502', count: 1 },
  ])
  expect([seen.unexpected, seen.ticks, seen.lost, seen.done.get('bet')]).toEqual([1, 1, 1, 1])
  // What was not sent has no latency.
  expect(seen.summaries[0]?.count).toBe(3)
  expect(seen.windows.map(({ unexpected, ticks }) => [unexpected, ticks])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [0, 0],
  ])
})
