import { useMemo } from 'react'
import type { LedgerRow } from '#contract/wallet.ts'
import { TRANSFER_REASONS, type TransferReason } from '#domain/ledger/transfers.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatDateTime, formatDay, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { DayBox, Picker } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import { daysAsked, given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { ledgerPage } from './api.ts'
import type { CustomerWords } from './timeline-words.ts'

/** Reasons that change a balance: a lost stake and a paid withdrawal had already left it. */
const reasons = TRANSFER_REASONS.filter((reason) => reason !== 'BET_LOSS' && reason !== 'WITHDRAWAL_PAID')

const ledgerOf = (userId: string) =>
  adminList({
    id: 'so-diem-khach',
    filters: { reason: ['all', ...reasons], from: 'day', to: 'day' },
    sorts: [],
    firstSort: '-position',
    hiddenAtFirst: ['ref'],
    rowId: ({ id }: LedgerRow) => id,
    rowName: ({ position }) => texts.rowName(formatCount(position)),
    asked: ({ reason, ...days }) => ({ ...given({ reason }), ...daysAsked(days) }),
    pageQuery: (query) => ledgerPage(userId, query),
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.ledgerArrived },
  })

const actorText = (actor: string): string => (actor === 'system' ? texts.system : actor)

const columnsWith = (reasonWord: (reason: TransferReason) => string): ReadonlyArray<TableColumn<LedgerRow>> => [
  {
    id: 'reason',
    label: texts.reason,
    card: 'title',
    canHide: false,
    cell: ({ reason }) => <span className="font-medium">{reasonWord(reason)}</span>,
    csv: ({ reason }) => reasonWord(reason),
  },
  {
    id: 'position',
    label: texts.position,
    align: 'end',
    cell: ({ position }) => <span className="text-ink-3">{formatCount(position)}</span>,
    csv: ({ position }) => position,
  },
  {
    id: 'time',
    label: texts.time,
    cell: ({ createdAtMs }) => `${formatDay(createdAtMs, serverNowMs())} ${formatTime(createdAtMs)}`,
    csv: ({ createdAtMs }) => formatDateTime(createdAtMs),
  },
  {
    id: 'delta',
    label: texts.delta,
    align: 'end',
    card: 'aside',
    canHide: false,
    cell: ({ deltaMinor }) => <AmountText kind="signed" amountMinor={deltaMinor} className="font-medium" />,
    csv: ({ deltaMinor }) => ({ decimal: minorToText(deltaMinor) }),
  },
  {
    id: 'balanceAfter',
    label: texts.balanceAfter,
    align: 'end',
    canHide: false,
    cell: ({ balanceAfterMinor }) => <AmountText amountMinor={balanceAfterMinor} />,
    csv: ({ balanceAfterMinor }) => ({ decimal: minorToText(balanceAfterMinor) }),
  },
  {
    id: 'actor',
    label: texts.actor,
    cell: ({ actor }) => <span className="block max-w-32 truncate">{actorText(actor)}</span>,
    csv: ({ actor }) => actorText(actor),
  },
  {
    id: 'note',
    label: texts.note,
    takesRest: 'cut',
    cell: ({ note }) => (
      <span title={note ?? ''} className="block min-w-16 truncate text-ink-2 max-md:whitespace-normal">
        {note ?? texts.none}
      </span>
    ),
    csv: ({ note }) => note ?? '',
  },
  {
    id: 'ref',
    label: texts.ref,
    cell: ({ ref }) => <span className="text-ink-3 max-md:break-all">{ref}</span>,
    csv: ({ ref }) => ref,
  },
]

export type LedgerTableProps = { readonly userId: string; readonly words: CustomerWords }

/** A customer's ledger with its running balance, as its owner reads it (rules §1.3). */
export function LedgerTable({ userId, words: { reason: reasonWord } }: LedgerTableProps) {
  const list = useAdminList(useMemo(() => ledgerOf(userId), [userId]))
  const columns = useMemo(() => columnsWith(reasonWord), [reasonWord])
  return (
    <DataTable
      label={texts.ledger}
      list={list}
      columns={columns}
      filters={
        <>
          <Picker
            label={texts.reason}
            {...list.choice('reason')}
            choices={[
              { value: 'all', label: texts.everyReason },
              ...reasons.map((value) => ({ value, label: reasonWord(value) })),
            ]}
            className="max-md:min-w-32 max-md:flex-1"
          />
          <DayBox label={adminTableTexts.fromDay} {...list.search('from')} />
          <DayBox label={adminTableTexts.toDay} {...list.search('to')} />
        </>
      }
    />
  )
}
