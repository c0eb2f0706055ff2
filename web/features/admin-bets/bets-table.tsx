import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, EyeOff, UserRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { ChoiceBar, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowMenuButton } from '#web/ui/data-table/row-menu.tsx'
import { usePagedList } from '#web/ui/data-table/use-paged-list.ts'
import { useTableSearch } from '#web/ui/data-table/use-table-search.ts'
import { type Bet, betsQuery, listBets } from './api.ts'
import { betColumns } from './bet-columns.tsx'
import { BetCounters } from './bet-counters.tsx'

const spec = {
  filters: {
    q: 'text',
    status: ['all', 'open', 'won', 'lost', 'voided'],
    type: ['all', ...ROUND_TYPES],
  },
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['voidReason', 'settledAt'],
} as const

const rowId = ({ id }: Bet) => id
const rowName = ({ owner }: Bet) => owner.username
const createdAtMs = (bet: Bet) => bet.createdAtMs

const RemoveBetDialog = lazy(() =>
  import('./remove-bet-dialog.tsx').then((module) => ({ default: module.RemoveBetDialog })),
)

/** Bets of everybody (spec §2). */
export function BetsTable() {
  const navigate = useNavigate()
  const address = useTableSearch(spec)
  const { view, change } = address
  const { q, status, type } = view.filters
  const search = { ...(q !== '' && { username: q }), ...(type !== 'all' && { type }) }
  const query = {
    page: view.page,
    limit: view.limit,
    sort: view.sort,
    ...search,
    ...(status !== 'all' && { status }),
  }
  const page = useQuery({ ...betsQuery(query), placeholderData: keepPreviousData })
  const paged = usePagedList({
    query,
    page,
    load: listBets,
    rowId,
    createdAtMs,
  })
  const [removing, setRemoving] = useState<Bet>()
  const remove = (bet: Bet) => bet.status !== 'open' && setRemoving(bet)

  return (
    <>
      <BetCounters query={search} />
      <DataTable
        tableId="lich-su"
        label={texts.title}
        columns={betColumns}
        rowId={rowId}
        rowName={rowName}
        address={address}
        {...paged}
        arrivedText={texts.arrived}
        filters={
          <>
            <SearchBox
              label={adminTableTexts.search}
              text={q}
              onChange={(text) => change({ filters: { q: text } }, { isTyping: true })}
              className="w-full md:w-40"
            />
            <ChoiceBar
              label={texts.statusFilter}
              value={status}
              onChange={(value) => change({ filters: { status: value } })}
              choices={(['all', 'won', 'lost', 'open', 'voided'] as const).map((value) => ({
                value,
                label: texts[value],
              }))}
            />
            <Picker
              label={texts.typeFilter}
              value={type}
              onChange={(value) => change({ filters: { type: value } })}
              choices={[
                { value: 'all', label: texts.everyType },
                ...ROUND_TYPES.map((value) => ({ value, label: value })),
              ]}
              className="max-md:min-w-32 max-md:flex-1"
            />
          </>
        }
        actions={(bet) => (
          <RowMenuButton
            label={adminTableTexts.moreActions(bet.owner.username)}
            icon={Ellipsis}
            groups={[
              {
                id: 'see',
                items: [
                  {
                    id: 'user',
                    label: texts.openUser,
                    icon: UserRound,
                    onSelect: () => void navigate({ to: '/admin/user', search: { userId: bet.owner.id } }),
                  },
                ],
              },
              {
                id: 'remove',
                items: [
                  {
                    id: 'remove',
                    label: texts.remove,
                    icon: EyeOff,
                    tone: 'danger',
                    isDisabled: bet.status === 'open',
                    hint: bet.status === 'open' ? texts.removeOpen : undefined,
                    onSelect: () => remove(bet),
                  },
                ],
              },
            ]}
          />
        )}
      />
      {removing !== undefined && (
        <Suspense fallback={null}>
          <RemoveBetDialog
            bet={removing}
            onRemoved={() => paged.held.drop(removing.id)}
            onClose={() => setRemoving(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
