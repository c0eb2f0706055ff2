import type { CareReport } from '#contract/care-report.ts'
import { startOfDayMs } from '#domain/day.ts'
import { adminsFigure, careDurationFigure, topicsFigure, volumeFigure } from './care-report-figures.ts'
import { careFiguresTexts as texts } from './care-figures-texts.ts'
import { BarsPicture, DurationPicture, PairPicture, pairLooks } from './figure-pictures.tsx'
import { TableCard } from './plot-card.tsx'

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
