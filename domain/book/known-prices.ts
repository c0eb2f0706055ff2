/*
 * Keeps the prices of the entries that were read, hour by hour, to find two different prices of one second
 * (docs/open-book.md §2). To limit memory, only the 96 hours of each source that were added last are kept.
 */

const HOUR = 3_600
const HOURS_KEPT = 96

interface Hour {
  /** The price of each second of the hour: 0 if the second was not seen, −1 if it was seen and has no price. */
  readonly prices: Int32Array
  readonly ages: Int16Array
}

export function createKnownPrices() {
  const sources = new Map<string, Map<number, Hour>>()
  return {
    /** Stores price and age of a second and returns null. For a known second, only returns the stored price and age. */
    note(source: string, second: number, price: number | null, age: number | null) {
      const hours = sources.get(source) ?? new Map<number, Hour>()
      sources.set(source, hours)
      const number = Math.floor(second / HOUR)
      let hour = hours.get(number)
      if (hour === undefined) {
        hour = { prices: new Int32Array(HOUR), ages: new Int16Array(HOUR) }
        hours.set(number, hour)
        if (hours.size > HOURS_KEPT) hours.delete(hours.keys().next().value ?? number)
      }
      const at = second % HOUR
      const known = hour.prices[at] ?? 0
      if (known !== 0)
        return { price: known < 0 ? null : known, age: (hour.ages[at] ?? 0) < 0 ? null : (hour.ages[at] ?? 0) }
      hour.prices[at] = price ?? -1
      hour.ages[at] = age ?? -1
      return null
    },
  }
}
