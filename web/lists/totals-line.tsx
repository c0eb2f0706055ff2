import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

export type Total<Sums> = { readonly label: string; readonly value: (sums: Sums) => ReactNode }

export type TotalsLineProps<Sums> = {
  readonly query: Pick<UseQueryResult<Sums>, 'data' | 'error' | 'isFetching' | 'refetch'>
  readonly totals: ReadonlyArray<Total<Sums>>
  readonly summedTo: number
}

export function TotalsLine<Sums extends { readonly isCapped: boolean }>({
  query: { data, error, isFetching, refetch },
  totals,
  summedTo,
}: TotalsLineProps<Sums>) {
  if (data === undefined && error !== null)
    return (
      <p role="alert" className="flex min-h-5 items-center gap-2 text-dense text-ink-2">
        {texts.totalsFailed}
        <Button variant="outline" size="xs" isBusy={isFetching} onClick={() => void refetch()}>
          {commonTexts.retry}
        </Button>
      </p>
    )
  return (
    <div role="group" aria-label={texts.totals} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-dense">
      <dl className="flex flex-wrap gap-x-4 gap-y-1">
        {totals.map(({ label, value }) => (
          <div key={label} className="flex min-h-5 items-baseline gap-1.5">
            <dt className="text-ink-3">{label}</dt>
            <dd translate="no" className="font-medium text-ink tabular-nums">
              {data === undefined ? <Skeleton className="h-4 w-14" /> : value(data)}
            </dd>
          </div>
        ))}
      </dl>
      {data?.isCapped === true && <p className="text-ink-3">{texts.totalsOfNewest(formatCount(summedTo))}</p>}
    </div>
  )
}
