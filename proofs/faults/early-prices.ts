import { setTimeout as sleep } from 'node:timers/promises'

/** Each process gets all calls once in this interval. */
const READ_EVERY_MS = 60
/** Around a step of a clock the servers' time is unknown for this long, besides the time that an answer took. */
const ANSWER_SLACK_MS = 20
const TICK_SLACK_MS = 100
/** A public answer may be this old (rules §6.3): it then has the prices that everybody knew at that time. */
const KEPT_MS = 3_000
/** Moves of the clock up to this are tolerated: rounds are found by their window. */
const WINDOW_MS = 250

/** A price that a socket received; `atMs` is by the machine's clock. */
export interface ToldPrice {
  readonly second: number
  readonly price: number
  readonly atMs: number
}

export interface PriceReading {
  /** The addresses of all processes that answer. */
  readonly urls: readonly string[]
  readonly token: string
  /** The servers' time at a moment of the machine's clock, Unix ms; null within `slackMs` of a step. */
  readonly timeAt: (machineMs: number, slackMs: number) => number | null
  /** Every price that was sent so far. */
  readonly told: readonly ToldPrice[]
  /** Every bet that was accepted so far, with its player's token. */
  readonly accepted: ReadonlyArray<{ readonly id: string; readonly token: string }>
}

export interface EarlyPrices {
  /** Prices that were visible before their second. */
  readonly early: readonly string[]
  /** How many answers and ticks were judged. */
  readonly judged: number
}

/**
 * Reads every answer that shows prices, at each process in turn, and judges it and every sent price by the servers'
 * time on arrival. Returns the function that ends it.
 */
export function readPrices({ urls, token, timeAt, told, accepted }: PriceReading): () => Promise<EarlyPrices> {
  const early: string[] = []
  let judged = 0
  let isStopped = false
  const isAhead: IsAhead = (price, nowMs) => {
    const seconds = told.filter((tick) => tick.price === price).map(({ second }) => second * 1000)
    return seconds.length > 0 && seconds.every((secondMs) => secondMs > nowMs)
  }
  const read = async (url: string, path: string, who: string, judge: Judge, keptMs = 0): Promise<void> => {
    const sentAtMs = Date.now()
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${who}` } })
    const { data = null } = (await response.json()) as { readonly data?: unknown }
    const gotAtMs = Date.now()
    const nowMs = timeAt(gotAtMs, gotAtMs - sentAtMs + ANSWER_SLACK_MS + keptMs)
    if (response.status !== 200 || data === null || nowMs === null) return
    judged++
    for (const what of judge(data as never, nowMs, isAhead))
      early.push(`${path.replace(/\?.*|[0-9a-f-]{36}/g, '')}: ${what}`)
  }
  const reading = (async () => {
    for (let turn = 0; !isStopped; turn++) {
      const url = urls[turn % urls.length] ?? ''
      const bet = accepted.at(-1 - (turn % 8))
      await Promise.all([
        ...READINGS.map(([path, judge, keptMs]) => read(url, path, token, judge, keptMs)),
        ...(bet === undefined
          ? []
          : [
              read(url, '/history/user?limit=5', bet.token, judgeBets),
              read(url, `/history/${bet.id}/ticks`, bet.token, judgeTicks),
            ]),
      ])
      await sleep(READ_EVERY_MS)
    }
  })()
  return async () => {
    isStopped = true
    await reading
    for (const { second, atMs } of told) {
      const nowMs = timeAt(atMs, TICK_SLACK_MS)
      if (nowMs !== null && second * 1000 > nowMs + 5) early.push('a tick of the socket')
    }
    return { early, judged: judged + told.length }
  }
}

type Fields = Readonly<Record<string, unknown>>
/** Whether this price belongs only to seconds after this moment of the servers' clock. */
type IsAhead = (price: number, nowMs: number) => boolean
/** Describes everything in an answer that could not be known yet at this moment of the servers' time. */
type Judge = (data: never, nowMs: number, isAhead: IsAhead) => string[]

const isLater = (instant: unknown, nowMs: number): boolean => typeof instant === 'string' && Date.parse(instant) > nowMs

const judgeRound = (round: Fields, nowMs: number): string[] => [
  ...(round['n1'] !== null && isLater(round['startTime'], nowMs) ? ['the opening price'] : []),
  ...(round['n2'] !== null && isLater(round['endTime'], nowMs) ? ['the closing price'] : []),
  ...(round['result'] !== null && isLater(round['endTime'], nowMs) ? ['the result'] : []),
  ...(isLater(round['startTime'], nowMs + WINDOW_MS) ? ['a round to come'] : []),
]
const judgeBets: Judge = (bets: readonly Fields[], nowMs) =>
  bets.flatMap((bet) => [
    ...(isLater(bet['entryAt'], nowMs) ? ['an entry'] : []),
    ...(bet['exitPrice'] !== null && isLater(bet['endTime'], nowMs) ? ['an exit'] : []),
  ])
const judgeTicks: Judge = ({ ticks }: { ticks: ReadonlyArray<{ second: number }> }, nowMs) =>
  ticks.some(({ second }) => second * 1000 > nowMs) ? ['a tick of a bet'] : []
const judgeCandles: Judge = ({ candles }: { candles: readonly Fields[] }, nowMs, isAhead) => {
  const last = candles.at(-1)
  if (last === undefined) return []
  if (isLater(last['openedAt'], nowMs)) return ['a candle to come']
  return ['high', 'low', 'close'].some((name) => isAhead(Number(last[name]), nowMs)) ? ['a price to come'] : []
}
const judgeCurrent: Judge = (round: Fields, nowMs) => [
  ...judgeRound(round, nowMs),
  ...(isLater((round['feed'] as Fields)['lastQuoteAt'], nowMs) ? ['the last price'] : []),
]

const READINGS: ReadonlyArray<readonly [path: string, judge: Judge, keptMs?: number]> = [
  ['/game/current?type=30s', judgeCurrent],
  ['/game/current?type=120s', judgeCurrent],
  ['/game/list-all?limit=8', (rounds: readonly Fields[], nowMs) => rounds.flatMap((round) => judgeRound(round, nowMs))],
  ['/market', ({ gold }: { gold: Fields }, nowMs) => (isLater(gold['quoteAt'], nowMs) ? ['the price of gold'] : [])],
  ['/market/candles?interval=1&limit=3', judgeCandles],
  ['/market/candles?interval=60&limit=3', judgeCandles],
  [
    '/market/seeds?limit=20',
    (days: readonly Fields[], nowMs) =>
      days.some(
        ({ day, seed, isPublicHistory }) =>
          seed !== null && isPublicHistory !== true && Date.parse(`${String(day)}T00:00:00Z`) + 86_400_000 > nowMs,
      )
        ? ['the seed of a day that is not over']
        : [],
    KEPT_MS,
  ],
]
