import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { minorToText } from '#domain/money.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import { WaitingBadge } from '#web/ui/second-person.tsx'
import { secondPersonTexts } from '#web/ui/second-person-texts.ts'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import type { CashRequest } from './api.ts'
import {
  groupedNumber,
  kindWords,
  maskedNumber,
  memoOf,
  momentText,
  signedMinor,
  statusWords,
} from './request-words.ts'
import { Viewers } from './viewers.tsx'

/** A long text, cut to one line. */
function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return (
    <span title={text} className={`block max-w-28 truncate max-md:max-w-full ${className}`}>
      {text}
    </span>
  )
}

/** A pending request that somebody has open says who, in the place of what every row of the queue says. */
function StatusBadge({ id, status }: Pick<CashRequest, 'id' | 'status'>) {
  const { tone, label } = statusWords[status]
  const badge = <Badge tone={tone}>{label}</Badge>
  return status === 'pending' ? <Viewers requestId={id} otherwise={badge} /> : badge
}

export const requestColumns: ReadonlyArray<TableColumn<CashRequest>> = [
  {
    id: 'account',
    label: texts.account,
    card: 'title',
    canHide: false,
    cell: ({ owner }) => (
      <CustomerLink id={owner.id} name={owner.username} className="block max-w-28 max-md:max-w-full" />
    ),
    csv: ({ owner }) => owner.username,
  },
  {
    id: 'time',
    label: texts.time,
    sort: 'createdAt',
    cell: ({ createdAtMs }) => momentText(createdAtMs),
    csv: ({ createdAtMs }) => formatDateTime(createdAtMs),
  },
  {
    id: 'kind',
    label: texts.kind,
    cell: ({ kind }) => kindWords[kind],
    csv: ({ kind }) => kindWords[kind],
  },
  {
    id: 'amount',
    label: texts.amount,
    align: 'end',
    sort: 'money',
    card: 'aside',
    canHide: false,
    cell: (request) => <AmountText kind="signed" amountMinor={signedMinor(request)} className="font-medium" />,
    csv: (request) => ({ decimal: minorToText(signedMinor(request)) }),
  },
  {
    id: 'bank',
    label: texts.bank,
    needsRoom: true,
    cell: ({ bank }) => (
      <span className="flex items-baseline gap-1.5 text-ink-2">
        <Cut text={bank.bankName} className="max-w-24!" />
        {maskedNumber(bank.accountNumber)}
      </span>
    ),
    csv: ({ bank }) => bank.bankName,
  },
  {
    id: 'number',
    label: texts.number,
    cell: ({ bank }) => groupedNumber(bank.accountNumber),
    csv: ({ bank }) => groupedNumber(bank.accountNumber),
  },
  {
    id: 'holder',
    label: texts.holder,
    cell: ({ bank }) => <Cut text={bank.accountHolder} />,
    csv: ({ bank }) => bank.accountHolder,
  },
  {
    id: 'memo',
    label: texts.memo,
    takesRest: 'cut',
    needsRoom: true,
    cell: (request) => (
      <Cut text={request.rejectionReason ?? memoOf(request)} className="max-w-full! min-w-16 text-ink-2" />
    ),
    csv: memoOf,
  },
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: ({ id, status, proposal }) =>
      proposal == null ? <StatusBadge id={id} status={status} /> : <WaitingBadge proposal={proposal} />,
    csv: ({ status, proposal }) => (proposal == null ? statusWords[status].label : secondPersonTexts.waiting),
  },
  {
    id: 'reason',
    label: texts.reason,
    cell: ({ rejectionReason }) => <Cut text={rejectionReason ?? ''} />,
    csv: ({ rejectionReason }) => rejectionReason ?? '',
  },
  {
    id: 'decidedBy',
    label: texts.decidedBy,
    cell: ({ decidedBy }) => <Cut text={decidedBy?.username ?? ''} />,
    csv: ({ decidedBy }) => decidedBy?.username ?? '',
  },
  {
    id: 'decidedAt',
    label: texts.decidedAt,
    cell: ({ decidedAtMs }) => (decidedAtMs === null ? '' : momentText(decidedAtMs)),
    csv: ({ decidedAtMs }) => (decidedAtMs === null ? '' : formatDateTime(decidedAtMs)),
  },
]
