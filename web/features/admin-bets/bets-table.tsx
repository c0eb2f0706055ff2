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
import { type Bet, betCountsQuery, betsPage } from './api.ts'
import { betColumns } from './bet-columns.tsx'
import { BetCounters } from './bet-counters.tsx'

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
