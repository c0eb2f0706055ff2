import type { FiguresBucket, OverviewFigures } from '#contract/overview-figures.ts'
import { dayOf } from '#domain/day.ts'
import { VOID_REASONS } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { BAND_DEVIATIONS } from '#domain/overview/figures.ts'
import {
  formatCount,
  formatDate,
  formatDateMinute,
  formatMinute,
  formatShare,
  formatSignedAmount,
  formatWholeAmount,
} from '#web/platform/formats.ts'
import {
  applying,
  count,
  duration,
  durationText,
  type FigureTable,
  type ListAddress,
  points,
  share,
  signedPoints,
} from './figure-table.ts'
import { figuresTexts as texts } from './figures-texts.ts'

/* The texts and figures of the overview's charts, computed from one answer of the server. */

export type Figures = Omit<OverviewFigures, 'serverTimeMs'>

export type Figure = {
  readonly title: string
  /** Sentences that explain the chart, the most important one first. */
  readonly sentences: readonly string[]
  readonly table: FigureTable
  readonly isEmpty: boolean
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const sumMinor = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/** The label of a bucket on the time axis: `14:00` or `22/11`. */
export const axisText = (kind: Figures['bucket'], fromMs: number): string =>
  kind === 'hour' ? formatMinute(fromMs) : formatDate(fromMs).slice(0, 5)

/** Names a bucket: `22/11/2026` for a day, `22/11/2026 14:00` for an hour. */
const bucketName = (kind: Figures['bucket'], { fromMs }: FiguresBucket): string =>
  kind === 'hour' ? formatDateMinute(fromMs) : formatDate(fromMs)

type Days = { readonly from: string; readonly to: string }
/** Returns the first and the last day of a bucket or range, because the lists filter by whole days only. */
const daysOf = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): Days => ({
  from: dayOf(fromMs),
  to: dayOf(toMs - 1),
})

const betsList = (days: Days, filters: Readonly<Record<string, string>> = {}): ListAddress => ({
  to: '/admin/history',
  search: { ...filters, ...days },
})
const requestsList = (days: Days): ListAddress => ({ to: '/admin/transaction', search: { status: 'all', ...days } })
const roundsList = (days: Days): ListAddress => ({ to: '/admin/game', search: { voids: 'yes', ...days } })

const byBucket = (
  { bucket: kind, buckets }: Figures,
  head: readonly string[],
  cells: (bucket: FiguresBucket) => FigureTable['rows'][number]['cells'],
  list: (days: Days) => ListAddress = betsList,
): FigureTable => ({
  head: [texts.time, ...head],
  rows: buckets.map((bucket) => ({
    name: bucketName(kind, bucket),
    address: list(daysOf(bucket)),
    cells: cells(bucket),
  })),
})

export function playersFigure(figures: Figures): Figure {
  const { bucket: kind, buckets } = figures
  const most = Math.max(0, ...buckets.map(({ active }) => active))
  const joined = sum(buckets.map((bucket) => bucket.joined))
  return {
    title: texts.players,
    sentences: [texts.playersReading(formatCount(most), texts.bucket[kind], formatCount(joined))],
    table: byBucket(figures, [texts.active, texts.joined], (bucket) => [count(bucket.active), count(bucket.joined)]),
    isEmpty: most + joined === 0,
  }
}

const betsIn = ({ buckets }: Figures): number => sum(buckets.map(({ bets }) => bets))

export function stakesFigure(figures: Figures): Figure {
  const bets = betsIn(figures)
  const staked = sumMinor(figures.buckets.map(({ stakedMinor }) => stakedMinor))
  return {
    title: texts.stakes,
    sentences: [texts.stakesReading(formatCount(bets), formatWholeAmount(staked))],
    table: byBucket(figures, [texts.staked, texts.bets], (bucket) => [points(bucket.stakedMinor), count(bucket.bets)]),
    isEmpty: bets === 0,
  }
}

/** Returns half the height of a band in minor units: `BAND_DEVIATIONS` of its kind times the standard deviation. */
export const bandOf = (deviationMinor: bigint, kind: keyof typeof BAND_DEVIATIONS): number =>
  Number(deviationMinor) * BAND_DEVIATIONS[kind]
const usual = (deviationMinor: bigint) => points(BigInt(Math.round(bandOf(deviationMinor, 'usual'))))

