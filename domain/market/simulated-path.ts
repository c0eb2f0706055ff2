import type { Price } from './prices.ts'

/**
 * The simulated price: a Brownian path over one UTC day that can be read at any second (rules §5.6), a pure function of
 * the day's seed and of yesterday's last price. Only + − × ÷ and square roots of IEEE doubles are used, in a fixed
 * order, so that every runtime gets the same digits.
 *
 * Position p of the path (0 … 86,400) belongs to second p − 1 of the day. Position 0 is yesterday's last tick, so the
 * move at midnight is like any other. The end is drawn first, then midpoints by halves (a Brownian bridge), each with
 * its own random number Z(p): one second costs at most 18 hashes, a whole day one hash per second.
 *
 *   W(86400) = √86400 · Z(86400)
 *   W(m) = W(a) + (W(b) − W(a)) · (m − a) / (b − a) + √((m − a)(b − m) / (b − a)) · Z(m),  m = ⌊(a + b) / 2⌋
 *   price = round(start + start · 0.009 / √86400 · W)
 *   Z(p) = z + (z³ − 3z) / 320, z the sum of the sixteen big-endian 16-bit words of hash(p), centred, of variance 1
 */
export const DAY_SECONDS = 86_400

export const DAILY_VOLATILITY = 0.009

/** Returns SHA-256 of the day's 32-byte seed followed by the position as 4 bytes, big-endian. */
export type PathHash = (position: number) => Uint8Array

const WORDS = 16
const WORD_MEAN = 65_535 / 2
const SUM_DEVIATION = Math.sqrt((WORDS * (65_536 * 65_536 - 1)) / 12)
const DAY_DEVIATION = Math.sqrt(DAY_SECONDS)

/**
 * Turns 32 bytes into a normally distributed number between −8 and 8. The cubic term corrects the excess kurtosis of
 * −0.075 that a sum of sixteen uniform words has.
 */
export function standardNormal(bytes: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < 2 * WORDS; i += 2) sum += (bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0)
  const z = (sum - WORDS * WORD_MEAN) / SUM_DEVIATION
  return z + (z * z * z - 3 * z) / 320
}

const levelAtEnd = (hash: PathHash): number => DAY_DEVIATION * standardNormal(hash(DAY_SECONDS))

function midLevel(hash: PathHash, from: number, fromLevel: number, to: number, toLevel: number, mid: number): number {
  const span = to - from
  const before = mid - from
  return (
    fromLevel +
    ((toLevel - fromLevel) * before) / span +
    Math.sqrt((before * (to - mid)) / span) * standardNormal(hash(mid))
  )
}

const priceAtLevel = (startPrice: Price, level: number): Price =>
  Math.round(startPrice + ((startPrice * DAILY_VOLATILITY) / DAY_DEVIATION) * level)

/** Returns the price of one second of a day's path. `startPrice`: yesterday's last. `secondOfDay`: 0 to 86,399. */
export function simulatedPrice(hash: PathHash, startPrice: Price, secondOfDay: number): Price {
  const position = secondOfDay + 1
  let [from, fromLevel, to, toLevel] = [0, 0, DAY_SECONDS, levelAtEnd(hash)]
  if (position === to) return priceAtLevel(startPrice, toLevel)
  for (;;) {
    const mid = (from + to) >> 1
    const level = midLevel(hash, from, fromLevel, to, toLevel, mid)
    if (mid === position) return priceAtLevel(startPrice, level)
    if (mid > position) [to, toLevel] = [mid, level]
    else [from, fromLevel] = [mid, level]
  }
}

export const lastSimulatedPrice = (hash: PathHash, startPrice: Price): Price =>
  priceAtLevel(startPrice, levelAtEnd(hash))

/** Returns the prices of [fromSecond, toSecond). Neighbouring seconds share the hashes that they both need. */
export function simulatedPrices(hash: PathHash, startPrice: Price, fromSecond: number, toSecond: number): Int32Array {
  const prices = new Int32Array(Math.max(0, toSecond - fromSecond))
  const [first, last] = [fromSecond + 1, toSecond]
  const put = (position: number, level: number): void => {
    if (position >= first && position <= last) prices[position - first] = priceAtLevel(startPrice, level)
  }
  const walk = (from: number, fromLevel: number, to: number, toLevel: number): void => {
    if (to - from < 2 || to <= first || from >= last) return
    const mid = (from + to) >> 1
    const level = midLevel(hash, from, fromLevel, to, toLevel, mid)
    put(mid, level)
    walk(from, fromLevel, mid, level)
    walk(mid, level, to, toLevel)
  }
  const endLevel = levelAtEnd(hash)
  put(DAY_SECONDS, endLevel)
  walk(0, 0, DAY_SECONDS, endLevel)
  return prices
}
