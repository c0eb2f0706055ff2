import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ellipsis, EyeOff, Trash2, TrendingDown, TrendingUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { leaveToScreen, queryClient } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowMenuButton } from '#web/ui/data-table/row-menu.tsx'
import { readView } from '#web/ui/data-table/table-search.ts'
import { useTableSearch } from '#web/ui/data-table/use-table-search.ts'
import type { MenuItem } from '#web/ui/menu.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { currentQuery, listRounds, type Round, roundsQuery } from './api.ts'
import { CurrentRound } from './current-round.tsx'
import { roundColumns } from './round-columns.tsx'
import type { RoundAct } from './round-dialogs.tsx'
import { actsUntilMs } from './round-words.ts'
import { useRoundHints } from './use-refresh-rounds.ts'

const spec = {
  filters: { type: ROUND_TYPES },
  sorts: ['startTime'],
  firstSort: '-startTime',
} as const

const rowId = ({ id }: Round) => id
const rowName = ({ roundNumber }: Round) => texts.roundNumber(formatCount(roundNumber))

const Dialogs = lazy(() => import('./round-dialogs.tsx').then((module) => ({ default: module.RoundDialogs })))

/** Asks for what the address shows, beside the account. */
export function prefetchRounds(search: Readonly<Record<string, unknown>>): void {
  const { page, limit, sort, filters } = readView(search, spec)
  queryClient.query(roundsQuery(filters.type, { page, limit, sort })).catch(leaveToScreen)
  queryClient.query(currentQuery(filters.type)).catch(leaveToScreen)
}

/** Rounds in tabs by type (spec §2); the running one of the type stands above its list. */
export function RoundsTable() {
  const address = useTableSearch(spec)
  const { view, change } = address
  const { type } = view.filters
  useRoundHints(type)
  const query = { page: view.page, limit: view.limit, sort: view.sort }
  const page = useQuery({ ...roundsQuery(type, query), placeholderData: keepPreviousData })
  const [act, setAct] = useState<RoundAct>()

  const itemsOf = (round: Round): readonly MenuItem[] => {
    if (round.status === 'ended')
      return [
        {
          id: 'hide',
          label: texts.hide,
          icon: EyeOff,
          tone: 'danger',
          onSelect: () => setAct({ kind: 'remove', round }),
        },
      ]
    const isLate = serverNowMs() >= actsUntilMs(round) || round.status !== 'running'
    const isSet = round.announcement !== null
    const hint = isLate ? texts.tooLate : isSet ? texts.alreadySet : undefined
    return [
      ...(['up', 'down'] as const).map((direction): MenuItem => ({
        id: direction,
        label: direction === 'up' ? texts.setUp : texts.setDown,
        icon: direction === 'up' ? TrendingUp : TrendingDown,
        isDisabled: isLate || isSet,
        hint,
        onSelect: () => setAct({ kind: 'set', round, direction }),
      })),
      {
        id: 'remove',
        label: texts.remove,
        icon: Trash2,
        tone: 'danger',
        isDisabled: isLate,
        hint: isLate ? texts.tooLate : undefined,
        onSelect: () => setAct({ kind: 'remove', round }),
      },
    ]
  }

  const panel = (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
      <CurrentRound type={type} onAct={setAct} />
      <DataTable
        tableId="phien"
        label={`${texts.title} ${type}`}
        columns={roundColumns}
        rowId={rowId}
        rowName={rowName}
        address={address}
        // Nothing here waits to be acted on in its row, and the list follows the clock (spec §4).
        held={{ rows: page.data?.rows, arrived: 0, isMoved: false, show: () => {}, drop: () => {} }}
        list={{
          meta: page.data?.meta,
          error: page.error,
          isStale: page.isPlaceholderData,
          retry: () => void page.refetch(),
          isRetrying: page.isFetching,
        }}
        arrivedText={String}
        loadPage={async (number, signal) => {
          const { rows, meta } = await listRounds(type, { ...query, page: number, limit: PAGE_LIMIT_MAX }, signal)
          return { rows, hasMore: meta.hasMore }
        }}
        actions={(round) =>
          round.isDeleted ? null : (
            <RowMenuButton
              label={adminTableTexts.moreActions(rowName(round))}
              icon={Ellipsis}
              groups={[{ id: 'acts', items: itemsOf(round) }]}
            />
          )
        }
        isFaded={(round) => round.isDeleted}
      />
    </div>
  )

  return (
    <>
      <Tabs
        isFilled
        label={texts.types}
        value={type}
        onChange={(value) => change({ filters: { type: value } })}
        tabs={ROUND_TYPES.map((value) => ({ value, label: value, content: value === type ? panel : null }))}
      />
      {act !== undefined && (
        <Suspense fallback={null}>
          <Dialogs act={act} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
    </>
  )
}
