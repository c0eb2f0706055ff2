import { hash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  DAILY_VOLATILITY,
  DAY_SECONDS,
  lastSimulatedPrice,
  type PathHash,
  simulatedPrice,
  simulatedPrices,
  standardNormal,
} from './simulated-path.ts'

const START = 4_000_000

/** The hash that the market uses, with a seed made from a word. */
function pathOf(word: string): PathHash {
  const message = Buffer.alloc(36)
  message.set(hash('sha256', word, 'buffer'))
  return (position) => {
    message.writeUInt32BE(position, 32)
    return hash('sha256', message, 'buffer')
  }
}

describe('the path', () => {
  const path = pathOf('a day')
  let day: Int32Array
  beforeAll(() => {
    day = simulatedPrices(path, START, 0, DAY_SECONDS)
  })

  test('never changes: a revealed seed must give the same ticks as before', () => {
    const seconds = [0, 1, 2, 3_599, 43_199, 43_200, 86_398, 86_399]
    expect(seconds.map((second) => simulatedPrice(path, START, second))).toMatchInlineSnapshot(`
      [
        4000018,
        4000081,
        4000080,
        4007650,
        4008012,
        4007972,
        3998534,
        3998367,
      ]
    `)
  })

  test('is the same whether read second by second, as any range or as the whole day', () => {
    fc.assert(
      fc.property(fc.nat(DAY_SECONDS - 1), fc.nat(200), (from, count) => {
        const to = Math.min(DAY_SECONDS, from + count)
        expect(simulatedPrices(path, START, from, to)).toEqual(day.subarray(from, to))
        expect(simulatedPrice(path, START, from)).toBe(day[from])
      }),
      {
        examples: [
          [0, 1],
          [DAY_SECONDS - 1, 1],
          [DAY_SECONDS / 2 - 1, 3],
        ],
      },
    )
  })

  test('ends where the next day starts', () => {
    expect(lastSimulatedPrice(path, START)).toBe(day[DAY_SECONDS - 1])
    const next = simulatedPrice(pathOf('the next day'), lastSimulatedPrice(path, START), 0)
    expect(Math.abs(next - (day[DAY_SECONDS - 1] ?? 0))).toBeLessThan(1_000)
  })

  test('costs at most 18 hashes a second, and about one in a range', () => {
    let hashes = 0
    const counted: PathHash = (position) => {
      hashes++
      return path(position)
    }
    let most = 0
    for (let second = 0; second < DAY_SECONDS; second += 97) {
      hashes = 0
      simulatedPrice(counted, START, second)
      most = Math.max(most, hashes)
    }
    expect(most).toBeLessThanOrEqual(18)
    hashes = 0
    simulatedPrices(counted, START, 36_000, 39_600)
    expect(hashes).toBeLessThan(3_600 + 40)
  })

  test('stays within 20 % of its start for any hashes', () => {
    const extremes = [new Uint8Array(32), new Uint8Array(32).fill(255)] as const
    const steered: readonly PathHash[] = [() => extremes[0], () => extremes[1]]
    for (const hashes of steered) {
      const prices = simulatedPrices(hashes, START, 0, DAY_SECONDS)
      expect(prices.every((price) => Math.abs(price - START) < START / 5)).toBe(true)
    }
  })

  test('goes down exactly where the mirrored path goes up', () => {
    const mirrored: PathHash = (position) => path(position).map((byte) => 255 - byte)
    const mirror = simulatedPrices(mirrored, START, 0, 20_000)
    for (let second = 0; second < 20_000; second++) {
      const sum = (day[second] ?? 0) + (mirror[second] ?? 0) - 2 * START
      // Half a thousandth rounds up in both paths.
      if (sum !== 0 && sum !== 1) expect.fail(`second ${second} is off by ${sum}`)
    }
  })
})

/**
 * Fairness, over 6 days of fixed seeds. Each figure is a z-score or a chi-square. A fair path crosses its threshold for
 * about one in ten thousand choices of seeds.
 */
