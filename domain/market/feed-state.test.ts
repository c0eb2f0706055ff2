import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chooseSource,
  type FeedState,
  goldReopensAt,
  judgeQuote,
  type JudgedQuote,
  liveClosedReason,
  NO_QUOTES,
  pricingQuote,
  type QuoteVerdict,
  withTick,
} from './feed-state.ts'
import type { Quote } from './tick.ts'

/** A Wednesday, when gold trades. */
const NOW = Date.parse('2026-11-18T12:00:00Z')
const SECOND = NOW / 1000
const GOLD = 4_000_000
const quote = (atMs: number, price = GOLD): Quote => ({ atMs, price })

/** A feed that priced every second of the last minute up to `atMs`, with a quote of that moment. */
const good = (atMs: number, price = GOLD): FeedState => {
  let state = NO_QUOTES
  const second = Math.floor(atMs / 1000)
  for (let s = second - 60; s <= second; s++) state = withTick(state, { second: s, price, quoteAtMs: s * 1000 })
  return judgeQuote(state, quote(atMs, price), atMs).state
}

/** Judges quotes, in thousandths of gold's price, that arrive every `everyMs` at the time of their own stamp. */
function hear(before: FeedState, prices: readonly number[], fromMs: number, everyMs = 1_000) {
  const verdicts: QuoteVerdict[] = []
  let state = before
  for (const [index, price] of prices.entries()) {
    const atMs = fromMs + index * everyMs
    const judged = judgeQuote(state, quote(atMs, price), atMs)
    state = judged.state
    verdicts.push(judged.verdict)
  }
  return { state, verdicts }
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('betting in a live round', () => {
  test('is closed before the first quote and while the newest is older than 5 s', () => {
    expect(liveClosedReason(NO_QUOTES, NOW)).toBe('STALE')
    expect(liveClosedReason(good(NOW), NOW + 5_000)).toBeNull()
    expect(liveClosedReason(good(NOW), NOW + 5_001)).toBe('STALE')
    expect(liveClosedReason(judgeQuote(NO_QUOTES, quote(NOW - 3_600_000), NOW).state, NOW)).toBe('STALE')
  })

  test('does not depend on an older quote that arrives later', () => {
    const { state, verdict } = judgeQuote(good(NOW), quote(NOW - 60_000, 3 * GOLD), NOW)
    expect(verdict).toBe('old')
    expect(state).toEqual(good(NOW))
  })

  test('a quote from the future is dropped and closes betting until 10 s pass without one', () => {
    expect(judgeQuote(good(NOW), quote(NOW + 100), NOW).verdict).toBe('accepted')
    const first = judgeQuote(good(NOW), quote(NOW + 101), NOW)
    expect(first.verdict).toBe('ahead')
    expect(first.state.newestQuoteAtMs).toBe(NOW)
    expect(liveClosedReason(first.state, NOW)).toBe('AHEAD')
    const again = judgeQuote(first.state, quote(NOW + 60_000), NOW + 4_000).state
    const fresh = (nowMs: number) => judgeQuote(again, quote(nowMs), nowMs).state
    expect(liveClosedReason(fresh(NOW + 10_000), NOW + 10_000)).toBe('AHEAD')
    expect(liveClosedReason(fresh(NOW + 13_999), NOW + 13_999)).toBe('AHEAD')
    expect(liveClosedReason(fresh(NOW + 14_000), NOW + 14_000)).toBeNull()
  })
})

describe('a quote far from the last accepted one', () => {
  test('is one more than 2 % away, up or down', () => {
    const verdictOf = (price: number) => judgeQuote(good(NOW), quote(NOW + 1_000, price), NOW + 1_000).verdict
    expect([GOLD * 1.02, GOLD * 1.02 + 1, GOLD * 0.98, GOLD * 0.98 - 1].map(verdictOf)).toEqual([
      'accepted',
      'held',
      'accepted',
      'held',
    ])
  })

  test('the first quote of an installation is no jump: it is accepted, and opens nothing by itself', () => {
    const { state, verdict } = judgeQuote(NO_QUOTES, quote(NOW, 1), NOW)
    expect(verdict).toBe('accepted')
    expect(liveClosedReason(state, NOW)).toBe('UNPRICED')
  })

  test('a spike is held back, and closes betting until 10 quotes over 5 s agree where the price was before', () => {
    const spike = hear(good(NOW), [3 * GOLD], NOW + 1_000)
    expect(spike.verdicts).toEqual(['held'])
    expect(liveClosedReason(spike.state, NOW + 1_000)).toBe('JUMP')
    const nearly = hear(spike.state, times(9, GOLD), NOW + 2_000)
    // These quotes are near the last accepted one, so they price their seconds meanwhile.
    expect(nearly.verdicts).toEqual(times(9, 'accepted'))
    expect(liveClosedReason(nearly.state, NOW + 10_000)).toBe('JUMP')
    const over = hear(nearly.state, [GOLD], NOW + 11_000)
    expect(liveClosedReason(over.state, NOW + 11_000)).toBeNull()
  })

  test('a real move is held back until 10 quotes over 5 s agree there; the last of them is the accepted one', () => {
    const monday = Math.round(GOLD * 1.031)
    const { state, verdicts } = hear(good(NOW), times(11, monday), NOW + 1_000)
    expect(verdicts).toEqual([...times(9, 'held'), 'accepted', 'accepted'])
    expect(liveClosedReason(state, NOW + 11_000)).toBeNull()
    expect(judgeQuote(state, quote(NOW + 12_000), NOW + 12_000).verdict).toBe('held')
  })

  test('10 quotes within less than 5 s are not enough, by their own timestamps and by their times of arrival', () => {
    const quick = hear(good(NOW), times(13, 3 * GOLD), NOW + 1_000, 400)
    expect(liveClosedReason(quick.state, NOW + 5_800)).toBe('JUMP')
    expect(hear(quick.state, [3 * GOLD], NOW + 6_200).verdicts).toEqual(['accepted'])
    // A feed that repeats one quote does not count as agreement.
    let stuck = good(NOW)
    for (let n = 0; n < 100; n++) stuck = judgeQuote(stuck, quote(NOW + 500, 3 * GOLD), NOW + 600 + n * 40).state
    expect(liveClosedReason(stuck, NOW + 4_600)).toBe('JUMP')
    // A feed that sends delayed quotes in one burst has not been watched for 5 s.
    const heldUp = times(20, 3 * GOLD).reduce(
      (state, price, n) => judgeQuote(state, quote(NOW + n * 400, price), NOW + 8_000 + n).state,
      good(NOW),
    )
    expect(liveClosedReason(heldUp, NOW + 8_100)).toBe('JUMP')
  })

  test('a quote that disagrees by more than 0.5 % restarts the count', () => {
    const base = 3 * GOLD
    const { verdicts } = hear(good(NOW), [...times(5, base), base * 1.005, ...times(4, base)], NOW + 1_000)
    expect(verdicts.at(-1)).toBe('accepted')
    const broken = hear(good(NOW), [...times(5, base), base * 1.005 + 1, ...times(4, base)], NOW + 1_000)
    expect(broken.verdicts.at(-1)).toBe('held')
  })

  test('a feed that swings between two prices stays closed and gives only the old one', () => {
    const swinging = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 3 * GOLD : GOLD))
    const { state, verdicts } = hear(good(NOW), swinging, NOW + 1_000)
    expect(verdicts).toEqual(Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 'held' : 'accepted')))
    expect(liveClosedReason(state, NOW + 100_000)).toBe('JUMP')
  })

  test('a late quote is judged like any other, and the next quotes are still compared with the younger one', () => {
    const late = judgeQuote(good(NOW), quote(NOW - 500, GOLD * 1.01), NOW + 100)
    expect(late.verdict).toBe('accepted')
    expect(late.state.accepted).toEqual(quote(NOW))
    expect(judgeQuote(good(NOW), quote(NOW - 500, 3 * GOLD), NOW + 100).verdict).toBe('held')
  })

  test('its seconds have no price, even where an older quote lies in their window', () => {
    const received = [
      { ...quote(NOW - 800), isHeld: false },
      { ...quote(NOW - 300, 3 * GOLD), isHeld: true },
    ]
    expect(pricingQuote(received, SECOND)).toBeNull()
    expect(pricingQuote(received, SECOND + 1)).toBeNull()
    expect(pricingQuote(received.slice(0, 1), SECOND)).toBe(received[0])
    expect(pricingQuote([...received, { ...quote(NOW - 100), isHeld: false }], SECOND)).toMatchObject({ price: GOLD })
    expect(pricingQuote([], SECOND)).toBeNull()
  })
})

