import { queryOptions } from '@tanstack/react-query'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { overviewFiguresEndpoints } from '#contract/overview-figures.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { type Figures, isQuiet } from './figures.ts'
import type { InstantRange } from './range.ts'

export type { Overview } from '#contract/back-office.ts'

const refetchMs = 5_000

export const overviewQuery = queryOptions({
  queryKey: adminKeys.overview,
  queryFn: async ({ signal }): Promise<Omit<Overview, 'serverTimeMs'>> => {
    // Drops the server's time, so that an answer without news equals the answer before it.
    const { serverTimeMs: _, ...overview } = await callEndpoint(backOfficeEndpoints.overview, { signal })
    return overview
  },
  refetchInterval: refetchMs,
})

const figuresRefetchMs = 60_000

export const figuresQuery = ({ fromMs, toMs }: InstantRange) =>
  queryOptions({
    queryKey: [...adminKeys.figures, fromMs, toMs],
    queryFn: async ({ signal }): Promise<Figures> => {
      const { serverTimeMs: _, ...figures } = await callEndpoint(overviewFiguresEndpoints.overviewFigures, {
        query: { from: fromMs, to: toMs },
        signal,
      })
      return figures
    },
    // As long as nothing has happened, the first thing that does shows soon.
    refetchInterval: ({ state }) => (state.data !== undefined && isQuiet(state.data) ? refetchMs : figuresRefetchMs),
    staleTime: figuresRefetchMs / 2,
  })