/** Says whether the profit is within the band `usual`, beyond `usual`, or beyond `rare`. */
function chanceSentence({ netSoFarMinor, expectedSoFarMinor, deviationSoFarMinor }: FiguresBucket): string {
  const off = Math.abs(Number(netSoFarMinor - expectedSoFarMinor))
  if (off <= bandOf(deviationSoFarMinor, 'usual')) return texts.within
  return off <= bandOf(deviationSoFarMinor, 'rare') ? texts.outside : texts.farOutside
}

export function netFigure(figures: Figures): Figure {
  const last = figures.buckets.at(-1)
  const decided = sum(figures.buckets.map((bucket) => bucket.decided))
  const leftOut = sum(figures.buckets.map((bucket) => bucket.leftOut))
  return {
    title: texts.net,
    sentences: applying(
      last !== undefined &&
        `${texts.netReading(formatSignedAmount(last.netSoFarMinor), formatCount(decided))} ${chanceSentence(last)}`,
      leftOut > 0 && texts.leftOut(formatCount(leftOut)),
    ),
    table: byBucket(
      figures,
      [texts.netOf, texts.usual, texts.soFar, texts.usualSoFar, texts.decided],
      (bucket) => [
        signedPoints(bucket.netMinor),
        usual(bucket.deviationMinor),
        signedPoints(bucket.netSoFarMinor),
        usual(bucket.deviationSoFarMinor),
        count(bucket.decided),
      ],
      (days) => betsList(days, { basis: 'PRICE' }),
    ),
    isEmpty: decided === 0,
  }
}

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The table has 24 rows for each round type, sorted by type, then by hour. */
export function byHourFigure(figures: Figures): Figure {
  const rows = ROUND_TYPES.flatMap((type) =>
    HOURS.map((hour) => ({
      type,
      hour,
      ...(figures.byHour.find((pair) => pair.type === type && pair.hour === hour) ?? { bets: 0, stakedMinor: 0n }),
    })),
  )
  const top = rows.reduce((most, row) => (row.bets > most.bets ? row : most))
  return {
    title: texts.byHour,
    sentences: [texts.byHourReading(top.type, String(top.hour), formatCount(top.bets))],
    table: {
      head: [texts.roundType, texts.bets, texts.staked],
      rows: rows.map(({ type, hour, bets, stakedMinor }) => ({
        name: texts.cell(type, String(hour)),
        address: betsList(daysOf(figures), { type }),
        cells: [count(bets), points(stakedMinor)],
      })),
    },
    isEmpty: top.bets === 0,
  }
}

export function voidsFigure(figures: Figures): Figure {
  const bets = betsIn(figures)
  const byReason = {
    TIE: sum(figures.buckets.map(({ voids }) => voids.tie)),
    NO_TICK: sum(figures.buckets.map(({ voids }) => voids.noTick)),
    ROUND_DELETED: sum(figures.buckets.map(({ voids }) => voids.roundDeleted)),
  }
  const voids = sum(Object.values(byReason))
  return {
    title: texts.voids,
    sentences: [
      voids === 0
        ? texts.noVoids(formatCount(bets))
        : texts.voidsReading(formatCount(voids), formatCount(bets), share(voids, bets).text),
    ],
    table: {
      head: [texts.reason, texts.bets, texts.share],
      rows: VOID_REASONS.map((reason) => ({
        name: texts.voidReasons[reason],
        address: betsList(daysOf(figures), { status: 'voided', voidReason: reason }),
        cells: [count(byReason[reason]), share(byReason[reason], bets)],
      })),
    },
    isEmpty: bets === 0,
  }
}

const steps = ['filed', 'approved', 'rejected', 'cancelled'] as const
type Step = (typeof steps)[number]

export const requestsIn = ({ deposits, withdrawals }: FiguresBucket, step: Step): number =>
  deposits[step] + withdrawals[step]

export function requestsFigure(figures: Figures): Figure {
  const of = (step: Step) => sum(figures.requests.map((kind) => kind[step]))
  return {
    title: texts.requests,
    sentences: [
      texts.requestsReading(formatCount(of('filed')), formatCount(of('approved')), formatCount(of('rejected'))),
    ],
    table: byBucket(
      figures,
      [texts.filed, texts.approved, texts.rejected, texts.cancelled],
      (bucket) => steps.map((step) => count(requestsIn(bucket, step))),
      requestsList,
    ),
    isEmpty: steps.every((step) => of(step) === 0),
  }
}