describe('the stored ticks', () => {
  const tick = (second: number, price: number | null, quoteAtMs = price === null ? null : second * 1000) => ({
    second,
    price,
    quoteAtMs,
  })

  test('are the reference of a process that starts: it holds back a feed that jumped meanwhile', () => {
    const restarted = withTick(NO_QUOTES, tick(SECOND - 3 * 86_400, GOLD))
    expect(judgeQuote(restarted, quote(NOW, 3 * GOLD), NOW).verdict).toBe('held')
    expect(judgeQuote(restarted, quote(NOW, GOLD * 1.01), NOW).verdict).toBe('accepted')
  })

  test('a younger tick of another process becomes the reference for the next quotes', () => {
    const state = withTick(good(NOW), tick(SECOND + 1, GOLD * 1.019))
    expect(judgeQuote(state, quote(NOW + 1_500, GOLD * 1.03), NOW + 1_500).verdict).toBe('accepted')
    // A tick of this process, or one of an older quote, changes nothing.
    expect(withTick(good(NOW), tick(SECOND + 1, GOLD * 1.01, NOW)).accepted).toEqual(quote(NOW))
  })

  test('one that is a jump for this process closes betting here until its own quotes agree', () => {
    const state = withTick(good(NOW), tick(SECOND + 1, 3 * GOLD))
    expect(liveClosedReason(state, NOW + 1_000)).toBe('JUMP')
    expect(hear(state, times(10, 3 * GOLD), NOW + 2_000).verdicts).toEqual(times(10, 'accepted'))
    const there = hear(state, times(10, 3 * GOLD), NOW + 2_000).state
    expect(liveClosedReason(there, NOW + 11_000)).toBeNull()
  })

  test('another process that reached an agreement earlier does not reset the count of this process', () => {
    const nearly = hear(good(NOW), times(9, 3 * GOLD), NOW + 1_000)
    const told = withTick(nearly.state, tick(SECOND + 10, 3 * GOLD + 5))
    expect(told.jump).not.toBeNull()
    expect(hear(told, [3 * GOLD], NOW + 10_500).state.jump).toBeNull()
  })

  test('two seconds in a row without a price close betting, and five with one reopen it', () => {
    const closedAfter = (...prices: readonly (number | null)[]) => {
      let state = good(NOW)
      prices.forEach((price, n) => (state = withTick(state, tick(SECOND + 1 + n, price))))
      return liveClosedReason(judgeQuote(state, quote(NOW + 2_000), NOW + 2_000).state, NOW + 2_000)
    }
    expect(closedAfter(null)).toBeNull()
    expect(closedAfter(null, GOLD, null, GOLD, null)).toBeNull()
    expect(closedAfter(null, null)).toBe('UNPRICED')
    expect(closedAfter(null, null, ...times(4, GOLD))).toBe('UNPRICED')
    expect(closedAfter(null, null, ...times(4, GOLD), null, ...times(4, GOLD))).toBe('UNPRICED')
    expect(closedAfter(null, null, ...times(5, GOLD))).toBeNull()
  })

  test('seconds without a row had no price', () => {
    const open = good(NOW)
    const after = (second: number) => withTick(open, tick(second, GOLD)).seconds.areTooFew
    expect([SECOND, SECOND + 1, SECOND + 2].map(after)).toEqual([false, false, false])
    expect(after(SECOND + 3)).toBe(true)
    // The clock stepped back: the count continues from the present second.
    const back = [1, 2].reduce((state, n) => withTick(state, tick(SECOND - 60 + n, null)), open)
    expect(back.seconds.areTooFew).toBe(true)
  })
})

