import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { EyeOff, UserRound } from 'lucide-react'
import { lazy, useMemo, useState } from 'react'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { BetCounts } from '#contract/staff-game.ts'
import { BASES, VOID_REASONS } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { formatCount } from '#web/platform/formats.ts'
import { useMay } from '#web/platform/use-may.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { AmountBox } from '#web/ui/data-table/amount-box.tsx'
import { ChoiceBar, DayBox, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { MoreFilters } from '#web/ui/data-table/more-filters.tsx'
import { amountsAsked, daysAsked, type FilterValues, given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { TotalsLine } from '#web/ui/data-table/totals-line.tsx'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { type Bet, betCountsQuery, type BetFilters, betsPage } from './api.ts'
import { basisWords, betColumns, voidWords } from './bet-columns.tsx'
import { BetCounters } from './bet-counters.tsx'

const filters = {
  q: 'text',
  status: ['all', 'open', 'won', 'lost', 'voided'],
  type: ['all', ...ROUND_TYPES],
  from: 'day',
  to: 'day',
  min: 'points',
  max: 'points',
  basis: ['all', ...BASES],
  voidReason: ['all', ...VOID_REASONS],
  by: 'text',
} as const
const folded = ['from', 'to', 'min', 'max', 'basis', 'voidReason', 'by'] as const

/** What the filters ask for; the counters are by status, so they leave it out. */
const askedOf = (userId: string | null, values: FilterValues<typeof filters>): BetFilters => {
  const { q, status, type, basis, voidReason, by } = values
  return {
    ...given({ username: q, status, type, basis, voidReason, by }),
    ...daysAsked(values),
    ...amountsAsked(values),
    ...(userId !== null && { userId }),
  }
}

/** @param userId whose page the list stands on; null for the list of everybody's */
const betsOf = (userId: string | null) =>
  adminList({
    id: userId === null ? 'lich-su' : 'lich-su-khach',
    filters,
    sorts: ['createdAt'],
    firstSort: '-createdAt',
    hiddenAtFirst: ['voidReason', 'settledAt'],
    rowId: ({ id }: Bet) => id,
    rowName: ({ owner }) => owner.username,
    asked: (values) => askedOf(userId, values),
    pageQuery: betsPage,
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
  })

const RemoveBetDialog = lazy(() =>
  import('./remove-bet-dialog.tsx').then((module) => ({ default: module.RemoveBetDialog })),
)

/** Without the name; the round leads a phone's card in its place. */
const columnsOfUser = betColumns.flatMap((column) =>
  column.id === 'account'
    ? []
    : [column.id === 'round' ? { ...column, card: 'title' as const, canHide: false } : column],
)

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

/** All players' bets (spec §2), or with `userId` one's on their page. */
export function BetsTable({ userId }: { readonly userId?: string }) {
  const navigate = useNavigate()
  const list = useAdminList(useMemo(() => betsOf(userId ?? null), [userId]))
  const asked = askedOf(userId ?? null, list.filters)
  const { status: _, ...ofEveryStatus } = asked
  const sums = useQuery(betCountsQuery(asked))
  const [removing, setRemoving] = useState<Bet>()
  const may = useMay('rounds')
  const openUser = ({ owner }: Bet) => void navigate({ to: '/admin/user/$id', params: { id: owner.id } })
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
        filters={
          <>
            {userId === undefined && (
              <SearchBox label={adminTableTexts.search} {...list.search('q')} className="w-full md:w-40" />
            )}
            <ChoiceBar
              label={texts.statusFilter}
              {...list.choice('status')}
              choices={(['all', 'won', 'lost', 'open', 'voided'] as const).map((value) => ({
                value,
                label: texts[value],
              }))}
            />
            <Picker
              label={texts.typeFilter}
              {...list.choice('type')}
              choices={[
                { value: 'all', label: texts.everyType },
                ...ROUND_TYPES.map((value) => ({ value, label: value })),
              ]}
              className="max-md:min-w-32 max-md:flex-1"
            />
            <MoreFilters {...list.fold(folded)}>
              <DayBox label={adminTableTexts.fromDay} {...list.search('from')} />
              <DayBox label={adminTableTexts.toDay} {...list.search('to')} />
              <AmountBox label={adminTableTexts.fromPoints} {...list.search('min')} />
              <AmountBox label={adminTableTexts.toPoints} {...list.search('max')} />
              <Picker
                label={texts.basis}
                {...list.choice('basis')}
                choices={[
                  { value: 'all', label: texts.everyBasis },
                  ...BASES.map((value) => ({ value, label: basisWords[value] })),
                ]}
                className="max-md:w-full"
              />
              <Picker
                label={texts.voidReason}
                {...list.choice('voidReason')}
                choices={[
                  { value: 'all', label: texts.everyVoid },
                  ...VOID_REASONS.map((value) => ({ value, label: voidWords[value] })),
                ]}
                className="max-md:w-full"
              />
              <SearchBox label={texts.bySearch} {...list.search('by')} className="w-full md:w-60" />
            </MoreFilters>
          </>
        }
        menu={(bet) => [
          {
            id: 'see',
            items: [{ id: 'user', label: texts.openUser, icon: UserRound, onSelect: () => openUser(bet) }],
          },
          ...(may ? [{ id: 'remove', items: [removeItem(bet)] }] : []),
        ]}
        dialog={
          removing && (
            <RemoveBetDialog
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
