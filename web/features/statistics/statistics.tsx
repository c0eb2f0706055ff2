import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Day, dayOf } from '#domain/day.ts'
import { formatCalendarDay, formatDateTime } from '#web/platform/formats.ts'
import { refresh } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChartNoAxesColumn } from '#web/ui/icons/chart-no-axes-column.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { Printer } from '#web/ui/icons/printer.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { type OwnStatistics, statisticsKey, statisticsQuery } from './api.ts'
import { RunsFigure, ShareFigure, StakesFigure } from './chance-figures.tsx'
import { BalanceFigure, type DaysProps, type FigureProps, NetFigure, TimeFigure } from './figures.tsx'
import { type DayRange, type RangeChoice, rangeOf, rangeNames } from './range.ts'
import { drawnDays, playedDays, sumOf } from './series.ts'
import { csvName, writeStatisticsCsv } from './statistics-csv.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'
import { hasFewBets, summarySentences } from './statistics-words.ts'
import { usePrint } from '#web/ui/use-print.ts'
import { Pending } from '#web/ui/pending.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

export function Statistics({ firstDay }: { readonly firstDay: Day }) {
  const today = dayOf(useTodayMs())
  const [choice, setChoice] = useState<RangeChoice>({ name: 'month', own: { from: null, to: null } })
  const range = rangeOf(choice, today)
  return (
    <>
      <Card className="print:hidden">
        <RangePicker choice={choice} firstDay={firstDay} onChange={setChoice} />
      </Card>
      {range === null ? <p className="text-sm text-ink-2">{texts.pickDates}</p> : <OfRange range={range} />}
    </>
  )
}

function OfRange({ range }: { readonly range: DayRange }) {
  const query = useQuery({ ...statisticsQuery(range), placeholderData: keepPreviousData })
  useEffect(() => {
    const ask = () => void refresh(statisticsKey)
    // The charts also show the balance, which can change without a bet.
    return together(onServerEvent('bet_changed', ask), onServerEvent('balance_changed', ask))
  }, [])
  if (query.data !== undefined) return <Pictures statistics={query.data} isLate={query.isPlaceholderData} />
  return (
    <Pending
      query={query}
      className="flex flex-col gap-gap"
      shapes={['h-44 rounded-m!', 'h-72 rounded-m!', 'h-72 rounded-m!']}
    />
  )
}

function Pictures({ statistics, isLate }: FigureProps & { readonly isLate: boolean }) {
  const content = useRef<HTMLDivElement>(null)
  usePrint(content)
  const days = useMemo(() => drawnDays(statistics), [statistics])
  const hasBets = playedDays(statistics).length > 0
  const isEmpty = !hasBets && statistics.leftOut === 0
  return (
    <div ref={content} aria-busy={isLate} className="flex flex-col gap-gap">
      {isEmpty ? (
        <Card>
          <EmptyState text={texts.empty} icon={ChartNoAxesColumn} />
        </Card>
      ) : (
        <Summary statistics={statistics} days={days} />
      )}
      {(statistics.openingBalanceMinor !== null || statistics.days.length > 0) && (
        <BalanceFigure statistics={statistics} days={days} />
      )}
      {hasBets && !hasFewBets(statistics) && (
        <>
          <NetFigure statistics={statistics} days={days} />
          <ShareFigure statistics={statistics} />
          <StakesFigure statistics={statistics} />
          <TimeFigure statistics={statistics} days={days} />
          <RunsFigure statistics={statistics} />
        </>
      )}
    </div>
  )
}

function Summary({ statistics, days }: DaysProps) {
  return (
    <Card aria-label={texts.summary} className="flex flex-col gap-3 print:shadow-none">
      <p className="hidden text-sm print:block">{texts.printed(formatDateTime(serverNowMs()))}</p>
      <p role="status" className="text-sm text-ink-2 tabular-nums">
        {texts.days(formatCalendarDay(days[0] ?? ''), formatCalendarDay(days.at(-1) ?? ''))}
      </p>
      <p className="flex flex-col">
        <span className="text-sm text-ink-2">{texts.net}</span>
        {/* The unit may wrap, since amount and unit do not fit on one line if the text is large. */}
        <span className="text-xl font-semibold tracking-tight">
          <AmountText amountMinor={sumOf(statistics).netMinor} kind="signed" hasUnit className="whitespace-normal!" />
        </span>
      </p>
      <div className="flex flex-col gap-1 text-sm text-ink-2">
        {summarySentences(statistics).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <Exports statistics={statistics} />
    </Card>
  )
}

function Exports({ statistics }: { readonly statistics: OwnStatistics }) {
  const save = () => saveFile(csvName(statistics), 'text/csv;charset=utf-8', writeStatisticsCsv(statistics))
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button variant="outline" onClick={save}>
        <Download aria-hidden size={18} strokeWidth={1.8} />
        {texts.csv}
      </Button>
      <Button variant="outline" onClick={() => globalThis.print()}>
        <Printer aria-hidden size={18} strokeWidth={1.8} />
        {texts.print}
      </Button>
    </div>
  )
}

type RangePickerProps = {
  readonly choice: RangeChoice
  readonly firstDay: Day
  readonly onChange: (choice: RangeChoice) => void
}

/** Lets the player choose a range, which applies at once. A custom range applies once it has two dates in order. */
function RangePicker({ choice, firstDay, onChange }: RangePickerProps) {
  const { name, own } = choice
  const areTurned = own.from !== null && own.to !== null && own.from > own.to
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <SegmentedControl
        label={texts.range}
        columns={3}
        value={name}
        onChange={(next) => onChange({ ...choice, name: next })}
        options={rangeNames.map((value) => ({ value, label: texts.ranges[value] }))}
      />
      {name === 'own' && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-x-2 gap-y-3">
          <DayField
            label={texts.from}
            text={own.from ?? ''}
            first={firstDay}
            onChange={(day) => onChange({ ...choice, own: { ...own, from: day || null } })}
          />
          <DayField
            label={texts.to}
            text={own.to ?? ''}
            first={firstDay}
            error={areTurned ? texts.datesTurned : undefined}
            onChange={(day) => onChange({ ...choice, own: { ...own, to: day || null } })}
          />
        </div>
      )}
    </div>
  )
}
