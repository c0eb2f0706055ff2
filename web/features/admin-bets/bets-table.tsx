import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { type BetCounts, betList } from '#contract/staff-game.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useMay } from '#web/platform/use-may.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { amountBoxes } from '#web/lists/amount-box.tsx'
import { columnsOfOwner } from '#web/lists/columns.tsx'
import { DataTable } from '#web/lists/data-table.tsx'
import { choiceBar, dayBoxes, foldedPicker, ListFilters, picker, searchBox, wordsOf } from '#web/lists/list-filters.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { TotalsLine } from '#web/lists/totals-line.tsx'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { useOpenUser } from '#web/lists/use-open-user.ts'
import { EyeOff } from '#web/ui/icons/eye-off.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { type Bet, betCountsQuery, betsPage, type BetFilters } from './api.ts'
import { betColumns } from './bet-columns.tsx'
import { countText } from '#web/lists/pager.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** @param userId the player whose page shows the list; null for the list of all players */
const betsOf = (userId: string | null) =>
  adminList({
    id: userId === null ? 'lich-su' : 'lich-su-khach',
    ...declared(betList, userId === null ? {} : { fixed: { userId } }),
    hiddenAtFirst: ['voidReason', 'settledAt'],
    rowId: ({ id }: Bet) => id,
    rowName: ({ owner }) => owner.username,
    ...(userId === null && { besideRem: 23 }),
    pageQuery: betsPage,
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
  })

const controlsOfUser = {
  status: choiceBar(
    texts.status,
    wordsOf(['all', 'won', 'lost', 'open', 'voided'], (value) => texts[value]),
  ),
  type: picker(texts.typeFilter, { all: texts.everyType, ...wordsOf(ROUND_TYPES, (value) => value) }),
}
const controls = { q: searchBox(adminTableTexts.search, 'w-full md:w-40'), ...controlsOfUser }
const folded = {
  ...dayBoxes,
  ...amountBoxes,
  basis: foldedPicker(texts.basis, { all: texts.everyBasis, ...texts.bases }),
  voidReason: foldedPicker(texts.voidReason, { all: texts.everyVoid, ...texts.voidReasons }),
  by: searchBox(texts.bySearch, 'w-full md:w-60'),
}

const RemoveBetDialog = lazyComponent(() => import('./remove-bet-dialog.tsx'), 'RemoveBetDialog')

const columnsOfUser = columnsOfOwner(betColumns, 'round')

const countOf = ({ open, won, lost, voided, leftOut }: BetCounts): number => open + won + lost + voided + leftOut

const totals = [
  { label: texts.bets, value: (sums: BetCounts) => formatCount(countOf(sums)) },
  { label: texts.staked, value: ({ stakedMinor }: BetCounts) => <AmountText kind="whole" amountMinor={stakedMinor} /> },
  {
    label: texts.voided,
    value: ({ returnedMinor }: BetCounts) => <AmountText kind="whole" amountMinor={returnedMinor} />,
  },
  { label: texts.net, value: ({ netMinor }: BetCounts) => <AmountText kind="signed" amountMinor={netMinor} /> },
]

/** The bets of all players (spec §2.7), or with `userId` the bets of one player, on that player's page. */
export function BetsTable({ userId }: { readonly userId?: string }) {
  const openUser = useOpenUser()
  const list = useAdminList(useMemo(() => betsOf(userId ?? null), [userId]))
  const { status: _, ...ofEveryStatus } = list.asked
  const sums = useQuery(betCountsQuery(list.asked))
  const [removing, setRemoving] = useState<Bet>()
  const may = useMay('rounds')
  const removeItem = (bet: Bet) => ({
    id: 'remove',
    label: texts.remove,
    icon: EyeOff,
    tone: 'danger' as const,
    isDisabled: bet.status === 'open',
    hint: bet.status === 'open' ? texts.removeOpen : undefined,
    onSelect: () => setRemoving(bet),
  })
  return (
    <>
      <BetCounters query={ofEveryStatus} />
      <DataTable
        label={texts.title}
        list={list}
        columns={userId === undefined ? betColumns : columnsOfUser}
        totals={<TotalsLine query={sums} totals={totals} summedTo={TOTAL_COUNTED_TO} />}
        filters={<ListFilters list={list} shown={userId === undefined ? controls : controlsOfUser} folded={folded} />}
        menu={(bet) => [
          { id: 'see', items: [openUser(bet.owner.id)] },
          { id: 'remove', items: may ? [removeItem(bet)] : [] },
        ]}
        dialog={
          removing && (
            <RemoveBetDialog
              key={removing.id}
              bet={removing}
              onRemoved={() => list.held.drop(removing.id)}
              onClose={() => setRemoving(undefined)}
            />
          )
        }
      />
    </>
  )
}

const counters = [
  { status: 'won', label: texts.won, look: 'text-up' },
  { status: 'lost', label: texts.lost, look: 'text-down' },
  { status: 'open', label: texts.open, look: 'text-info' },
  { status: 'voided', label: texts.voided, look: 'text-ink-2' },
] as const

/** The number of bets of each status. Bets that staff or a script decided are counted apart (rules §1.2). */
function BetCounters({ query }: { readonly query: Omit<BetFilters, 'status'> }) {
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
