import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { CutText, ownerColumn, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import type { CashRequest } from './api.ts'
import { groupedNumber, kindWords, maskedNumber, memoOf, signedMinor, statusWords } from './request-words.ts'
import { RequestStatusMarks } from './request-status.tsx'

const cutColumn = (id: string, label: string, text: (request: CashRequest) => string) =>
  textColumn(id, label, text, {
    cell: (request) => <CutText text={text(request)} className="max-w-28 max-md:max-w-full" />,
  })

export const requestColumns: ReadonlyArray<TableColumn<CashRequest>> = [
  ownerColumn(texts.account, 'block max-w-28 max-md:max-w-full'),
  timeColumn('time', texts.time, ({ createdAtMs }) => createdAtMs, { sort: 'createdAt', card: 'line' }),
  textColumn('kind', texts.kind, ({ kind }) => kindWords[kind], { card: 'line' }),
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
        <CutText text={bank.bankName} className="max-w-24" />
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
      <CutText text={request.rejectionReason ?? memoOf(request)} className="max-w-full min-w-16 text-ink-2" />
    ),
  }),
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: (request) => <RequestStatusMarks request={request} />,
    csv: ({ status, proposal }) => (proposal == null ? statusWords[status].label : secondPersonTexts.waiting),
  },
  cutColumn('reason', texts.reason, ({ rejectionReason }) => rejectionReason ?? ''),
  cutColumn('decidedBy', texts.decidedBy, ({ decidedBy }) => decidedBy?.username ?? ''),
  timeColumn('decidedAt', texts.decidedAt, ({ decidedAtMs }) => decidedAtMs),
]
