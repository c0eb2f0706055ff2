import type { CareReport, CareCounts, CareDuration } from '#contract/care-report.ts'
import { startOfDayMs } from '#domain/day.ts'
import { careFiguresTexts as texts } from './care-figures-texts.ts'
import { BarsPicture, DurationPicture, PairPicture, pairLooks } from './figure-pictures.tsx'
import { TableCard } from './plot-card.tsx'
import { careTopicTexts } from '#web/parts/care-topic-texts.ts'
import { formatCount, formatDate, formatShare } from '#web/platform/formats.ts'
import {
  applying,
  type Cell,
  count,
  duration,
  durationText,
  type FigureRow,
  type FigureTable,
  share,
} from './figure-table.ts'
import type { Figure } from './figures.ts'
import { figuresTexts } from './figures-texts.ts'

/** The charts and tables of the report (rules §7.16). This file is loaded after the rest of the page. */
export function CareReportPictures({ report }: { readonly report: CareReport }) {
  const figures = { bucket: 'day' as const, buckets: report.days.map(({ day }) => ({ fromMs: startOfDayMs(day) })) }
  const of = (what: 'firstReply' | 'resolution') => (
    <DurationPicture
      figures={figures}
      figure={careDurationFigure(report, what)}
      durations={report.days.map((day) => day[what])}
    />
  )
  return (
    <>
      <PairPicture
        figures={figures}
        figure={volumeFigure(report)}
        first={{ ...pairLooks.gold, values: report.days.map(({ cases }) => cases), text: texts.cases }}
        second={{ ...pairLooks.blue, values: report.days.map(({ resolution }) => resolution.count), text: texts.done }}
      />
      {of('firstReply')}
      {of('resolution')}
      <BarsPicture figure={topicsFigure(report)} />
      <TableCard figure={adminsFigure(report)} />
    </>
  )
}

const durations = ({ medianMs, p90Ms }: CareDuration): readonly Cell[] => [duration(medianMs), duration(p90Ms)]

type Ends = Omit<CareCounts, 'cases' | 'firstReply'>
const ends = ({ resolution, reopened, rated, good }: Ends): readonly Cell[] => [
  count(resolution.count),
  ...durations(resolution),
  share(reopened, resolution.count),
  share(good, rated),
  count(rated),
]

/** Returns the head of a column of durations. In a CSV file, the head names the unit, because the cells are numbers. */
type Timed = (head: string) => string
const endsHead = (timed: Timed) => [
  texts.done,
  ...[texts.doneMedian, texts.doneP90].map(timed),
  ...[texts.reopened, texts.helped, texts.rated],
]
const replyHead = (timed: Timed) => [texts.replyMedian, texts.replyP90].map(timed)

const tableOf = (first: readonly string[], rows: readonly FigureRow[]): FigureTable => {
  const head = (timed: Timed) => [...first, ...replyHead(timed), ...endsHead(timed)]
  return { head: head((text) => text), csvHead: head(figuresTexts.units.inSeconds), rows }
}
const countsCells = (of: CareCounts): readonly Cell[] => [count(of.cases), ...durations(of.firstReply), ...ends(of)]

const percent = (part: number, whole: number) => formatShare(part / whole)

/** Returns the table that all charts over time show: a row for each day, with all figures. */
const daysTable = ({ days }: CareReport): FigureTable =>
  tableOf(
    [figuresTexts.time, texts.cases],
    days.map((of) => ({
      name: formatDate(startOfDayMs(of.day)),
      address: { to: '/admin/chat' },
      cells: countsCells(of),
    })),
  )

function volumeFigure(report: CareReport): Figure {
  const { cases, resolution, reopened, rated, good } = report.total
  return {
    title: texts.volume,
    sentences: applying(
      texts.volumeReading(formatCount(cases), formatCount(resolution.count)),
      rated === 0 ? texts.noAnswers : texts.helpedReading(formatCount(good), formatCount(rated), percent(good, rated)),
      reopened > 0 &&
        resolution.count > 0 &&
        texts.reopenedReading(formatCount(reopened), percent(reopened, resolution.count)),
    ),
    table: daysTable(report),
    isEmpty: cases === 0,
  }
}

const readings = {
  firstReply: (median: string, p90: string) => figuresTexts.replyReading(median, p90),
  resolution: texts.resolutionReading,
}

function careDurationFigure(report: CareReport, what: 'firstReply' | 'resolution'): Figure {
  const { medianMs, p90Ms } = report.total[what]
  return {
    title: texts[what],
    sentences: medianMs === null || p90Ms === null ? [] : [readings[what](durationText(medianMs), durationText(p90Ms))],
    table: daysTable(report),
    isEmpty: medianMs === null,
  }
}

const topicsFigure = (report: CareReport): Figure => ({
  title: texts.byTopic,
  sentences: [],
  table: tableOf(
    [texts.topic, texts.cases],
    report.topics.map((of) => ({
      name: of.topic === null ? careTopicTexts.none : careTopicTexts.topics[of.topic],
      cells: countsCells(of),
    })),
  ),
  isEmpty: report.topics.length === 0,
})

const adminsFigure = ({ admins }: CareReport): Figure => ({
  title: texts.byAdmin,
  sentences: [texts.adminReading],
  table: tableOf(
    [texts.admin, texts.replied],
    admins.map((of) => ({
      name: of.admin.username,
      cells: [count(of.firstReply.count), ...durations(of.firstReply), ...ends(of)],
    })),
  ),
  isEmpty: admins.length === 0,
})
