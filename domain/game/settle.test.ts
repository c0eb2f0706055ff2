import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { points } from '../money.ts'
import { BASES, DIRECTIONS } from './bet.ts'
import { EPOCH_MS, ROUND_TYPES } from './calendar.ts'
import {
  decideSettlement,
  entryTick,
  resultByPrice,
  type SettlingBet,
  type SettlingRound,
  type TickPrice,
} from './settle.ts'

const openSecond = EPOCH_MS / 1000 + 600
const closeSecond = openSecond + 30
const round: SettlingRound = { type: '30s', closesAtMs: closeSecond * 1000, staffDirection: null, isDeleted: false }
const bet: SettlingBet = {
  direction: 'up',
  stakeMinor: points(100),
  basis: 'PRICE',
  seenBasis: 'PRICE',
  scriptedOutcome: null,
  acceptedAtMs: (openSecond + 10) * 1000 + 400,
}

/** Ticks by seconds since the round opened: a price, or a price and how long before its second it was quoted, in ms. */
type Quotes = Readonly<Record<number, number | null | readonly [price: number, ageMs: number]>>
const ticks =
  (quotes: Quotes) =>
  (second: number): TickPrice | null => {
    const quote = quotes[second - openSecond]
    if (quote === undefined) return null
    if (quote === null) return { second, price: null, quoteAtMs: null }
    const [price, ageMs] = typeof quote === 'number' ? [quote, 100] : quote
    return { second, price, quoteAtMs: second * 1000 - ageMs }
  }
const noTicks = (second: number): never => {
  throw new Error(`Tick ${second} was read though no price decides.`)
}
/** The same price in every second of the round. */
const flat = (price: number): Quotes => Object.fromEntries(Array.from({ length: 31 }, (_, second) => [second, price]))

describe('the entry', () => {
  const entry = (quotes: Quotes, acceptedAtMs = bet.acceptedAtMs) =>
    entryTick(acceptedAtMs, round.closesAtMs, ticks(quotes))?.second ?? null
  const at = (second: number) => openSecond + second

  test('is the next second’s tick when its quote is younger than the acceptance', () => {
    expect(entry({ 10: 1, 11: 2, 12: 3 })).toBe(at(11))
  })

  test('is never a quote that the player could already have seen', () => {
    // Accepted at 10.400: quotes of 10.400 or earlier are known, a quote of 10.401 is not.
    expect(entry({ 11: [2, 600], 12: 3 })).toBe(at(12))
    expect(entry({ 11: [2, 599], 12: 3 })).toBe(at(11))
    expect(entry({ 11: [2, 1500], 12: [2, 1700], 13: 3 })).toBe(at(13))
  })

  test('is never the second of the acceptance itself', () => {
    expect(entry({ 10: 1, 11: 2 }, at(10) * 1000)).toBe(at(11))
  })

  test('skips seconds without a price', () => {
    expect(entry({ 11: null, 12: null, 14: 5 })).toBe(at(14))
  })

  test('lies before the end: the last tick can only be the exit', () => {
    expect(entry({ 29: 1 })).toBe(at(29))
    expect(entry({ 30: 1, 31: 2 })).toBeNull()
    expect(entry({ 29: 1, 30: 2 }, at(29) * 1000 + 1)).toBeNull()
  })

  test('does not exist without a tick', () => {
    expect(entry({})).toBeNull()
  })
})

describe('a bet by the price', () => {
  const settle = (quotes: Quotes, changes: Partial<SettlingBet> = {}) =>
    decideSettlement(round, { ...bet, ...changes }, ticks(quotes))

  test('wins upwards when the exit is above the entry, downwards when below', () => {
    expect(settle({ 11: 1000, 30: 1001 })).toMatchObject({ status: 'won', profitMinor: points(5) })
    expect(settle({ 11: 1000, 30: 999 })).toMatchObject({ status: 'lost', profitMinor: points(-5) })
    expect(settle({ 11: 1000, 30: 999 }, { direction: 'down' })).toMatchObject({
      status: 'won',
      profitMinor: points(5),
    })
    expect(settle({ 11: 1000, 30: 1001 }, { direction: 'down' })).toMatchObject({ status: 'lost' })
  })

  test('names the two ticks that decided it, and does not depend on the ticks between', () => {
    expect(settle({ 0: 1, 11: 1000, 20: 5000, 30: 1001 })).toEqual({
      status: 'won',
      voidReason: null,
      profitMinor: points(5),
      entry: { second: openSecond + 11, price: 1000, quoteAtMs: (openSecond + 11) * 1000 - 100 },
      exit: { second: closeSecond, price: 1001, quoteAtMs: closeSecond * 1000 - 100 },
    })
  })

  test('is void on a tie', () => {
    expect(settle(flat(4_000_000))).toMatchObject({ status: 'voided', voidReason: 'TIE', profitMinor: 0n })
  })

  test('is void without an entry or without an exit', () => {
    const missing: readonly Quotes[] = [{}, { 30: 1000 }, { 11: 1000 }, { 11: 1000, 30: null }, { 11: [1, 600], 30: 2 }]
    for (const quotes of missing) {
      expect(settle(quotes)).toMatchObject({ status: 'voided', voidReason: 'NO_TICK', profitMinor: 0n })
    }
    expect(settle({ 11: 1000 })).toMatchObject({ entry: { price: 1000 }, exit: null })
    expect(settle({ 30: 1000 })).toMatchObject({ entry: null, exit: { price: 1000 } })
  })

  test('an exit may be an old quote: only the entry must be younger than the bet', () => {
    expect(settle({ 11: 1000, 30: [1001, 1999] })).toMatchObject({ status: 'won' })
  })

  test('does not change when staff announce a result after it was placed', () => {
    expect(decideSettlement({ ...round, staffDirection: 'down' }, bet, ticks({ 11: 1, 30: 2 }))).toMatchObject({
      status: 'won',
    })
  })
})

