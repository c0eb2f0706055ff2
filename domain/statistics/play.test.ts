import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BASES } from '../game/bet.ts'
import { ROUND_TYPES } from '../game/calendar.ts'
import { type EndedBet, joinAll, joinPlay, NO_PLAY, playOf, SITTING_GAP_MS, totalOf, typesOf } from './play.ts'

const bet = fc.record({
  type: fc.constantFrom(...ROUND_TYPES),
  basis: fc.constantFrom(...BASES, 'PRICE' as const, 'PRICE' as const),
  status: fc.constantFrom('won' as const, 'lost' as const, 'voided' as const),
  stakeMinor: fc.bigInt({ min: 100n, max: 10_000_000n }),
  profitMinor: fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
  lastsMs: fc.integer({ min: 0, max: 120_000 }),
  gapMs: fc.oneof(fc.integer({ min: 0, max: 2 * SITTING_GAP_MS }), fc.constantFrom(SITTING_GAP_MS, SITTING_GAP_MS + 1)),
})
const history = fc.array(bet, { maxLength: 60 }).map((made) => {
  let atMs = 0
  return made.map(({ gapMs, lastsMs, ...rest }): EndedBet => {
    const acceptedAtMs = atMs + gapMs
    atMs = acceptedAtMs + lastsMs
    return { ...rest, acceptedAtMs, endedAtMs: atMs }
  })
})
const whole = (bets: readonly EndedBet[]) => joinAll(bets.map(playOf))

describe('a stretch of play', () => {
  test('is the same however it is cut', () => {
    fc.assert(
      fc.property(history, fc.nat(60), fc.nat(60), (bets, a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)]
        const parts = [bets.slice(0, first), bets.slice(first, second), bets.slice(second)].map(whole)
        const [x = NO_PLAY, y = NO_PLAY, z = NO_PLAY] = parts
        expect(joinPlay(joinPlay(x, y), z)).toEqual(whole(bets))
        expect(joinPlay(x, joinPlay(y, z))).toEqual(whole(bets))
      }),
    )
  })

  test('joined with nothing is itself', () => {
    fc.assert(
      fc.property(history, (bets) => {
        expect(joinPlay(NO_PLAY, whole(bets))).toEqual(whole(bets))
        expect(joinPlay(whole(bets), NO_PLAY)).toEqual(whole(bets))
      }),
    )
  })

  test('counts what a reader of the list counts', () => {
    fc.assert(
      fc.property(history, (bets) => {
        const play = whole(bets)
        const priced = bets.filter(({ basis }) => basis === 'PRICE')
        const decided = priced.filter(({ status }) => status !== 'voided')
        const sum = (some: readonly EndedBet[], of: 'stakeMinor' | 'profitMinor') =>
          some.reduce((total, each) => total + each[of], 0n)
        expect(totalOf(play)).toEqual({
          won: decided.filter(({ status }) => status === 'won').length,
          lost: decided.filter(({ status }) => status === 'lost').length,
          voided: priced.length - decided.length,
          stakedMinor: sum(decided, 'stakeMinor'),
          netMinor: sum(priced, 'profitMinor'),
        })
        expect(play.leftOut).toBe(bets.length - priced.length)
        expect(typesOf(play)).toEqual(ROUND_TYPES.filter((type) => priced.some((each) => each.type === type)))
        const letters = decided.map(({ status }) => (status === 'won' ? 'w' : 'l')).join('')
        const longest = (letter: string) =>
          Math.max(0, ...(letters.match(new RegExp(`${letter}+`, 'g')) ?? []).map(({ length }) => length))
        expect([play.longestWins, play.longestLosses]).toEqual([longest('w'), longest('l')])
        const after = (status: EndedBet['status']) => {
          const some = priced.filter(
            (_, at) => priced.slice(0, at).findLast((before) => before.status !== 'voided')?.status === status,
          )
          return { bets: some.length, stakedMinor: sum(some, 'stakeMinor') }
        }
        expect([play.afterWin, play.afterLoss]).toEqual([after('won'), after('lost')])
        let playedMs = 0
        for (const [at, { acceptedAtMs, endedAtMs }] of priced.entries()) {
          const gap = acceptedAtMs - (priced[at - 1]?.endedAtMs ?? Number.NEGATIVE_INFINITY)
          playedMs += endedAtMs - acceptedAtMs + (gap <= SITTING_GAP_MS ? gap : 0)
        }
        expect(play.playedMs).toBe(playedMs)
      }),
    )
  })

  test('lasts no time less than none when a clock was set back', () => {
    const back = playOf({
      type: '30s',
      basis: 'PRICE',
      status: 'won',
      stakeMinor: 100n,
      profitMinor: 5n,
      acceptedAtMs: 50_000,
      endedAtMs: 20_000,
    })
    expect(joinPlay(back, back).playedMs).toBe(0)
  })
})