/** One arrival in a test of arbitrary feeds: a price, the time since the previous quote, and the delay, in ms. */
interface Arrival {
  readonly price: number
  readonly afterMs: number
  readonly lateMs: number
  readonly repeats: number
}
const arrivals: fc.Arbitrary<Arrival[]> = fc.array(
  fc.record({
    price: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 3_995_000, max: 4_005_000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 11_990_000, max: 12_010_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2_000_000_000 }) },
    ),
    afterMs: fc.integer({ min: 0, max: 1_500 }),
    lateMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -3_000, max: 8_000 })),
    repeats: fc.integer({ min: 1, max: 16 }),
  }),
  { maxLength: 40 },
)

interface Judged extends JudgedQuote {
  readonly cameAtMs: number
  readonly verdict: QuoteVerdict
  readonly before: FeedState
  readonly after: FeedState
}

/** Each quote with its verdict and the state after it. */
function judgeAll(feed: readonly Arrival[]) {
  let nowMs = NOW
  let state = good(NOW)
  const judged: Judged[] = []
  for (const { price, afterMs, lateMs, repeats } of feed)
    for (let n = 0; n < repeats; n++) {
      nowMs += afterMs
      const one = quote(nowMs - lateMs, price)
      const { state: after, verdict } = judgeQuote(state, one, nowMs)
      judged.push({ ...one, cameAtMs: nowMs, isHeld: verdict === 'held', verdict, before: state, after })
      state = after
    }
  return { judged, nowMs }
}

