import { queryOptions } from '@tanstack/react-query'
import { backOfficeEndpoints } from '#contract/back-office.ts'
import { overviewFiguresEndpoints } from '#contract/overview-figures.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { withoutServerTime } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { type Figures, isQuiet } from './figures.ts'
import type { InstantRange } from './range.ts'

export type { Overview } from '#contract/back-office.ts'

const refetchMs = 5_000

export const overviewQuery = {
  ...endpointQuery(adminKeys.overview, backOfficeEndpoints.overview, {}, withoutServerTime),
  refetchInterval: refetchMs,
}

const figuresRefetchMs = 60_000

export const figuresQuery = ({ fromMs, toMs }: InstantRange) =>
  queryOptions({
    ...endpointQuery(
      adminKeys.figures,
      overviewFiguresEndpoints.overviewFigures,
      { query: { from: fromMs, to: toMs } },
      (answer): Figures => withoutServerTime(answer),
    ),
    // While the range has no figures yet, the query refetches more often, so that the first figures show soon.
    refetchInterval: ({ state }) => (state.data !== undefined && isQuiet(state.data) ? refetchMs : figuresRefetchMs),
    staleTime: figuresRefetchMs / 2,
  })
