import { expect, test } from 'vitest'
import { createFloodMeter } from './socket-flood.ts'

/** When a connection that sends these numbers of frames in successive seconds is cut off, in ms; null for never. */
function cutOffAt(framesOfSeconds: readonly number[]): number | null {
  const judgeFrame = createFloodMeter()
  for (const [second, frames] of framesOfSeconds.entries())
    for (let index = 0; index < frames; index++) {
      const nowMs = second * 1_000 + (index * 1_000) / frames
      if (judgeFrame(10, nowMs) === 'flood') return Math.floor(nowMs)
    }
  return null
}

test.each([
  [[201, 201, 201, 201], 3_000],
  [[5_000, 5_000, 5_000, 5_000], 3_000],
  [[10, 300, 300, 300, 300], 4_000],
  [[200, 200, 200, 200, 200, 200], null],
  [[5_000, 0, 0, 0, 1], null],
  [[300, 300, 10, 300, 300, 10, 300, 300, 10], null],
  [[5_000, 5_000, 5_000], null],
])('%j frames in a second each: %s', (frames, cutOff) => {
  expect(cutOffAt(frames)).toBe(cutOff)
})

test('a thousand frames, or a megabyte, are enough for a second', () => {
  const verdicts = (count: number, length: number) => {
    const judgeFrame = createFloodMeter()
    return Array.from({ length: count }, () => judgeFrame(length, 5)).indexOf('enough')
  }
  expect(verdicts(2_000, 0)).toBe(1_000)
  expect(verdicts(999, 0)).toBe(-1)
  expect(verdicts(2_000, 64 * 1024)).toBe(15)
  const judgeFrame = createFloodMeter()
  for (let index = 0; index < 2_000; index++) judgeFrame(0, 5)
  expect(judgeFrame(0, 6)).toBe('fine')
  expect(
    Array.from({ length: 2_000 }, () => judgeFrame(0, 1_005)).filter((verdict) => verdict === 'enough'),
  ).toHaveLength(1)
})
