import { useNavigate } from '@tanstack/react-router'
import { EyeOff, UserRound } from 'lucide-react'
import { lazy, useState } from 'react'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { ChoiceBar, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { type Bet, betsPage } from './api.ts'
import { betColumns } from './bet-columns.tsx'
import { BetCounters } from './bet-counters.tsx'

const bets = adminList({
  id: 'lich-su',
  filters: {
    q: 'text',
    status: ['all', 'open', 'won', 'lost', 'voided'],
    type: ['all', ...ROUND_TYPES],
  },
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['voidReason', 'settledAt'],
  rowId: ({ id }: Bet) => id,
  rowName: ({ owner }) => owner.username,
  asked: ({ q, status, type }) => given({ username: q, status, type }),
  pageQuery: betsPage,
  hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
})

const RemoveBetDialog = lazy(() =>
  import('./remove-bet-dialog.tsx').then((module) => ({ default: module.RemoveBetDialog })),
)

/** All players' bets (spec §2). */
export function BetsTable() {
  const navigate = useNavigate()
  const list = useAdminList(bets)
  const { q, type } = list.filters
  const [removing, setRemoving] = useState<Bet>()
  const openUser = ({ owner }: Bet) => void navigate({ to: '/admin/user', search: { userId: owner.id } })
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
      <BetCounters query={given({ username: q, type })} />
      <DataTable
        label={texts.title}
        list={list}
        columns={betColumns}
        filters={
          <>
            <SearchBox label={adminTableTexts.search} {...list.search('q')} className="w-full md:w-40" />
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
          </>
        }
        menu={(bet) => [
          {
            id: 'see',
            items: [{ id: 'user', label: texts.openUser, icon: UserRound, onSelect: () => openUser(bet) }],
          },
          { id: 'remove', items: [removeItem(bet)] },
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
