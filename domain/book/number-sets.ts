/* Sets of many whole numbers that take little memory if the numbers lie close together. */

export type StretchSet = ReturnType<typeof createStretchSet>

export function createStretchSet() {
  const stretches: { first: number; last: number }[] = []
  return {
    add(number: number): boolean {
      let at = stretches.length - 1
      while (at >= 0 && (stretches[at]?.first ?? 0) > number) at--
      const [below, above] = [stretches[at], stretches[at + 1]]
      if (below !== undefined && number <= below.last) return false
      const joinsBelow = below?.last === number - 1
      const joinsAbove = above?.first === number + 1
      if (joinsBelow && joinsAbove) {
        below.last = above.last
        stretches.splice(at + 1, 1)
      } else if (joinsBelow) below.last = number
      else if (joinsAbove) above.first = number
      else stretches.splice(at + 1, 0, { first: number, last: number })
      return true
    },
  }
}

const PAGE_BITS = 65_536

export function createBitSet() {
  const pages = new Map<number, Uint8Array>()
  return {
    add(number: number): void {
      const key = Math.floor(number / PAGE_BITS)
      const page = pages.get(key) ?? new Uint8Array(PAGE_BITS / 8)
      pages.set(key, page)
      const bit = number % PAGE_BITS
      page[bit >> 3] = (page[bit >> 3] ?? 0) | (1 << (bit & 7))
    },
    has(number: number): boolean {
      const bit = number % PAGE_BITS
      return (((pages.get(Math.floor(number / PAGE_BITS))?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
    },
  }
}
