import type { Price } from './prices.ts'

export const CANDLE_MINUTES = [1, 60] as const
export type CandleMinutes = (typeof CANDLE_MINUTES)[number]

export interface Candle {
  /** Start in Unix seconds, a multiple of the candle's length; the candle covers [openedAt, openedAt + length). */
  readonly openedAt: number
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
}

export const candleOpening = (second: number, minutes: CandleMinutes): number =>
  second - (((second % (minutes * 60)) + minutes * 60) % (minutes * 60))

export const extendCandle = (candle: Candle | null, openedAt: number, price: Price): Candle =>
  candle === null
    ? { openedAt, open: price, high: price, low: price, close: price }
    : { ...candle, high: Math.max(candle.high, price), low: Math.min(candle.low, price), close: price }

/** Folds ticks of one source, in ascending order, into candles. An interval without a price gets no candle. */
export function foldCandles(
  ticks: Iterable<{ readonly second: number; readonly price: Price | null }>,
  minutes: CandleMinutes,
): Candle[] {
  const candles: Candle[] = []
  for (const { second, price } of ticks) {
    if (price === null) continue
    const openedAt = candleOpening(second, minutes)
    const current = candles.at(-1)?.openedAt === openedAt ? candles.pop() : null
    candles.push(extendCandle(current ?? null, openedAt, price))
  }
  return candles
}

/** Puts a gap, which has only `openedAt`, between two candles that are not neighbours (rules §5.7). */
export function withGaps(candles: readonly Candle[], minutes: CandleMinutes): (Candle | Pick<Candle, 'openedAt'>)[] {
  return candles.flatMap((candle, index) => {
    const before = candles[index - 1]
    const follows = before === undefined || before.openedAt + minutes * 60 === candle.openedAt
    return before === undefined || follows ? [candle] : [{ openedAt: before.openedAt + minutes * 60 }, candle]
  })
}
