import { seeded } from '#testing/run/seeded.ts'

export interface Chance {
  next(): number
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
