import { Link } from '@tanstack/react-router'
import type { Day } from '#domain/day.ts'
import type { Minor } from '#domain/money.ts'
import { formatAmount, formatCount, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import type { OwnStatistics } from './api.ts'
import { FigureCard, Numbers } from '#web/ui/figure-card.tsx'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { Bars, Framed, StepLine } from '#web/ui/pictures.tsx'
import { type Bar, balancesOf, barsOf } from './series.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'
import { dayText, netSentence, shortDay, timeSentence, timeText } from './statistics-words.ts'

const { columns } = texts

export type FigureProps = { readonly statistics: OwnStatistics }
/** With `drawnDays` of the range, which all pictures share. */
export type DaysProps = FigureProps & { readonly days: readonly Day[] }

const ends = (days: readonly string[]): readonly string[] => [days[0] ?? '', days.at(-1) ?? ''].map(dayText)
const barText = ({ firstDay, lastDay }: Bar): string =>
  firstDay === lastDay ? dayText(firstDay) : texts.days(shortDay(firstDay), dayText(lastDay))

/** The two ends of a list of amounts, least first. */
const extremes = (amounts: readonly Minor[]): readonly [Minor, Minor] => [
  amounts.reduce((least, amount) => (amount < least ? amount : least)),
  amounts.reduce((most, amount) => (amount > most ? amount : most)),
]

export function BalanceFigure({ statistics, days }: DaysProps) {
  const balances = balancesOf(statistics, days)
  const known = balances.flatMap((balance) => (balance === null ? [] : [balance]))
  const [first, last] = [statistics.openingBalanceMinor ?? known[0], known.at(-1)]
  if (first === undefined || last === undefined)
    return <FigureCard title={texts.balance} sentences={[texts.noBalance]} />
  const [least, most] = extremes(known)
  const rows = days.flatMap((day, at) => {
    const balance = balances[at] ?? null
    return balance === null ? [] : [[dayText(day), formatAmount(balance)]]
  })
  return (
    <FigureCard
      title={texts.balance}
      sentences={[texts.balanceMeans(formatAmount(first), formatAmount(last))]}
      table={<Numbers label={texts.balance} head={[columns.day, columns.balance]} rows={rows.toReversed()} />}
    >
      <Framed
        bounds={[pictureTexts.lowest(formatAmount(least)), pictureTexts.highest(formatAmount(most))]}
        axis={ends(days)}
      >
        <StepLine
          label={texts.balance}
          values={balances.map((balance) => (balance === null ? null : Number(balance)))}
        />
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
      table={
        <Numbers
          label={netTitles[step]}
          head={[columns.day, columns.bets, columns.staked, columns.net]}
          rows={rows.toReversed()}
        />
      }
    >
      <Framed
        bounds={[pictureTexts.lowest(formatSignedAmount(least)), pictureTexts.highest(formatSignedAmount(most))]}
        axis={ends(days)}
      >
        <Bars label={netTitles[step]} values={bars.map(({ netMinor }) => Number(netMinor))} colours="sign" />
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
      table={<Numbers label={texts.time} head={[columns.day, texts.time]} rows={rows.toReversed()} />}
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
        <Bars label={texts.time} values={bars.map(({ playedMs }) => playedMs)} colours="plain" />
      </Framed>
    </FigureCard>
  )
}
