import { setImmediate } from 'node:timers/promises'
import type { CareCounts, CareDuration, CareReport } from '#contract/care-report.ts'
import { type Day, dayAfter, dayOf } from '#domain/day.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import {
  createCareDays,
  type DayCases,
  DURATION_BINS,
  type DurationColumn,
  IS_GOOD,
  IS_RATED,
  IS_REOPENED,
  NO_MS,
  TOPIC,
  TOPICS,
} from './care-days.ts'

const NO_TIME: CareDuration = { count: 0, medianMs: null, p90Ms: null }
type Ends = { -readonly [Name in 'cases' | 'reopened' | 'rated' | 'good']: number }
const NO_ENDS: Readonly<Ends> = { cases: 0, reopened: 0, rated: 0, good: 0 }

/** Returns the indexes, by nearest rank, of the median and the 90th percentile in a sorted list of `count` values. */
const placesOf = (count: number) => [Math.ceil(0.5 * count) - 1, Math.ceil(0.9 * count) - 1] as const

function durationOf(column: DurationColumn): CareDuration {
  const sorted = column.ms.filter((ms) => ms !== NO_MS).toSorted()
  const [median, p90] = placesOf(sorted.length)
  return { count: sorted.length, medianMs: sorted[median] ?? null, p90Ms: sorted[p90] ?? null }
}

/**
 * Counts the durations and finds their median and 90th percentile, for each of the `count` groups and for all together.
 * For speed, only bins with a median or 90th percentile are sorted. `groupsOf` has the group of each case.
 */
function durations(columns: readonly DurationColumn[], groupsOf: readonly (Uint8Array | Uint16Array)[], count: number) {
  const inBins = new Uint32Array((count + 1) * DURATION_BINS)
  for (const [nth, { bins }] of columns.entries()) {
    const groups = groupsOf[nth] as Uint8Array
    for (let at = 0; at < bins.length; at++)
      (inBins[(groups[at] as number) * DURATION_BINS + (bins[at] as number)] as number)++
  }
  const all = count * DURATION_BINS
  for (let at = 0; at < all; at++) (inBins[all + (at % DURATION_BINS)] as number) += inBins[at] as number

  const wanted = new Map<number, number[]>()
  const isWanted = new Uint8Array(inBins.length)
  const found = Array.from({ length: count + 1 }, (_, group) => {
    const first = group * DURATION_BINS
    let total = 0
    for (let bin = 0; bin < DURATION_BINS - 1; bin++) total += inBins[first + bin] as number
    let [bin, before] = [first, 0]
    const places = placesOf(total).map((place) => {
      while (place >= 0 && before + (inBins[bin] as number) <= place) before += inBins[bin++] as number
      if (place >= 0) isWanted[bin] = 1
      return { bin, place: place - before }
    })
    return { total, places }
  })
  const keep = (bin: number, ms: number) => {
    const values = wanted.get(bin)
    if (values === undefined) wanted.set(bin, [ms])
    else values.push(ms)
  }
  for (const [nth, { bins, ms }] of columns.entries()) {
    const groups = groupsOf[nth] as Uint8Array
    for (let at = 0; at < bins.length; at++) {
      const bin = bins[at] as number
      const ofGroup = (groups[at] as number) * DURATION_BINS + bin
      if (isWanted[ofGroup] === 1) keep(ofGroup, ms[at] as number)
      if (isWanted[all + bin] === 1) keep(all + bin, ms[at] as number)
    }
  }
  for (const values of wanted.values()) values.sort((a, b) => a - b)
  const ofGroups = found.map(({ total: of, places }): CareDuration => {
    const [medianMs = null, p90Ms = null] = places.map(({ bin, place }) => wanted.get(bin)?.[place] ?? null)
    return { count: of, medianMs, p90Ms }
  })
  return { all: ofGroups[count] ?? NO_TIME, ofGroups }
}

const KINDS = 64

function addCases(sum: Ends, about: number, cases: number): void {
  sum.cases += cases
  if (about & IS_REOPENED) sum.reopened += cases
  if (about & IS_RATED) sum.rated += cases
  if (about & IS_GOOD) sum.good += cases
}

