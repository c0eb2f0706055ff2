import { useMemo } from 'react'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { type Bet, betsPage } from './api.ts'
import { betColumns } from './bet-columns.tsx'

const columns = betColumns.filter(({ id }) => id !== 'round')

const listOf = (roundId: string) =>
  adminList({
    id: 'lenh-cua-phien',
    filters: { status: ['all', 'open', 'won', 'lost', 'voided'] },
    sorts: ['createdAt'],
    firstSort: '-createdAt',
    hiddenAtFirst: ['settledAt'],
    rowId: ({ id }: Bet) => id,
    rowName: ({ owner }) => owner.username,
    asked: ({ status }) => ({ roundId, ...(status !== 'all' && { status }) }),
    pageQuery: betsPage,
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
  })

export type BetsOfRoundProps = { readonly roundId: string; readonly label: string }

/** The bets of one round, as in the list of all bets. */
export function BetsOfRound({ roundId, label }: BetsOfRoundProps) {
  const list = useAdminList(useMemo(() => listOf(roundId), [roundId]))
  return <DataTable label={label} list={list} columns={columns} />
}
