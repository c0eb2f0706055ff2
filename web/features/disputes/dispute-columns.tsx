import { dayMinuteText } from '#web/platform/day-minute.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { CutText, ownerColumn, pointsColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import { WaitingBadge } from '#web/parts/second-person.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import type { Dispute } from './api.ts'
import { disputeTexts } from './dispute-texts.ts'
import { betText, roundText, statusWords } from './dispute-words.ts'

const dayMs = 86_400_000

/** Returns the whole days that a dispute has waited, or had waited when it was answered. */
const daysOf = ({ openedAtMs, answer }: Dispute): number =>
  Math.max(0, Math.floor(((answer?.atMs ?? serverNowMs()) - openedAtMs) / dayMs))

const daysText = (dispute: Dispute): string => {
  const days = daysOf(dispute)
  return days === 0 ? texts.today : texts.daysOpen(formatCount(days))
}

export const disputeColumns: ReadonlyArray<TableColumn<Dispute>> = [
  ownerColumn(texts.account, 'block max-w-36'),
  timeColumn('openedAt', texts.openedAt, ({ openedAtMs }) => openedAtMs, {
    sort: 'openedAt',
    show: dayMinuteText,
    card: 'line',
  }),
  {
    id: 'days',
    label: texts.days,
    align: 'end',
    cell: (dispute) => (dispute.status === 'open' ? daysText(dispute) : ''),
    csv: (dispute) => daysOf(dispute),
  },
  textColumn('round', texts.round, roundText, {
    cell: (dispute) => (
      <RoundLink roundId={dispute.bet.round.id} className="whitespace-nowrap">
        {roundText(dispute)}
      </RoundLink>
    ),
  }),
  textColumn('bet', texts.bet, betText),
  {
    id: 'result',
    label: texts.result,
    cell: ({ bet }) => (
      <span className="whitespace-nowrap">
        {disputeTexts.betStatus[bet.status]} <AmountText amountMinor={bet.profitMinor} kind="signed" />
      </span>
    ),
    csv: ({ bet }) => ({ decimal: minorToText(bet.profitMinor) }),
  },
  textColumn('text', texts.text, ({ text }) => text, {
    takesRest: 'cut',
    cell: ({ text }) => <CutText text={text} className="min-w-16 text-ink-2 max-md:max-w-full" />,
  }),
  textColumn('status', texts.status, ({ status }) => texts[status], {
    card: 'aside',
    cell: ({ status, proposal }) =>
      proposal == null ? (
        <Badge tone={statusWords[status].tone}>{texts[status]}</Badge>
      ) : (
        <WaitingBadge proposal={proposal} />
      ),
  }),
  textColumn('answerText', texts.answerText, ({ answer }) => answer?.text ?? '', {
    cell: ({ answer }) => <span className="block max-w-40 truncate">{answer?.text ?? ''}</span>,
  }),
  textColumn('answeredBy', texts.answeredBy, ({ answer }) => answer?.by.username ?? ''),
  timeColumn('answeredAt', texts.answeredAt, ({ answer }) => answer?.atMs ?? null, { show: formatDateTime }),
  pointsColumn('correction', texts.correction, ({ answer }) => answer?.correctionMinor ?? null, {
    kind: 'signed',
    none: '',
  }),
]