const durations = (
  figures: Figures,
  what: 'waiting' | 'firstReply',
  list: (days: Days) => ListAddress,
): FigureTable => ({
  ...byBucket(
    figures,
    [texts.median, texts.p90, texts.measured],
    (bucket) => [duration(bucket[what].medianMs), duration(bucket[what].p90Ms), count(bucket[what].count)],
    list,
  ),
  csvHead: [texts.time, texts.units.inSeconds(texts.median), texts.units.inSeconds(texts.p90), texts.measured],
})

export function waitingFigure(figures: Figures): Figure {
  return {
    title: texts.waiting,
    sentences: figures.requests.flatMap(({ kind, waiting: { medianMs, p90Ms } }) =>
      medianMs === null || p90Ms === null
        ? []
        : [texts.waitingOf(texts.kinds[kind], durationText(medianMs), durationText(p90Ms))],
    ),
    table: durations(figures, 'waiting', requestsList),
    isEmpty: figures.buckets.every(({ waiting }) => waiting.count === 0),
  }
}

export function replyFigure(figures: Figures): Figure {
  const { medianMs, p90Ms } = figures.firstReply
  return {
    title: texts.reply,
    sentences:
      medianMs === null || p90Ms === null ? [] : [texts.replyReading(durationText(medianMs), durationText(p90Ms))],
    table: durations(figures, 'firstReply', () => ({ to: '/admin/chat' })),
    isEmpty: figures.buckets.every(({ firstReply }) => firstReply.count === 0),
  }
}

/** Returns a sentence if nothing has been recorded yet, or if recording began after the range's start; else false. */
const sinceSentence = (sinceMs: number | null, { fromMs }: Figures): string | false =>
  sinceMs === null ? texts.neverCounted : sinceMs > fromMs && texts.countedFrom(formatDateMinute(sinceMs))

export const REFUSALS_DRAWN = 6

export function refusalsFigure(figures: Figures): Figure {
  const { refusals: codes, refusalsFromMs } = figures
  const times = sum(codes.map((code) => code.times))
  return {
    title: texts.refusals,
    sentences: applying(
      refusalsFromMs !== null &&
        (times === 0 ? texts.noRefusals : texts.refusalsReading(formatCount(times), formatCount(codes.length))),
      refusalsFromMs !== null && codes.length > REFUSALS_DRAWN && texts.refusalsShown(formatCount(REFUSALS_DRAWN)),
      sinceSentence(refusalsFromMs, figures),
    ),
    table: {
      head: [texts.code, texts.times, texts.refusalSentence],
      rows: codes.map(({ code, sentence, times: n }) => ({
        name: code,
        ...(sentence !== code && { detail: sentence }),
        cells: [count(n), { text: sentence, csv: sentence }],
      })),
    },
    isEmpty: times === 0,
  }
}

export const FEED_STATES = ['open', 'silent', 'closed', 'unsure', 'off'] as const
export type FeedState = (typeof FEED_STATES)[number]
export const stateMs = ({ states }: FiguresBucket, state: FeedState): number => states[`${state}Ms`]

export function statesFigure(figures: Figures): Figure {
  const { buckets, statesFromMs } = figures
  const noted = sum(buckets.flatMap((bucket) => FEED_STATES.map((state) => stateMs(bucket, state))))
  const open = sum(buckets.map((bucket) => stateMs(bucket, 'open')))
  const ledgerClosed = sum(buckets.map(({ states }) => states.ledgerClosedMs))
  const heads = [...FEED_STATES.map((state) => texts[state]), texts.ledgerClosed]
  return {
    title: texts.states,
    sentences: applying(
      noted > 0 &&
        `${texts.statesReading(formatShare(open / noted))} ${
          ledgerClosed === 0 ? texts.ledgerNeverClosed : texts.ledgerReading(durationText(ledgerClosed))
        }`,
      sinceSentence(statesFromMs, figures),
    ),
    table: {
      ...byBucket(
        figures,
        heads,
        (bucket) => [
          ...FEED_STATES.map((state) => duration(stateMs(bucket, state))),
          duration(bucket.states.ledgerClosedMs),
        ],
        roundsList,
      ),
      csvHead: [texts.time, ...heads.map(texts.units.inSeconds)],
    },
    isEmpty: noted === 0,
  }
}

export const isQuiet = (figures: Figures): boolean =>
  [playersFigure, stakesFigure, requestsFigure, replyFigure, refusalsFigure].every((figure) => figure(figures).isEmpty)

/** Returns a sentence if the server has not yet counted all figures of the range, else null. */
export const completeSentence = ({ completeFromMs, fromMs }: Figures): string | null =>
  completeFromMs !== null && completeFromMs > fromMs ? texts.completeFrom(formatDateMinute(completeFromMs)) : null
