import { describe, expect, test } from 'vitest'
import { seeded } from '#testing/run/seeded.ts'
import { chanceOf, isBeyondChance, LUCK_ALPHA, LUCK_BETS_MIN } from './luck.ts'

/** The same by whole numbers alone. */
function exactChance(won: number, decided: number): number {
  const most = Math.max(won, decided - won)
  if (2 * most === decided) return 1
  let choose = 1n
  let sum = 0n
  for (let heads = 0; heads <= decided; heads++) {
    if (heads >= most) sum += choose
    choose = (choose * BigInt(decided - heads)) / BigInt(heads + 1)
  }
  return Number((2n * sum * 10n ** 40n) / 2n ** BigInt(decided)) / 1e40
}

/** The same tosses in every run, 32 a word. */
function tosses(seed: number): () => number {
  const next = seeded(seed)
  return () => next() * 2 ** 32
}

const onesOf = (word: number): number => {
  let rest = word
  let ones = 0
  for (; rest !== 0; rest &= rest - 1) ones += 1
  return ones
}

describe('the chance of a count', () => {
  test('is the binomial one, on both sides', () => {
    for (const decided of [1, 2, 3, 20, 63, 64, 65, 100, 400])
      for (let won = 0; won <= decided; won += decided > 100 ? 13 : 1) {
        const exact = exactChance(won, decided)
        // The whole numbers are cut off after 40 digits.
        if (exact > 1e-30) expect(chanceOf(won, decided) / exact).toBeCloseTo(1, 9)
        else expect(chanceOf(won, decided)).toBeLessThan(1.1e-30)
        expect(chanceOf(decided - won, decided)).toBe(chanceOf(won, decided))
      }
  })

  test('stays right among many bets', () => {
    // 6.334e-5 on the normal curve at four standard deviations; half a step further in, as counts are, 0.4 % more.
    expect(chanceOf(502_000, 1_000_000)).toBeCloseTo(6.361e-5, 8)
    expect(chanceOf(500_000, 1_000_000)).toBe(1)
    expect(chanceOf(1_000_000, 1_000_000)).toBe(0)
  })
})

describe('beyond chance', () => {
  const players = 10_000

  test('among 10,000 fair players 0.001 flags are expected at most, however much each of them plays', () => {
    for (const decided of [LUCK_BETS_MIN, 50, 100, 333, 1_000, 5_000]) {
      // The share of all series of a fair coin that would be flagged: those at least as far out as the first that is.
      let first = Math.ceil(decided / 2)
      while (first <= decided && !isBeyondChance(first, decided, players)) first += 1
      const share = first > decided ? 0 : chanceOf(first, decided)
      expect(share * players).toBeLessThan(LUCK_ALPHA)
    }
  })

  test('fair players who are simulated are not flagged, though many would be without the correction', () => {
    const next = tosses(20_261_123)
    let uncorrected = 0
    let flagged = 0
    // 100 worlds of 10,000 players with 160 bets each: 0.1 flags are expected at most.
    for (let player = 0; player < 100 * players; player++) {
      let won = 0
      for (let word = 0; word < 5; word++) won += onesOf(next())
      if (won > 100 || won < 60) uncorrected += Number(chanceOf(won, 160) < LUCK_ALPHA)
      flagged += Number(isBeyondChance(won, 160, players))
    }
    expect(uncorrected).toBeGreaterThan(500)
    expect(flagged).toBeLessThanOrEqual(1)
  })

  test('finds who wins, or loses, what chance does not give', () => {
    expect(isBeyondChance(260, 400, players)).toBe(true)
    expect(isBeyondChance(140, 400, players)).toBe(true)
    expect(isBeyondChance(230, 400, players)).toBe(false)
    expect(isBeyondChance(230, 400, 1)).toBe(false)
    expect(isBeyondChance(235, 400, 1)).toBe(true)
    // Nine of ten are seldom, but ten bets are too few to say anything.
    expect(isBeyondChance(10, 10, 1)).toBe(false)
  })

  test('whoever is beyond chance is at least three standard deviations from the middle', () => {
    // The server asks the database for these alone.
    for (let decided = LUCK_BETS_MIN; decided <= 3_000; decided++) {
      const near = Math.floor((decided + 3 * Math.sqrt(decided)) / 2)
      expect(isBeyondChance(Math.min(near, decided), decided, 1)).toBe(false)
    }
  })
})