function endsOf(days: readonly DayCases[], admins: number) {
  const tally = new Uint32Array(admins * KINDS)
  for (const { about, ends } of days)
    for (let at = 0; at < about.length; at++)
      (tally[(ends.by[at] as number) * KINDS + (about[at] as number)] as number)++
  const [ofTopics, ofAdmins] = [TOPICS.length, admins].map((length) => Array.from({ length }, () => ({ ...NO_ENDS })))
  const all = { ...NO_ENDS }
  for (const [at, cases] of tally.entries())
    for (const part of [all, ofTopics?.[at & TOPIC], ofAdmins?.[Math.floor(at / KINDS)]])
      if (cases > 0 && part !== undefined) addCases(part, at % KINDS, cases)
  return { all, ofTopics, ofAdmins }
}

function countsOfDay({ about, replies, ends }: DayCases): CareCounts {
  const sum = { ...NO_ENDS }
  for (const one of about) addCases(sum, one, 1)
  return { ...sum, firstReply: durationOf(replies), resolution: durationOf(ends) }
}

/**
 * Returns a function that reports on the cases that began from day `from` through day `to` in Vietnam's time (rules
 * §7.16). All cases are read, because the median of all days does not follow from the medians of single days.
 */
export function createCareReport(db: Database): (from: Day, to: Day) => Promise<CareReport> {
  const careDays = createCareDays(db)
  const ofDays = new WeakMap<DayCases, CareCounts>()
  const ofDay = (cases: DayCases | undefined): CareCounts => {
    if (cases === undefined) return { ...NO_ENDS, firstReply: NO_TIME, resolution: NO_TIME }
    const counted = ofDays.get(cases) ?? countsOfDay(cases)
    ofDays.set(cases, counted)
    return counted
  }
  return async (from, to) => {
    const [read, nowMs] = await Promise.all([careDays.read(from, to), readNowMs(db)])
    const days: Array<CareReport['days'][number]> = []
    for (let day = from; day <= to && day <= dayOf(nowMs); day = dayAfter(day))
      days.push({ day, ...ofDay(read.get(day)) })

    const cases = [...read.values()]
    const [replies, ends] = [cases.map((day) => day.replies), cases.map((day) => day.ends)]
    const topics = cases.map((day) => day.topics)
    const places = careDays.admins.length
    const sum = endsOf(cases, places)
    const ofTopics = {
      replies: durations(replies, topics, TOPICS.length),
      ends: durations(ends, topics, TOPICS.length),
    }
    // Lets other work of the process run between two long computations.
    await setImmediate()
    const byAdmin = (columns: typeof replies) => {
      const groups = columns.map(({ by }) => by)
      return durations(columns, groups, places).ofGroups
    }
    const ofAdmins = { replies: byAdmin(replies), ends: byAdmin(ends) }
    const hasCases = (place: number) => [ofAdmins.replies, ofAdmins.ends].some((of) => (of[place]?.count ?? 0) > 0)
    const { rows: admins } = await db.query<{ id: string; username: string }>(
      `select id, username from users where id = any($1::uuid[]) order by username_key`,
      [careDays.admins.filter((id, place) => id !== '' && hasCases(place))],
    )
    return {
      total: { ...sum.all, firstReply: ofTopics.replies.all, resolution: ofTopics.ends.all },
      days,
      topics: TOPICS.map((topic, place) => ({
        topic,
        ...(sum.ofTopics?.[place] ?? NO_ENDS),
        firstReply: ofTopics.replies.ofGroups[place] ?? NO_TIME,
        resolution: ofTopics.ends.ofGroups[place] ?? NO_TIME,
      }))
        .filter((one) => one.cases > 0)
        .toSorted((a, b) => b.cases - a.cases || ((a.topic ?? '~') < (b.topic ?? '~') ? -1 : 1)),
      admins: admins.map((admin) => {
        const place = careDays.admins.indexOf(admin.id)
        const { reopened, rated, good } = sum.ofAdmins?.[place] ?? NO_ENDS
        return {
          ...{ admin, reopened, rated, good },
          firstReply: ofAdmins.replies[place] ?? NO_TIME,
          resolution: ofAdmins.ends[place] ?? NO_TIME,
        }
      }),
    }
  }
}