describe('the moves are fair', () => {
  const DAYS = 6
  const Z_LIMIT = 3.9
  let days: Int32Array[]
  beforeAll(() => {
    days = Array.from({ length: DAYS }, (_, index) => simulatedPrices(pathOf(`fair ${index}`), START, 0, DAY_SECONDS))
  })
  /** Moves over steps of this many seconds that do not overlap. */
  const moves = (step: number): Int32Array[] =>
    days.map((prices) => {
      const found = new Int32Array(Math.floor((DAY_SECONDS - 1) / step))
      for (let index = 0; index < found.length; index++)
        found[index] = (prices[(index + 1) * step] ?? 0) - (prices[index * step] ?? 0)
      return found
    })
  const allMoves = (step: number): number[] => moves(step).flatMap((day) => [...day])
  const chiSquare = (counts: readonly number[], expected: readonly number[]): number =>
    counts.reduce((sum, count, index) => sum + (count - (expected[index] ?? 0)) ** 2 / (expected[index] ?? 1), 0)

  test.each([1, 7, 30, 60, 90, 120])('up as often as down over %i s', (step) => {
    const all = allMoves(step)
    const [up, down] = [all.filter((move) => move > 0).length, all.filter((move) => move < 0).length]
    expect(Math.abs(up - down) / Math.sqrt(up + down)).toBeLessThan(Z_LIMIT)
  })

  test.each([1, 30, 60, 120])('a move of %i s does not predict the next', (step) => {
    let [product, square, count] = [0, 0, 0]
    const pairs = [0, 0, 0, 0]
    for (const day of moves(step))
      for (let index = 1; index < day.length; index++) {
        const [before, now] = [day[index - 1] ?? 0, day[index] ?? 0]
        product += before * now
        square += now * now
        count++
        if (before !== 0 && now !== 0) pairs[(before > 0 ? 2 : 0) + (now > 0 ? 1 : 0)]! += 1
      }
    expect(Math.abs(product / square) * Math.sqrt(count)).toBeLessThan(Z_LIMIT)
    const quarter = pairs.reduce((sum, pair) => sum + pair, 0) / 4
    // Three degrees of freedom: 21.1 is crossed once in ten thousand.
    expect(chiSquare(pairs, [quarter, quarter, quarter, quarter])).toBeLessThan(21.1)
  })

  test('the sizes of moves are normal, with the volatility of gold', () => {
    const deviation = (START * DAILY_VOLATILITY) / Math.sqrt(DAY_SECONDS / 30)
    const all = allMoves(30)
    // Tenths of the normal distribution; ten thousand choices of seeds cross 33.7 once (nine degrees of freedom).
    const tenths = [-1.281552, -0.841621, -0.524401, -0.253347, 0, 0.253347, 0.524401, 0.841621, 1.281552]
    const counts = Array.from({ length: 10 }, () => 0)
    for (const move of all) counts[tenths.filter((bound) => move / deviation > bound).length]! += 1
    expect(
      chiSquare(
        counts,
        counts.map(() => all.length / 10),
      ),
    ).toBeLessThan(33.7)
  })

  test('nearly every second moves, and a round of 30 s hardly ever ties', () => {
    const still = (step: number): number => {
      const all = allMoves(step)
      return all.filter((move) => move === 0).length / all.length
    }
    expect(still(1)).toBeLessThan(0.004)
    expect(still(30)).toBeLessThan(0.002)
  })

  test('the random numbers have mean 0, variance 1 and no excess kurtosis', () => {
    const hashes = pathOf('numbers')
    const count = 100_000
    let [first, second, fourth] = [0, 0, 0]
    for (let position = 0; position < count; position++) {
      const z = standardNormal(hashes(position))
      first += z
      second += z * z
      fourth += z ** 4
    }
    expect(Math.abs(first / Math.sqrt(count))).toBeLessThan(Z_LIMIT)
    expect(Math.abs(second - count) / Math.sqrt(2 * count)).toBeLessThan(Z_LIMIT)
    expect(Math.abs(fourth - 3 * count) / Math.sqrt(96 * count)).toBeLessThan(Z_LIMIT)
  })
})
