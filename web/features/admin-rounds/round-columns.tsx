import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatDateTime, formatTime, formatWholeAmount } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { StaffRoundLink } from '#web/ui/data-table/staff-round-link.tsx'
import { priceColumn } from '#web/ui/data-table/price-column.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import type { Round } from './api.ts'
import { directionText, isSecret, resultOf, statusOf } from './round-words.ts'

/** The direction in its colour; a dash for a tie or for a round without a result. */
function Result({ round }: { readonly round: Round }) {
  if (isSecret(round))
    return (
      <span className="text-ink-3" title={texts.announcedSecret}>
        {texts.secret}
      </span>
    )
  const result = resultOf(round)
  if (result === null)
    return (
      <span className="text-ink-3" title={round.status === 'ended' ? texts.noResult : undefined}>
        –
      </span>
    )
  return (
    <span className={result === 'up' ? 'font-medium text-up' : 'font-medium text-down'}>{directionText(result)}</span>
  )
}

const none = <span className="text-ink-3">–</span>

export const roundColumns: ReadonlyArray<TableColumn<Round>> = [
  {
    id: 'round',
    label: texts.round,
    card: 'title',
    canHide: false,
    cell: ({ id, roundNumber, attempt }) => (
      <span className="font-medium">
        <StaffRoundLink roundId={id}>{formatCount(roundNumber)}</StaffRoundLink>
        {attempt > 0 && <span className="pl-1.5 text-xs text-ink-3">{texts.attempt(String(attempt + 1))}</span>}
      </span>
    ),
    csv: ({ roundNumber }) => roundNumber,
  },
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: (round) => {
      const { label, tone } = statusOf(round)
      return <Badge tone={tone}>{label}</Badge>
    },
    csv: (round) => statusOf(round).label,
  },
  {
    id: 'bets',
    label: texts.bets,
    align: 'end',
    cell: ({ figures }) => (figures === undefined ? none : formatCount(figures.bets)),
    csv: ({ figures }) => figures?.bets ?? '',
  },
  {
    id: 'staked',
    label: texts.staked,
    align: 'end',
    cell: ({ figures }) => (figures === undefined ? none : formatWholeAmount(figures.stakedMinor)),
    csv: ({ figures }) => (figures === undefined ? '' : { decimal: minorToText(figures.stakedMinor) }),
  },
  {
    id: 'net',
    label: texts.net,
    align: 'end',
    cell: ({ figures, status }) =>
      figures === undefined || status !== 'ended' ? (
        none
      ) : (
        <span title={figures.leftOut === 0 ? texts.netMeaning : texts.netWithout(formatCount(figures.leftOut))}>
          <AmountText kind="signed" amountMinor={figures.netMinor} />
        </span>
      ),
    csv: ({ figures }) => (figures === undefined ? '' : { decimal: minorToText(figures.netMinor) }),
  },
  {
    id: 'voided',
    label: texts.voided,
    align: 'end',
    cell: ({ figures }) => (figures === undefined ? none : formatCount(figures.voided)),
    csv: ({ figures }) => figures?.voided ?? '',
  },
  {
    id: 'opensAt',
    label: texts.opensAt,
    sort: 'startTime',
    cell: ({ opensAtMs }) => formatDateTime(opensAtMs),
    csv: ({ opensAtMs }) => formatDateTime(opensAtMs),
  },
  {
    id: 'closesAt',
    label: texts.closesAt,
    cell: ({ closesAtMs }) => formatTime(closesAtMs),
    csv: ({ closesAtMs }) => formatDateTime(closesAtMs),
  },
  priceColumn('openPrice', texts.openPrice, ({ openPrice }) => openPrice),
  priceColumn('closePrice', texts.closePrice, ({ closePrice }) => closePrice),
  {
    id: 'result',
    label: texts.result,
    cell: (round) => <Result round={round} />,
    csv: (round) => {
      const result = resultOf(round)
      return result === null ? (isSecret(round) ? texts.secret : '') : texts[result]
    },
  },
  {
    id: 'decidedBy',
    label: texts.decidedBy,
    cell: ({ resultSource }) => (resultSource === 'ADMIN' ? <Badge tone="gold">{texts.byStaff}</Badge> : texts.byPrice),
    csv: ({ resultSource }) => (resultSource === 'ADMIN' ? texts.byStaff : texts.byPrice),
  },
  {
    id: 'source',
    label: texts.source,
    takesRest: 'cut',
    cell: ({ priceSourceLabel }) => (
      <span title={priceSourceLabel} className="block truncate text-ink-2">
        {priceSourceLabel}
      </span>
    ),
    csv: ({ priceSourceLabel }) => priceSourceLabel,
  },
]
