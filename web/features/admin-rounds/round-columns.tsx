import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { formatCount, formatDateTime, formatTime, formatWholeAmount } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { CutText, dash, pointsColumn, priceColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import type { Round } from './api.ts'
import { decidedByText, directionText, isSecret, isUndecided, resultOf, statusOf } from './round-words.ts'

/** The result's direction in its colour, a word for a secret result, or a dash for a tie or no result. */
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
      <span className="text-ink-3" title={isUndecided(round) ? texts.noResult : undefined}>
        –
      </span>
    )
  return (
    <span className={result === 'up' ? 'font-medium text-up' : 'font-medium text-down'}>{directionText(result)}</span>
  )
}

type Figures = NonNullable<Round['figures']>

/** A column with one of the counts in `figures`, which only the server's answers to staff contain. */
const figure = (id: string, label: string, of: (figures: Figures) => number): TableColumn<Round> => ({
  id,
  label,
  align: 'end',
  cell: ({ figures }) => (figures === undefined ? dash : formatCount(of(figures))),
  csv: ({ figures }) => (figures === undefined ? '' : of(figures)),
})

export const roundColumns: ReadonlyArray<TableColumn<Round>> = [
  {
    id: 'round',
    label: texts.round,
    card: 'title',
    canHide: false,
    cell: ({ id, roundNumber, attempt }) => (
      <span className="font-medium">
        <RoundLink to="/admin/round/$id" roundId={id}>
          {formatCount(roundNumber)}
        </RoundLink>
        {attempt > 0 && <span className="pl-1.5 text-xs text-ink-3">{texts.attempt(String(attempt + 1))}</span>}
      </span>
    ),
    csv: ({ roundNumber }) => roundNumber,
  },
  textColumn('status', texts.status, (round) => statusOf(round).label, {
    card: 'aside',
    cell: (round) => <Badge tone={statusOf(round).tone}>{statusOf(round).label}</Badge>,
  }),
  figure('bets', texts.bets, ({ bets }) => bets),
  pointsColumn('staked', texts.staked, ({ figures }) => figures?.stakedMinor ?? null, {
    cell: ({ figures }) => (figures === undefined ? dash : formatWholeAmount(figures.stakedMinor)),
  }),
  pointsColumn('net', texts.net, ({ figures }) => figures?.netMinor ?? null, {
    cell: ({ figures, status }) =>
      figures === undefined || status !== 'ended' ? (
        dash
      ) : (
        <span title={figures.leftOut === 0 ? texts.netMeaning : texts.netWithout(formatCount(figures.leftOut))}>
          <AmountText kind="signed" amountMinor={figures.netMinor} />
        </span>
      ),
  }),
  figure('voided', texts.voided, ({ voided }) => voided),
  timeColumn('opensAt', texts.opensAt, ({ opensAtMs }) => opensAtMs, {
    sort: 'startTime',
    show: formatDateTime,
    card: 'line',
  }),
  timeColumn('closesAt', texts.closesAt, ({ closesAtMs }) => closesAtMs, { show: formatTime }),
  priceColumn('openPrice', texts.openPrice, ({ openPrice }) => openPrice),
  priceColumn('closePrice', texts.closePrice, ({ closePrice }) => closePrice),
  textColumn('result', texts.result, resultText, { card: 'line', cell: (round) => <Result round={round} /> }),
  textColumn('decidedBy', texts.decidedBy, decidedByText, {
    cell: (round) => {
      const text = decidedByText(round)
      return text === texts.byStaff ? <Badge tone="gold">{text}</Badge> : text || dash
    },
  }),
  textColumn('source', texts.source, ({ priceSourceLabel }) => priceSourceLabel, {
    takesRest: 'cut',
    cell: ({ priceSourceLabel }) => <CutText text={priceSourceLabel} className="text-ink-2" />,
  }),
]

function resultText(round: Round): string {
  const result = resultOf(round)
  return result === null ? (isSecret(round) ? texts.secret : '') : texts[result]
}
