import { seeded } from '#testing/run/seeded.ts'

/** Repeatable randomness: the same seed makes the same world. */
export interface Chance {
  /** In [0, 1). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(values: readonly T[]): T
}

export function createChance(seed: number): Chance {
  const next = seeded(seed)
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    pick(values) {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new RangeError('There is nothing to pick from.')
      return value
    },
  }
}
