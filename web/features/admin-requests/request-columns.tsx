import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { WaitingBadge } from '#web/parts/second-person.tsx'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { ownerColumn, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import type { CashRequest } from './api.ts'
import { groupedNumber, kindWords, maskedNumber, memoOf, signedMinor, statusWords } from './request-words.ts'
import { Viewers } from './viewers.tsx'

/** A long text, cut to one line. */
function Cut({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return (
    <span title={text} className={`block max-w-28 truncate max-md:max-w-full ${className}`}>
      {text}
    </span>
  )
}

const cutColumn = (id: string, label: string, text: (request: CashRequest) => string) =>
  textColumn(id, label, text, { cell: (request) => <Cut text={text(request)} /> })

/** A pending request that somebody has open says who, in the place of what every row of the queue says. */
function StatusBadge({ id, status }: Pick<CashRequest, 'id' | 'status'>) {
  const { tone, label } = statusWords[status]
  const badge = <Badge tone={tone}>{label}</Badge>
  return status === 'pending' ? <Viewers requestId={id} otherwise={badge} /> : badge
}

export const requestColumns: ReadonlyArray<TableColumn<CashRequest>> = [
  ownerColumn(texts.account, 'block max-w-28 max-md:max-w-full'),
  timeColumn('time', texts.time, ({ createdAtMs }) => createdAtMs, { sort: 'createdAt' }),
  textColumn('kind', texts.kind, ({ kind }) => kindWords[kind]),
  pointsColumn('amount', texts.amount, signedMinor, {
    kind: 'signed',
    className: 'font-medium',
    sort: 'money',
    card: 'aside',
    canHide: false,
  }),
  textColumn('bank', texts.bank, ({ bank }) => bank.bankName, {
    needsRoom: true,
    cell: ({ bank }) => (
      <span className="flex items-baseline gap-1.5 text-ink-2">
        <Cut text={bank.bankName} className="max-w-24!" />
        {maskedNumber(bank.accountNumber)}
      </span>
    ),
  }),
  textColumn('number', texts.number, ({ bank }) => groupedNumber(bank.accountNumber)),
  cutColumn('holder', texts.holder, ({ bank }) => bank.accountHolder),
  textColumn('memo', texts.memo, memoOf, {
    takesRest: 'cut',
    needsRoom: true,
    cell: (request) => (
      <Cut text={request.rejectionReason ?? memoOf(request)} className="max-w-full! min-w-16 text-ink-2" />
    ),
  }),
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: ({ id, status, proposal }) =>
      proposal == null ? <StatusBadge id={id} status={status} /> : <WaitingBadge proposal={proposal} />,
    csv: ({ status, proposal }) => (proposal == null ? statusWords[status].label : secondPersonTexts.waiting),
  },
  cutColumn('reason', texts.reason, ({ rejectionReason }) => rejectionReason ?? ''),
  cutColumn('decidedBy', texts.decidedBy, ({ decidedBy }) => decidedBy?.username ?? ''),
  timeColumn('decidedAt', texts.decidedAt, ({ decidedAtMs }) => decidedAtMs),
]
