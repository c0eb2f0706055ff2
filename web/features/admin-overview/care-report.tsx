import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { careReportEndpoints } from '#contract/care-report.ts'
import { dayOf } from '#domain/day.ts'
import { useTableSearch } from '#web/lists/use-table-search.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState, ErrorState, QueryFailure } from '#web/ui/states.tsx'
import { careReportTexts as texts } from './care-report-texts.ts'
import { figuresTexts } from './figures-texts.ts'
import { gridClass } from './grid.ts'
import { RangeBar } from './range-bar.tsx'
import { type InstantRange, rangeOf } from './range.ts'

const load = afterDrawing(() => import('./care-report-pictures.tsx'))

/** The range of the report is in the query string of the address. */
const rangeSpec = {
  filters: { range: ['30d', '7d', 'own'], from: 'text', to: 'text' },
  sorts: [],
  firstSort: '',
} as const

/** The report of customer care over a chosen range of days (rules §7.16). */
export function CareReport() {
  const { view, change } = useTableSearch(rangeSpec)
  const choice = view.filters
  const range = rangeOf(choice, serverNowMs())
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <RangeBar names={['7d', '30d', 'own']} choice={choice} onChange={(filters) => change({ filters })} />
      </div>
      {typeof range === 'string' ? (
        <Card>
          <EmptyState text={figuresTexts.problems[range]} />
        </Card>
      ) : (
        <OfRange range={range} />
      )}
    </>
  )
}

function OfRange({ range: { fromMs, toMs } }: { readonly range: InstantRange }) {
  const query = useQuery({
    ...endpointQuery(['admin', 'care-report'], careReportEndpoints.careReport, {
      query: { from: dayOf(fromMs), to: dayOf(toMs - 1) },
    }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const { part, hasFailed, retry } = useLazyPart(load)
  const problem =
    data === undefined && query.isError ? (
      <QueryFailure query={query} fallback={texts.loadFailed} />
    ) : hasFailed ? (
      <ErrorState message={figuresTexts.drawingFailed} onRetry={retry} />
    ) : data?.total.cases === 0 ? (
      <EmptyState text={texts.empty} />
    ) : undefined
  if (problem !== undefined) return <Card>{problem}</Card>
  if (data === undefined || part === undefined)
    return (
      <div className="@container">
        <SkeletonGroup className={gridClass}>
          {Array.from({ length: 4 }, (_, at) => (
            <Skeleton key={at} className="h-25 rounded-m! @min-[40rem]:h-90" />
          ))}
        </SkeletonGroup>
      </div>
    )
  return (
    // Whether the cards fold their charts away depends on the width of this container, not of the window.
    <div className="@container">
      <div
        aria-busy={query.isPlaceholderData}
        className={classNames(gridClass, 'transition-opacity', query.isPlaceholderData && 'opacity-60')}
      >
        <part.CareReportPictures report={data} />
      </div>
    </div>
  )
}
