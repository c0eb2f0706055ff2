import { minorToText } from '#domain/money.ts'
import { formatDateTime, formatDay, formatMinute } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import { TimeLeft } from '#web/ui/ticking-text.tsx'
import type { Proposal } from './api.ts'
import { proposalTexts as texts } from './proposal-texts.ts'
import { changeText, signedMinor, statusTones } from './proposal-words.ts'

const momentText = (atMs: number): string => `${formatDay(atMs, serverNowMs())} ${formatMinute(atMs)}`

/** What became of it; while it waits, for how long still, and whether anybody could confirm it. */
function State({ proposal: { status, hasSecondPerson, expiresAtMs } }: { readonly proposal: Proposal }) {
  if (status !== 'open') return <Badge tone={statusTones[status]}>{texts[status]}</Badge>
  if (hasSecondPerson)
    return (
      <Badge tone="warn">
        <span className="pr-1">{texts.left}</span>
        <TimeLeft endsAtMs={expiresAtMs} label={texts.left} />
      </Badge>
    )
  return (
    <span title={texts.nobodyElseWhy}>
      <Badge tone="down">{texts.nobodyElse}</Badge>
    </span>
  )
}

/** A name, cut to one line. */
const cut = (text: string, className = '') => (
  <span title={text} className={`block max-w-28 truncate max-md:max-w-full ${className}`}>
    {text}
  </span>
)

export const proposalColumns: ReadonlyArray<TableColumn<Proposal>> = [
  {
    id: 'account',
    label: texts.account,
    card: 'title',
    canHide: false,
    cell: ({ owner }) => (
      <CustomerLink id={owner.id} name={owner.username} className="block max-w-36 max-md:max-w-full" />
    ),
    csv: ({ owner }) => owner.username,
  },
  {
    id: 'proposedAt',
    label: texts.proposedAt,
    sort: 'createdAt',
    cell: ({ proposedAtMs }) => momentText(proposedAtMs),
    csv: ({ proposedAtMs }) => formatDateTime(proposedAtMs),
  },
  { id: 'kind', label: texts.kind, cell: ({ kind }) => texts[kind], csv: ({ kind }) => texts[kind] },
  {
    id: 'amount',
    label: texts.amount,
    align: 'end',
    card: 'aside',
    canHide: false,
    cell: (proposal) => <AmountText kind="signed" amountMinor={signedMinor(proposal)} className="font-medium" />,
    csv: (proposal) => ({ decimal: minorToText(signedMinor(proposal)) }),
  },
  {
    id: 'balance',
    label: texts.balance,
    align: 'end',
    cell: (proposal) =>
      proposal.status === 'open' ? <span className="whitespace-nowrap">{changeText(proposal).text}</span> : '',
    csv: (proposal) => (proposal.status === 'open' ? changeText(proposal).text : ''),
  },
  {
    id: 'proposedBy',
    label: texts.proposedBy,
    cell: ({ proposedBy }) => cut(proposedBy.username),
    csv: ({ proposedBy }) => proposedBy.username,
  },
  {
    id: 'reason',
    label: texts.reason,
    takesRest: 'cut',
    cell: ({ reason }) => (
      <span title={reason ?? undefined} className="block min-w-16 truncate text-ink-2 max-md:max-w-full">
        {reason ?? ''}
      </span>
    ),
    csv: ({ reason }) => reason ?? '',
  },
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    canHide: false,
    cell: (proposal) => <State proposal={proposal} />,
    csv: ({ status }) => texts[status],
  },
  {
    id: 'expiresAt',
    label: texts.expiresAt,
    cell: ({ expiresAtMs }) => momentText(expiresAtMs),
    csv: ({ expiresAtMs }) => formatDateTime(expiresAtMs),
  },
  {
    id: 'endedBy',
    label: texts.endedBy,
    cell: ({ endedBy }) => endedBy?.username ?? '',
    csv: ({ endedBy }) => endedBy?.username ?? '',
  },
  {
    id: 'endedAt',
    label: texts.endedAt,
    cell: ({ endedAtMs }) => (endedAtMs === null ? '' : momentText(endedAtMs)),
    csv: ({ endedAtMs }) => (endedAtMs === null ? '' : formatDateTime(endedAtMs)),
  },
  {
    id: 'endReason',
    label: texts.endReason,
    cell: ({ endReason }) => <span className="block max-w-40 truncate">{endReason ?? ''}</span>,
    csv: ({ endReason }) => endReason ?? '',
  },
]
