import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { wilsonInterval } from '#domain/statistics/chance.ts'
import { formatCount, formatShare } from '#web/platform/formats.ts'
import { bookPageEndpoints } from '#contract/book-pages.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { rulesTexts } from './rules-texts.ts'

const measuredQuery = { ...endpointQuery(['book'], bookPageEndpoints.readRates, { query: {} }), staleTime: 60_000 }

/** Shows the share of wins among won and lost bets that the price decided, once loaded (docs/open-book.md §6). */
export function MeasuredLine() {
  const { data } = useQuery(measuredQuery)
  const won = data?.types.reduce((sum, type) => sum + type.won, 0) ?? 0
  const decided = won + (data?.types.reduce((sum, type) => sum + type.lost, 0) ?? 0)
  const interval = wilsonInterval(won, decided)
  return (
    <p className="text-sm text-ink-2">
      {interval === null
        ? rulesTexts.book
        : rulesTexts.measured(
            formatCount(decided),
            formatShare(won / decided),
            formatShare(interval.low),
            formatShare(interval.high),
          )}{' '}
      <Link to="/so-mo" className="font-medium text-gold underline underline-offset-4">
        {rulesTexts.toBook}
      </Link>
    </p>
  )
}