describe('a bet decided by staff’s result or by a script', () => {
  const admin: SettlingBet = { ...bet, basis: 'ADMIN', seenBasis: 'ADMIN' }
  const scripted: SettlingBet = { ...bet, basis: 'SCRIPTED', seenBasis: 'SCRIPTED' }

  test('reads no tick', () => {
    for (const direction of DIRECTIONS) {
      expect(decideSettlement({ ...round, staffDirection: 'up' }, { ...admin, direction }, noTicks)).toEqual({
        status: direction === 'up' ? 'won' : 'lost',
        voidReason: null,
        profitMinor: direction === 'up' ? points(5) : points(-5),
        entry: null,
        exit: null,
      })
      for (const scriptedOutcome of ['win', 'lose'] as const) {
        expect(decideSettlement(round, { ...scripted, direction, scriptedOutcome }, noTicks)).toMatchObject({
          status: scriptedOutcome === 'win' ? 'won' : 'lost',
          entry: null,
          exit: null,
        })
      }
    }
  })

  test('never ties', () => {
    const staffRound = { ...round, staffDirection: 'up' } as const
    expect(decideSettlement(staffRound, admin, ticks(flat(7)))).toMatchObject({ status: 'won' })
    expect(decideSettlement(staffRound, { ...scripted, scriptedOutcome: 'lose' }, ticks(flat(7)))).toMatchObject({
      status: 'lost',
    })
  })

  test('falls back to the price when the disclosure does not match', () => {
    const rising = ticks({ 11: 1000, 30: 1001 })
    for (const basis of BASES) {
      for (const seenBasis of BASES) {
        const outcome = decideSettlement(
          { ...round, staffDirection: 'down' },
          { ...bet, basis, seenBasis, scriptedOutcome: 'lose' },
          rising,
        )
        // The price says won; the script and staff's result say lost.
        const isByPrice = basis !== seenBasis || basis === 'PRICE'
        expect([basis, seenBasis, outcome.status]).toEqual([basis, seenBasis, isByPrice ? 'won' : 'lost'])
        expect(outcome.entry === null).toBe(!isByPrice)
      }
    }
  })
})

test('a deleted round voids every bet, whatever its basis', () => {
  for (const basis of BASES) {
    const deleted = { ...round, isDeleted: true, staffDirection: 'up' } as const
    expect(decideSettlement(deleted, { ...bet, basis, seenBasis: basis, scriptedOutcome: 'win' }, noTicks)).toEqual({
      status: 'voided',
      voidReason: 'ROUND_DELETED',
      profitMinor: 0n,
      entry: null,
      exit: null,
    })
  }
})

test('agrees with an independent second implementation of the rule, over any ticks', () => {
  // null: a tick without a price; undefined: no tick.
  const quote = fc.oneof(
    fc.constant(null),
    fc.constant(undefined),
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 1999 })),
  )
  fc.assert(
    fc.property(
      fc.array(quote, { minLength: 31, maxLength: 31 }),
      fc.integer({ min: 0, max: 28_999 }),
      fc.constantFrom(...DIRECTIONS),
      (quotes, sinceOpenMs, direction) => {
        const acceptedAtMs = openSecond * 1000 + sinceOpenMs
        const read = ticks(
          Object.fromEntries(quotes.flatMap((value, second) => (value === undefined ? [] : [[second, value]]))),
        )
        const known = quotes.flatMap((value, second) =>
          value ? [{ second, price: value[0], atMs: second * 1000 - value[1] }] : [],
        )
        const entry = known.find(({ second, atMs }) => second < 30 && second * 1000 > sinceOpenMs && atMs > sinceOpenMs)
        const exit = known.find(({ second }) => second === 30)
        const expected =
          entry === undefined || exit === undefined
            ? 'NO_TICK'
            : entry.price === exit.price
              ? 'TIE'
              : (exit.price > entry.price ? 'up' : 'down') === direction
                ? 'won'
                : 'lost'
        const outcome = decideSettlement(round, { ...bet, direction, acceptedAtMs }, read)
        expect(outcome.voidReason ?? outcome.status).toBe(expected)
        expect(outcome.entry?.second ?? null).toBe(entry === undefined ? null : openSecond + entry.second)
      },
    ),
    { numRuns: 3000 },
  )
})

test('mirrored prices give the mirrored direction the same outcome: the house favours no side', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(...ROUND_TYPES),
      (first, last, type) => {
        const up = decideSettlement({ ...round, type }, bet, ticks({ 11: first, 30: last }))
        const down = decideSettlement({ ...round, type }, { ...bet, direction: 'down' }, ticks({ 11: last, 30: first }))
        expect([up.status, up.profitMinor]).toEqual([down.status, down.profitMinor])
      },
    ),
  )
})

test('a round’s own result is its closing price against its opening price, null on a tie or a missing tick', () => {
  expect([resultByPrice(1, 2), resultByPrice(2, 1), resultByPrice(2, 2)]).toEqual(['up', 'down', null])
  expect([resultByPrice(null, 2), resultByPrice(1, null), resultByPrice(null, null)]).toEqual([null, null, null])
})