const doAgree = (quotes: readonly Judged[]): boolean => {
  const prices = quotes.map(({ price }) => price)
  const stamps = quotes.map(({ atMs }) => atMs)
  return (
    quotes.length >= 10 &&
    Math.max(...stamps) - Math.min(...stamps) >= 5_000 &&
    (quotes.at(-1)?.cameAtMs ?? 0) - (quotes[0]?.cameAtMs ?? 0) >= 5_000 &&
    Math.max(...prices) <= Math.min(...prices) * 1.005
  )
}

describe('for any feed', () => {
  test('an accepted quote lies within 2 % of the one accepted before, or is the tenth that agrees', () => {
    fc.assert(
      fc.property(arrivals, (feed) => {
        const { judged } = judgeAll(feed)
        judged.forEach(({ price, verdict, before }, index) => {
          if (verdict !== 'accepted') return
          const last = before.accepted?.price ?? price
          if (Math.abs(price - last) <= last * 0.02) return
          const counted = judged.slice(0, index + 1).filter((one) => one.verdict === 'accepted' || one.isHeld)
          expect(counted.some((_, from) => doAgree(counted.slice(from)))).toBe(true)
        })
      }),
    )
  })

  test('betting is closed from every quote held back until 10 in a row agree, and not for longer', () => {
    fc.assert(
      fc.property(arrivals, (feed) => {
        const counted = judgeAll(feed).judged.filter((one) => one.verdict === 'accepted' || one.isHeld)
        let heldAt: number | null = null
        counted.forEach(({ isHeld, after }, index) => {
          if (isHeld) {
            heldAt ??= index
            expect(after.jump).not.toBeNull()
          }
          if (heldAt === null) return
          const since = counted.slice(heldAt, index + 1)
          if (after.jump === null) {
            expect(since.some((_, from) => doAgree(since.slice(from)))).toBe(true)
            heldAt = null
          } else {
            // 40 quotes that all agree contain one run of 10, wherever the count began.
            const enough = since.slice(-40)
            const half = Math.ceil(enough.length / 2)
            if (enough.length === 40 && doAgree(enough))
              expect(doAgree(enough.slice(0, half)) && doAgree(enough.slice(half))).toBe(false)
          }
        })
      }),
    )
  })

  test('no second is ever priced by a quote that was held back, stamped in the future or overtaken', () => {
    fc.assert(
      fc.property(arrivals, (feed) => {
        const { judged, nowMs } = judgeAll(feed)
        const received = judged.filter(({ verdict }) => verdict === 'accepted' || verdict === 'held')
        for (let second = SECOND; second <= nowMs / 1000 + 4; second++) {
          const picked = pricingQuote(received, second)
          if (picked !== null) expect(picked.verdict).toBe('accepted')
        }
      }),
    )
  })

  test('the seconds close and reopen as in an implementation that counts from the beginning each time', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (priced) => {
        let state = good(NOW)
        let isClosed = false
        priced.forEach((isPriced, n) => {
          state = withTick(state, {
            second: SECOND + 1 + n,
            price: isPriced ? GOLD : null,
            quoteAtMs: isPriced ? NOW + (1 + n) * 1000 : null,
          })
          const until = [...times(60, true), ...priced.slice(0, n + 1)]
          if (until.slice(-2).every((one) => !one)) isClosed = true
          else if (until.slice(-5).every((one) => one)) isClosed = false
          expect(state.seconds.areTooFew).toBe(isClosed)
        })
      }),
    )
  })

  test('two processes that each receive a part of a feed soon agree again, and no spike is stored', () => {
    /** For each second: the provider's price, and which of the two processes receives it and writes the row. */
    const second = fc.record({
      isSpike: fc.boolean(),
      hears: fc.tuple(fc.boolean(), fc.boolean()),
      writer: fc.integer({ min: 0, max: 1 }),
    })
    fc.assert(
      fc.property(fc.array(second, { maxLength: 30 }), fc.integer({ min: 900, max: 1_100 }), (storm, level) => {
        const calm = Math.round((GOLD * level) / 1000)
        const after = times(40, { isSpike: false, hears: [true, true] as const, writer: 0 })
        const processes = [good(NOW), good(NOW)]
        const received: JudgedQuote[][] = [[], []]
        let stormStored = 0
        let spikes = 0
        const weather = [...storm, ...after]
        weather.forEach(({ isSpike, hears, writer }, n) => {
          const s = SECOND + 1 + n
          // Ten spikes in a row received by one process would count as agreement.
          const price = n >= storm.length ? calm : isSpike && ++spikes < 10 ? 3 * GOLD : GOLD
          const told = quote(s * 1000 - 100, price)
          for (const [p, state] of processes.entries()) {
            if (hears[p] !== true) continue
            const judged = judgeQuote(state, told, s * 1000)
            processes[p] = judged.state
            received[p]?.push({ ...told, isHeld: judged.verdict === 'held' })
          }
          const row =
            [writer, 1 - writer].map((p) => pricingQuote(received[p] ?? [], s)).find((picked) => picked !== null) ??
            null
          if (row?.price === 3 * GOLD) stormStored++
          for (const [p, state] of processes.entries())
            processes[p] = withTick(state, { second: s, price: row?.price ?? null, quoteAtMs: row?.atMs ?? null })
        })
        expect(stormStored).toBe(0)
        const endMs = (SECOND + weather.length) * 1000
        for (const state of processes) {
          expect(liveClosedReason(state, endMs)).toBeNull()
          expect(state.accepted?.price).toBe(calm)
        }
      }),
    )
  })
})

