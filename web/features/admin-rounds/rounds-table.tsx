import { noop, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { PAGE_LIMIT_DEFAULT, ROUNDS_SUMMED_TO } from '#contract/limits.ts'
import type { RoundTotals } from '#contract/staff-game.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatCount } from '#web/platform/formats.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent, stayJoined } from '#web/platform/socket.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { dayBoxes, foldedPicker, ListFilters, searchBox } from '#web/lists/list-filters.tsx'
import { readView } from '#web/lists/table-search.ts'
import { TotalsLine } from '#web/lists/totals-line.tsx'
import { adminList, pageQueryOf, useAdminList } from '#web/lists/use-admin-list.ts'
import { EyeOff } from '#web/ui/icons/eye-off.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import { TrendingDown } from '#web/ui/icons/trending-down.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { currentQuery, type Round, roundListSpec, roundsPage, roundTotalsQuery } from './api.ts'
import { CurrentRound } from './current-round.tsx'
import { roundColumns } from './round-columns.tsx'
import type { RoundAct } from './round-dialogs.tsx'
import { actsUntilMs } from './round-words.ts'

/** New rounds open all the time. A line above the rows announces them, so that no row moves under the pointer. */
const rounds = adminList({
  id: 'phien',
  ...roundListSpec,
  // These columns are hidden at first, so that bets and points have enough width.
  hiddenAtFirst: ['closesAt', 'openPrice', 'closePrice', 'source'],
  rowId: ({ id }: Round) => id,
  rowName: ({ roundNumber }) => texts.roundNumber(formatCount(roundNumber)),
  pageQuery: roundsPage,
  hold: { createdAtMs: ({ opensAtMs }) => opensAtMs, arrivedText: texts.arrived, quietText: texts.upToDate },
})

const folded = {
  ...dayBoxes,
  by: searchBox(texts.bySearch, 'w-full md:w-64'),
  voids: foldedPicker(texts.voided, { all: texts.everyRound, yes: texts.withVoids }),
}

const Dialogs = lazyComponent(() => import('./round-dialogs.tsx'), 'RoundDialogs')

/** Prefetches the current round and the rows that the address selects. */
export function prefetchRounds(search: Readonly<Record<string, unknown>>): void {
  const view = readView(search, rounds, PAGE_LIMIT_DEFAULT)
  queryClient.query(pageQueryOf(rounds, view)).catch(noop)
  queryClient.query(currentQuery(view.filters.type)).catch(noop)
}

/** Returns the acts on a round, disabled if it is too late or if a result is already announced (rules §2.9, §1.2). */
function menuItems(round: Round, onAct: (act: RoundAct) => void): readonly MenuItem[] {
  const onRemove = () => onAct({ kind: 'remove', round })
  if (round.status === 'ended')
    return [{ id: 'hide', label: texts.hide, icon: EyeOff, tone: 'danger', onSelect: onRemove }]
  const isLate = serverNowMs() >= actsUntilMs(round) || round.status !== 'running'
  const isSet = round.announcement !== null
  const late = { isDisabled: isLate, hint: isLate ? texts.tooLate : undefined }
  const lateOrSet = isSet && !isLate ? { isDisabled: true, hint: texts.alreadySet } : late
  const set = (direction: 'up' | 'down') => () => onAct({ kind: 'set', round, direction })
  return [
    { id: 'up', label: texts.setUp, icon: TrendingUp, ...lateOrSet, onSelect: set('up') },
    { id: 'down', label: texts.setDown, icon: TrendingDown, ...lateOrSet, onSelect: set('down') },
    { id: 'remove', label: texts.remove, icon: Trash2, tone: 'danger', ...late, onSelect: onRemove },
  ]
}

const totals = [
  { label: texts.round, value: ({ rounds: count }: RoundTotals) => formatCount(count) },
  { label: texts.bets, value: ({ bets }: RoundTotals) => formatCount(bets) },
  {
    label: texts.staked,
    value: ({ stakedMinor }: RoundTotals) => <AmountText kind="whole" amountMinor={stakedMinor} />,
  },
  { label: texts.net, value: ({ netMinor }: RoundTotals) => <AmountText kind="signed" amountMinor={netMinor} /> },
  { label: texts.voided, value: ({ voided }: RoundTotals) => formatCount(voided) },
]

/** Refetches the type's list as soon as one of its rounds opens, gets a result, is deleted or ends. */
function useRoundHints(type: RoundType): void {
  useEffect(() => {
    const stopHearing = onServerEvent('round_changed', (event) => {
      if (event.type === type) void refresh([...adminKeys.rounds, type])
    })
    return together(stopHearing, stayJoined('watch_game', 'unwatch_game', { type }))
  }, [type])
}

/** The rounds in tabs by type (spec §2.7), with the type's current round above the list. */
export function RoundsTable() {
  const list = useAdminList(rounds)
  const { type } = list.filters
  useRoundHints(type)
  const [act, setAct] = useState<RoundAct>()
  const may = useMay('rounds')
  const sums = useQuery(roundTotalsQuery(list.asked))
  const panel = (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
      <CurrentRound type={type} onAct={setAct} />
      <DataTable
        label={`${texts.title} ${type}`}
        list={list}
        columns={roundColumns}
        filters={<ListFilters list={list} folded={folded} />}
        totals={<TotalsLine query={sums} totals={totals} summedTo={ROUNDS_SUMMED_TO} />}
        {...(may && {
          menu: (round: Round) => (round.isDeleted ? [] : [{ id: 'acts', items: menuItems(round, setAct) }]),
        })}
        isFaded={(round) => round.isDeleted}
        dialog={
          act && (
            <Dialogs
              key={act.kind === 'create' ? act.type : act.round.id}
              act={act}
              onHidden={list.held.drop}
              onClose={() => setAct(undefined)}
            />
          )
        }
      />
    </div>
  )
  return (
    <Tabs
      isFilled
      label={texts.types}
      {...list.choice('type')}
      tabs={ROUND_TYPES.map((value) => ({ value, label: value, content: value === type ? panel : null }))}
    />
  )
}
