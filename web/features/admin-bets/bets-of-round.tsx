import { useMemo } from 'react'
import { betList } from '#contract/staff-game.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { type Bet, betsPage } from './api.ts'
import { betColumns } from './bet-columns.tsx'

const columns = betColumns.filter(({ id }) => id !== 'round')

const listOf = (roundId: string) =>
  adminList({
    id: 'lenh-cua-phien',
    ...declared({ ...betList, filters: { status: betList.filters.status } }),
    hiddenAtFirst: ['settledAt'],
    rowId: ({ id }: Bet) => id,
    rowName: ({ owner }) => owner.username,
    pageQuery: (query) => betsPage({ ...query, roundId }),
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
  })

export function BetsOfRound({ roundId, label }: { readonly roundId: string; readonly label: string }) {
  const list = useAdminList(useMemo(() => listOf(roundId), [roundId]))
  return <DataTable label={label} list={list} columns={columns} />
}
