import { minorToText } from '#domain/money.ts'
import { formatCount, formatDateTime, formatDay, formatMinute } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import { WaitingBadge } from '#web/ui/second-person.tsx'
import { RoundLink } from '#web/ui/round-link.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import { betStatusWords, betText, roundText, statusWords } from './dispute-words.ts'

const dayMs = 86_400_000

/** Whole days that a dispute has waited, or had waited when it was answered. */
const daysOf = ({ openedAtMs, answer }: Dispute): number =>
  Math.max(0, Math.floor(((answer?.atMs ?? serverNowMs()) - openedAtMs) / dayMs))

const daysText = (dispute: Dispute): string => {
  const days = daysOf(dispute)
  return days === 0 ? texts.today : texts.daysOpen(formatCount(days))
}

export const disputeColumns: ReadonlyArray<TableColumn<Dispute>> = [
  {
    id: 'account',
    label: texts.account,
    card: 'title',
    canHide: false,
    cell: ({ owner }) => <CustomerLink id={owner.id} name={owner.username} className="block max-w-36" />,
    csv: ({ owner }) => owner.username,
  },
  {
    id: 'openedAt',
    label: texts.openedAt,
    sort: 'openedAt',
    cell: ({ openedAtMs }) => `${formatDay(openedAtMs, serverNowMs())} ${formatMinute(openedAtMs)}`,
    csv: ({ openedAtMs }) => formatDateTime(openedAtMs),
  },
  {
    id: 'days',
    label: texts.days,
    align: 'end',
    cell: (dispute) => (dispute.status === 'open' ? daysText(dispute) : ''),
    csv: (dispute) => daysOf(dispute),
  },
  {
    id: 'round',
    label: texts.round,
    cell: (dispute) => (
      <RoundLink roundId={dispute.bet.round.id} className="whitespace-nowrap">
        {roundText(dispute)}
      </RoundLink>
    ),
    csv: roundText,
  },
  { id: 'bet', label: texts.bet, cell: betText, csv: betText },
  {
    id: 'result',
    label: texts.result,
    cell: ({ bet }) => (
      <span className="whitespace-nowrap">
        {betStatusWords[bet.status]} <AmountText amountMinor={bet.profitMinor} kind="signed" />
      </span>
    ),
    csv: ({ bet }) => ({ decimal: minorToText(bet.profitMinor) }),
  },
  {
    id: 'text',
    label: texts.text,
    takesRest: 'cut',
    cell: ({ text }) => (
      <span title={text} className="block min-w-16 truncate text-ink-2 max-md:max-w-full">
        {text}
      </span>
    ),
    csv: ({ text }) => text,
  },
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: ({ status, proposal }) =>
      proposal == null ? (
        <Badge tone={statusWords[status].tone}>{texts[status]}</Badge>
      ) : (
        <WaitingBadge proposal={proposal} />
      ),
    csv: ({ status }) => texts[status],
  },
  {
    id: 'answerText',
    label: texts.answerText,
    cell: ({ answer }) => <span className="block max-w-40 truncate">{answer?.text ?? ''}</span>,
    csv: ({ answer }) => answer?.text ?? '',
  },
  {
    id: 'answeredBy',
    label: texts.answeredBy,
    cell: ({ answer }) => answer?.by.username ?? '',
    csv: ({ answer }) => answer?.by.username ?? '',
  },
  {
    id: 'answeredAt',
    label: texts.answeredAt,
    cell: ({ answer }) => (answer === null ? '' : formatDateTime(answer.atMs)),
    csv: ({ answer }) => (answer === null ? '' : formatDateTime(answer.atMs)),
  },
  {
    id: 'correction',
    label: texts.correction,
    align: 'end',
    cell: ({ answer }) =>
      answer === null || answer.correctionMinor === null ? (
        ''
      ) : (
        <AmountText amountMinor={answer.correctionMinor} kind="signed" />
      ),
    csv: ({ answer }) =>
      answer === null || answer.correctionMinor === null ? '' : { decimal: minorToText(answer.correctionMinor) },
  },
]