describe('the source of a round', () => {
  const choose = (state = good(NOW), opensAtMs = NOW, nowMs = NOW) =>
    chooseSource('pyth', state, opensAtMs, opensAtMs + 60_000, nowMs)

  test('is live with gold open throughout and a quote of at most 5 s', () => {
    expect(choose()).toBe('pyth')
    expect(choose(good(NOW - 5_000))).toBe('pyth')
    expect(choose(good(NOW - 5_001))).toBe('simulated')
    expect(choose(NO_QUOTES)).toBe('simulated')
  })

  test('is simulated while betting in it would be closed from the first second', () => {
    expect(choose(hear(good(NOW - 1_000), [3 * GOLD], NOW).state)).toBe('simulated')
    const late = [1, 2].reduce(
      (state, n) => withTick(state, { second: SECOND + n, price: null, quoteAtMs: null }),
      good(NOW),
    )
    expect(choose(late)).toBe('simulated')
    expect(choose(judgeQuote(good(NOW), quote(NOW + 500), NOW).state)).toBe('simulated')
  })

  test('is simulated when gold closes before the round ends, and without a live source', () => {
    const closing = Date.parse('2026-11-18T22:00:00Z')
    const fresh = good(closing)
    expect(choose(fresh, closing - 60_000, closing)).toBe('simulated')
    expect(choose(fresh, closing - 60_001, closing)).toBe('pyth')
    expect(chooseSource(null, good(NOW), NOW, NOW + 30_000, NOW)).toBe('simulated')
  })
})

test('the reopening is reported only while gold is closed and a live source is configured', () => {
  const saturday = Date.parse('2026-11-21T12:00:00Z')
  expect(goldReopensAt('pyth', saturday)).toBe(Date.parse('2026-11-22T23:00:00Z'))
  expect(goldReopensAt('pyth', NOW)).toBeNull()
  expect(goldReopensAt(null, saturday)).toBeNull()
})
