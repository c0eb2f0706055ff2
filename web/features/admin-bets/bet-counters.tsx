import { useQuery } from '@tanstack/react-query'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { countText } from '#web/lists/pager.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type BetFilters, betCountsQuery } from './api.ts'

const counters = [
  { status: 'won', label: texts.won, look: 'text-up' },
  { status: 'lost', label: texts.lost, look: 'text-down' },
  { status: 'open', label: texts.open, look: 'text-info' },
  { status: 'voided', label: texts.voided, look: 'text-ink-2' },
] as const

/** The number of bets of each status. Bets that staff or a script decided are counted apart (rules §1.2). */
export function BetCounters({ query }: { readonly query: Omit<BetFilters, 'status'> }) {
  const { data } = useQuery(betCountsQuery(query))
  return (
    <div role="group" aria-label={texts.counters} className="flex flex-wrap items-end gap-x-4 gap-y-1.5">
      <dl className="grid w-full grid-cols-2 gap-2 min-[24rem]:grid-cols-4 md:w-fit">
        {counters.map(({ status, label, look }) => (
          <div
            key={status}
            className="flex min-w-0 flex-col rounded-s border border-line bg-surface px-2 py-1.5 md:min-w-32 md:px-3"
          >
            <dt className="truncate text-xs text-ink-3">{label}</dt>
            <dd className={`text-base font-semibold tabular-nums ${look}`}>
              {data === undefined ? (
                <Skeleton className="my-1 h-4 w-10" />
              ) : (
                // If more than 10,000 bets match, only the newest 10,000 are counted, and a plus follows each number.
                countText(Math.min(data[status], TOTAL_COUNTED_TO), data.isCapped)
              )}
            </dd>
          </div>
        ))}
      </dl>
      {/* This line keeps its height when it is empty, so that the list beneath does not move. */}
      <p className="min-h-4 text-xs text-ink-3 tabular-nums">
        {data !== undefined &&
          data.leftOut > 0 &&
          texts.leftOut(countText(Math.min(data.leftOut, TOTAL_COUNTED_TO), data.isCapped))}
      </p>
    </div>
  )
}
