import { createHash, hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY_SECONDS, simulatedPrices } from '#domain/market/simulated-path.ts'
import {
  drawRound,
  PRACTICE_DAY_SECOND,
  PRACTICE_ENTRY_SECOND,
  PRACTICE_EXIT_SECOND,
  practiceEnd,
  practiceRounds,
} from '#web/features/game/practice-rounds.ts'

/** The least difference between entry and exit, in thousandths of a dollar. */
const visible = 100
const perSide = 4

/** The public path of the day (server/features/market/seeds.ts), computed from its seed. */
function publicPrices(): Int32Array {
  const day = PRACTICE_DAY_SECOND / DAY_SECONDS
  const seed = createHash('sha256').update(`Kim Phiên, public history, day ${day}`).digest()
  const message = Buffer.alloc(36)
  message.set(seed)
  const hashAt = (position: number) => {
    message.writeUInt32BE(position, 32)
    return hash('sha256', message, 'buffer')
  }
  return simulatedPrices(hashAt, 4_000_000, 0, 3600)
}

test('the practice’s rounds are the first of their day that rose and fell, not a second of them invented', () => {
  const prices = publicPrices()
  const taken = { up: 0, down: 0 }
  const expected = Array.from({ length: 3600 / 30 - 1 }, (_, nth) => nth * 30).flatMap((start) => {
    const ofRound = [...prices.slice(start, start + PRACTICE_EXIT_SECOND + 1)]
    const difference = (ofRound[PRACTICE_EXIT_SECOND] ?? 0) - (ofRound[PRACTICE_ENTRY_SECOND] ?? 0)
    const side = difference > 0 ? 'up' : 'down'
    if (Math.abs(difference) < visible || taken[side] === perSide) return []
    taken[side] += 1
    return [{ opensAtMs: (PRACTICE_DAY_SECOND + start) * 1000, prices: ofRound }]
  })
  expect(taken).toEqual({ up: perSide, down: perSide })
  expect(practiceRounds).toEqual(expected)
})

test('whichever side is picked loses as often as it wins: every round is drawn as often', () => {
  const draws = Array.from({ length: 8000 }, (_, nth) => drawRound((nth + 0.5) / 8000))
  for (const round of practiceRounds) expect(draws.filter((drawn) => drawn === round)).toHaveLength(1000)
  expect(draws.filter((drawn) => practiceEnd(drawn) === 'up')).toHaveLength(4000)
  expect(() => drawRound(1)).toThrow(RangeError)
})
