import { dayMinuteText } from '#web/platform/day-minute.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CutText, ownerColumn, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import { TimeLeft } from '#web/ui/ticking-text.tsx'
import type { Proposal } from './api.ts'
import { proposalTexts as texts } from './proposal-texts.ts'
import { changeText, signedMinor, statusTones, waitingWords } from './proposal-words.ts'

function State({ proposal }: { readonly proposal: Proposal }) {
  const { status, expiresAtMs } = proposal
  const waiting = waitingWords(proposal)
  if (status !== 'open') return <Badge tone={statusTones[status]}>{texts[status]}</Badge>
  if (waiting === null)
    return (
      <Badge tone="warn">
        <span className="pr-1">{texts.left}</span>
        <TimeLeft endsAtMs={expiresAtMs} label={texts.left} />
      </Badge>
    )
  return (
    <span title={waiting.why}>
      <Badge tone="down">{waiting.short}</Badge>
    </span>
  )
}

const balanceText = (proposal: Proposal): string => (proposal.status === 'open' ? changeText(proposal).text : '')

export const proposalColumns: ReadonlyArray<TableColumn<Proposal>> = [
  ownerColumn(texts.account, 'block max-w-36 max-md:max-w-full'),
  timeColumn('proposedAt', texts.proposedAt, ({ proposedAtMs }) => proposedAtMs, {
    sort: 'createdAt',
    show: dayMinuteText,
  }),
  textColumn('kind', texts.kind, ({ kind }) => texts[kind], { card: 'line' }),
  pointsColumn('amount', texts.amount, signedMinor, {
    kind: 'signed',
    className: 'font-medium',
    card: 'aside',
    canHide: false,
  }),
  textColumn('balance', texts.balance, balanceText, {
    align: 'end',
    cell: (proposal) =>
      proposal.status === 'open' ? <span className="whitespace-nowrap">{balanceText(proposal)}</span> : '',
  }),
  textColumn('proposedBy', texts.proposedBy, ({ proposedBy }) => proposedBy.username, {
    card: 'line',
    cell: ({ proposedBy: { username } }) => <CutText text={username} className="max-w-28 max-md:max-w-full" />,
  }),
  textColumn('reason', texts.reason, ({ reason }) => reason ?? '', {
    takesRest: 'cut',
    cell: ({ reason }) => <CutText text={reason ?? ''} className="min-w-16 text-ink-2 max-md:max-w-full" />,
  }),
  textColumn('status', texts.status, ({ status }) => texts[status], {
    card: 'aside',
    canHide: false,
    cell: (proposal) => <State proposal={proposal} />,
  }),
  timeColumn('expiresAt', texts.expiresAt, ({ expiresAtMs }) => expiresAtMs, { show: dayMinuteText }),
  textColumn('endedBy', texts.endedBy, ({ endedBy }) => endedBy?.username ?? ''),
  timeColumn('endedAt', texts.endedAt, ({ endedAtMs }) => endedAtMs, { show: dayMinuteText }),
  textColumn('endReason', texts.endReason, ({ endReason }) => endReason ?? '', {
    cell: ({ endReason }) => <span className="block max-w-40 truncate">{endReason ?? ''}</span>,
  }),
]
