import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Card } from '#web/ui/card.tsx'
import { useTableSearch } from '#web/lists/use-table-search.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState, ErrorState, QueryFailure } from '#web/ui/states.tsx'
import { figuresQuery } from './api.ts'
import { completeSentence, isQuiet } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { gridClass } from './grid.ts'
import { RangeBar } from './range-bar.tsx'
import { chosen, type InstantRange, rangeNames, rangeOf, rangeSpec } from './range.ts'

const load = afterDrawing(() => import('./figure-pictures.tsx'))

/** The overview's charts for the range of time that the query string of the address names. */
export function OverviewFigures() {
  const { view, change } = useTableSearch(rangeSpec)
  const choice = view.filters
  const range = rangeOf(choice, serverNowMs())
  return (
    <section aria-labelledby="overview-figures" className="@container flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-2">
        <h2 id="overview-figures" className="text-base font-semibold">
          {texts.title}
        </h2>
        <RangeBar names={rangeNames} choice={choice} onChange={(filters) => change({ filters })} />
      </div>
      {typeof range === 'string' ? (
        <Card>
          <EmptyState text={texts.problems[range]} />
        </Card>
      ) : (
        <OfRange range={range} onLonger={() => change({ filters: chosen('30d', choice, serverNowMs()) })} />
      )}
    </section>
  )
}

function OfRange({ range, onLonger }: { readonly range: InstantRange; readonly onLonger: () => void }) {
  const query = useQuery({ ...figuresQuery(range), placeholderData: keepPreviousData })
  const { data } = query
  const { part, hasFailed, retry } = useLazyPart(load)
  const problem =
    data !== undefined && isQuiet(data) ? (
      <EmptyState
        text={texts.empty}
        action={
          <Button variant="outline" onClick={onLonger}>
            {texts.longer}
          </Button>
        }
      />
    ) : data === undefined && query.isError ? (
      <QueryFailure query={query} fallback={texts.loadFailed} />
    ) : hasFailed ? (
      <ErrorState message={texts.drawingFailed} onRetry={retry} />
    ) : undefined
  if (problem !== undefined) return <Card>{problem}</Card>
  if (data === undefined || part === undefined)
    return (
      <SkeletonGroup className={gridClass}>
        {Array.from({ length: 10 }, (_, at) => (
          <Skeleton key={at} className="h-25 rounded-m! @min-[40rem]:h-90" />
        ))}
      </SkeletonGroup>
    )
  const partly = completeSentence(data)
  return (
    <>
      {partly !== null && <Banner tone="info">{partly}</Banner>}
      <div
        aria-busy={query.isPlaceholderData}
        className={classNames(gridClass, 'transition-opacity', query.isPlaceholderData && 'opacity-60')}
      >
        <part.FigurePictures figures={data} />
      </div>
    </>
  )
}
