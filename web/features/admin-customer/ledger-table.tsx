import { useMemo } from 'react'
import { customerLedgerList } from '#contract/customer.ts'
import type { LedgerRow } from '#contract/wallet.ts'
import { TRANSFER_REASONS, type TransferReason } from '#domain/ledger/transfers.ts'
import { formatCount } from '#web/platform/formats.ts'
import { pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import { DataTable } from '#web/lists/data-table.tsx'
import { dayBoxes, ListFilters, picker, wordsOf } from '#web/lists/list-filters.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import { declared } from '#web/lists/table-search.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { ledgerPage } from './api.ts'
import { actorText, type CustomerWords } from './timeline-words.ts'

/** The reasons of transfers that change the wallet. Lost stakes and paid withdrawals left it when they were held. */
const reasons = TRANSFER_REASONS.filter((reason) => reason !== 'BET_LOSS' && reason !== 'WITHDRAWAL_PAID')

const { filters, ...others } = declared(customerLedgerList)

const ledgerOf = (userId: string) =>
  adminList({
    id: 'so-diem-khach',
    ...others,
    filters: { ...filters, reason: ['all', ...reasons] },
    hiddenAtFirst: ['ref'],
    rowId: ({ id }: LedgerRow) => id,
    rowName: ({ position }) => texts.rowName(formatCount(position)),
    onlyGrows: true,
    pageQuery: (query) => ledgerPage(userId, query),
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.ledgerArrived },
  })

const columnsWith = (reasonWord: (reason: TransferReason) => string): ReadonlyArray<TableColumn<LedgerRow>> => [
  textColumn('reason', texts.reason, ({ reason }) => reasonWord(reason), {
    card: 'title',
    canHide: false,
    cell: ({ reason }) => <span className="font-medium">{reasonWord(reason)}</span>,
  }),
  {
    id: 'position',
    label: texts.position,
    align: 'end',
    cell: ({ position }) => <span className="text-ink-3">{formatCount(position)}</span>,
    csv: ({ position }) => position,
  },
  timeColumn('time', texts.time, ({ createdAtMs }) => createdAtMs, { card: 'line' }),
  pointsColumn('delta', texts.delta, ({ deltaMinor }) => deltaMinor, {
    kind: 'signed',
    className: 'font-medium',
    card: 'aside',
    canHide: false,
  }),
  pointsColumn('balanceAfter', texts.balanceAfter, ({ balanceAfterMinor }) => balanceAfterMinor, {
    canHide: false,
    card: 'line',
  }),
  textColumn('actor', texts.actor, ({ actor }) => actorText(actor), {
    cell: ({ actor }) => <span className="block max-w-32 truncate">{actorText(actor)}</span>,
  }),
  textColumn('note', texts.note, ({ note }) => note ?? '', {
    takesRest: 'cut',
    cell: ({ note }) => (
      <span title={note ?? ''} className="block min-w-16 truncate text-ink-2 max-md:whitespace-normal">
        {note ?? texts.none}
      </span>
    ),
  }),
  textColumn('ref', texts.ref, ({ ref }) => ref, {
    cell: ({ ref }) => <span className="text-ink-3 max-md:break-all">{ref}</span>,
  }),
]

export type LedgerTableProps = { readonly userId: string; readonly words: CustomerWords }

/** The transfers of a customer's wallet, with the balance after each (rules §4.9). */
export function LedgerTable({ userId, words: { reason: reasonWord } }: LedgerTableProps) {
  const list = useAdminList(useMemo(() => ledgerOf(userId), [userId]))
  const columns = useMemo(() => columnsWith(reasonWord), [reasonWord])
  const reason = picker(texts.reason, { all: texts.everyReason, ...wordsOf(reasons, reasonWord) })
  return (
    <DataTable
      label={texts.ledger}
      list={list}
      columns={columns}
      filters={<ListFilters list={list} shown={{ reason, ...dayBoxes }} />}
    />
  )
}
