import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Day } from '#domain/day.ts'
import type { Minor } from '#domain/money.ts'
import {
  formatAmount,
  formatCalendarDay,
  formatCount,
  formatDateTime,
  formatSignedAmount,
  formatWholeAmount,
} from '#web/platform/formats.ts'
import type { OwnStatistics } from './api.ts'
import { FigureCard } from '#web/ui/figure-card.tsx'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { Bars, Framed, StepLine } from '#web/ui/pictures.tsx'
import { ReadAlong } from '#web/ui/read-along.tsx'
import { type Bar, balancesOf, barsOf } from './series.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'
import { netSentence, shortDay, timeSentence, timeText } from './statistics-words.ts'

const { columns } = texts

export type FigureProps = { readonly statistics: OwnStatistics }
/** `days` are the `drawnDays` of the range. They are computed once, for all figures. */
export type DaysProps = FigureProps & { readonly days: readonly Day[] }

const ends = (days: readonly string[]): readonly string[] => [days[0] ?? '', days.at(-1) ?? ''].map(formatCalendarDay)
const barText = ({ firstDay, lastDay }: Bar): string =>
  firstDay === lastDay ? formatCalendarDay(firstDay) : texts.days(shortDay(firstDay), formatCalendarDay(lastDay))

type StepsProps = { readonly label: string; readonly says: ReadonlyArray<string | null>; readonly children: ReactNode }

/** Lets the user read the equally wide steps or bars of a chart one by one. A step whose text is null is skipped. */
function Steps({ label, says, children }: StepsProps) {
  const known = says.flatMap((text, at) => (text === null ? [] : [{ text, x: (at + 0.5) / says.length }]))
  return (
    <ReadAlong label={label} xs={() => known.map(({ x }) => x)} textOf={(at) => known[at]?.text ?? ''}>
      {children}
    </ReadAlong>
  )
}

const extremes = (amounts: readonly Minor[]): readonly [Minor, Minor] => [
  amounts.reduce((least, amount) => (amount < least ? amount : least)),
  amounts.reduce((most, amount) => (amount > most ? amount : most)),
]

/** Returns the line of all changes of the balance. Null if the server left them out because there are too many. */
function lineOfChanges({ changes, openingBalanceMinor }: OwnStatistics) {
  if (changes === null) return null
  const rows = changes.map(({ atMs, balanceMinor }) => [formatDateTime(atMs), formatAmount(balanceMinor)])
  const before = openingBalanceMinor === null ? [] : [openingBalanceMinor]
  return {
    values: [...before, ...changes.map((change) => change.balanceMinor)],
    says: [...before.map((minor) => texts.balanceBefore(formatAmount(minor))), ...rows.map((row) => row.join(' · '))],
    axis: [rows[0]?.[0] ?? '', rows.at(-1)?.[0] ?? ''],
    rows: rows.toReversed(),
    head: [columns.at, columns.after],
  }
}

/** Returns the line of the balance at the end of each day. Its values and texts are null before the first transfer. */
function lineOfDays(statistics: OwnStatistics, days: readonly Day[]) {
  const values = balancesOf(statistics, days)
  const rows = days.map((day, at) => {
    const balance = values[at] ?? null
    return balance === null ? null : [formatCalendarDay(day), formatAmount(balance)]
  })
  return {
    values,
    says: rows.map((row) => row?.join(' · ') ?? null),
    axis: ends(days),
    rows: rows.filter((row) => row !== null).toReversed(),
    head: [columns.day, columns.balance],
  }
}

/** The balance over time. If the server sends no extremes, the lowest and highest day-end balances are shown. */
export function BalanceFigure({ statistics, days }: DaysProps) {
  const { values, says, axis, rows, head } = lineOfChanges(statistics) ?? lineOfDays(statistics, days)
  const known = values.flatMap((balance) => (balance === null ? [] : [balance]))
  const [first, last] = [statistics.openingBalanceMinor ?? known[0], known.at(-1)]
  if (first === undefined || last === undefined)
    return <FigureCard title={texts.balance} sentences={[texts.noBalance]} />
  const { lowestMinor, highestMinor } = statistics
  const isTrue = lowestMinor !== null && highestMinor !== null
  const [least, most] = isTrue ? [lowestMinor, highestMinor] : extremes(known)
  const words = isTrue ? pictureTexts : { lowest: texts.lowestDayEnd, highest: texts.highestDayEnd }
  return (
    <FigureCard
      title={texts.balance}
      sentences={[texts.balanceMeans(formatAmount(first), formatAmount(last))]}
      numbers={{ head, rows }}
    >
      <Framed bounds={[words.lowest(formatAmount(least)), words.highest(formatAmount(most))]} axis={axis}>
        <Steps label={texts.balance} says={says}>
          <StepLine
            label={texts.balance}
            values={values.map((balance) => (balance === null ? null : Number(balance)))}
            bounds={[Number(least), Number(most)]}
          />
        </Steps>
      </Framed>
    </FigureCard>
  )
}

const netTitles = { day: texts.netByDay, week: texts.netByWeek, month: texts.netByMonth } as const

export function NetFigure({ statistics, days }: DaysProps) {
  const { step, bars } = barsOf(statistics, days)
  const [least, most] = extremes(bars.map(({ netMinor }) => netMinor))
  const rows = bars
    .filter(({ won, lost, voided }) => won + lost + voided > 0)
    .map((bar) => [
      barText(bar),
      formatCount(bar.won + bar.lost),
      formatWholeAmount(bar.stakedMinor),
      formatSignedAmount(bar.netMinor),
    ])
  return (
    <FigureCard
      title={netTitles[step]}
      sentences={[netSentence(statistics)]}
      numbers={{ head: [columns.day, columns.bets, columns.staked, columns.net], rows: rows.toReversed() }}
    >
      <Framed
        bounds={[pictureTexts.lowest(formatSignedAmount(least)), pictureTexts.highest(formatSignedAmount(most))]}
        axis={ends(days)}
      >
        <Steps
          label={netTitles[step]}
          says={bars.map((bar) => `${barText(bar)} · ${formatSignedAmount(bar.netMinor)}`)}
        >
          <Bars label={netTitles[step]} values={bars.map(({ netMinor }) => Number(netMinor))} colours="sign" />
        </Steps>
      </Framed>
    </FigureCard>
  )
}

export function TimeFigure({ statistics, days }: DaysProps) {
  const { bars } = barsOf(statistics, days)
  const longest = Math.max(...bars.map(({ playedMs }) => playedMs))
  const rows = bars.filter(({ playedMs }) => playedMs > 0).map((bar) => [barText(bar), timeText(bar.playedMs)])
  return (
    <FigureCard
      title={texts.time}
      sentences={[timeSentence(statistics)]}
      numbers={{ head: [columns.day, texts.time], rows: rows.toReversed() }}
      after={
        <Link
          to="/account/limits"
          className="flex min-h-target items-center self-start text-sm font-medium text-gold print:hidden"
        >
          {texts.toLimits}
        </Link>
      }
    >
      <Framed bounds={[pictureTexts.highest(timeText(longest))]} axis={ends(days)}>
        <Steps label={texts.time} says={bars.map((bar) => `${barText(bar)} · ${timeText(bar.playedMs)}`)}>
          <Bars label={texts.time} values={bars.map(({ playedMs }) => playedMs)} colours="plain" />
        </Steps>
      </Framed>
    </FigureCard>
  )
}
