import { expect, test } from 'vitest'
import { createFloodMeter } from './socket-flood.ts'

/** When a connection that sends so many frames in each of these seconds is cut off, in ms; null for never. */
function cutOffAt(framesOfSeconds: readonly number[]): number | null {
  const isFlood = createFloodMeter()
  for (const [second, frames] of framesOfSeconds.entries())
    for (let index = 0; index < frames; index++) {
      const nowMs = second * 1_000 + (index * 1_000) / frames
      if (isFlood(nowMs)) return Math.floor(nowMs)
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
