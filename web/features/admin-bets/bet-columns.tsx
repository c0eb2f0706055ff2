import type { BetStatus } from '#domain/game/bet.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { formatCount, formatDateTime, formatWholeAmount } from '#web/platform/formats.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { ownerColumn, pointsColumn, priceColumn, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import type { Bet } from './api.ts'

export const statusWords: Readonly<Record<BetStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  open: { label: texts.open, tone: 'info' },
  won: { label: texts.won, tone: 'up' },
  lost: { label: texts.lost, tone: 'down' },
  voided: { label: texts.voided, tone: 'neutral' },
}

export const betColumns: ReadonlyArray<TableColumn<Bet>> = [
  ownerColumn(texts.account, 'block max-w-26 min-[1400px]:max-w-36 max-md:max-w-full'),
  timeColumn('time', texts.time, ({ createdAtMs }) => createdAtMs, { sort: 'createdAt', card: 'line' }),
  textColumn('round', texts.round, ({ round }) => `${round.type} ${round.roundNumber}`, {
    cell: ({ round }) => (
      <span>
        {round.type}{' '}
        <RoundLink to="/admin/round/$id" roundId={round.id} className="text-ink-2">
          {formatCount(round.roundNumber)}
        </RoundLink>
      </span>
    ),
  }),
  textColumn('direction', texts.direction, ({ direction }) => texts[direction], {
    cell: ({ direction }) => (
      <span className={direction === 'up' ? 'text-up' : 'text-down'}>
        {direction === 'up' ? `${texts.up} ▲` : `${texts.down} ▼`}
      </span>
    ),
  }),
  pointsColumn('stake', texts.stake, ({ stakeMinor }) => stakeMinor, {
    canHide: false,
    card: 'line',
    cell: ({ stakeMinor }) => formatWholeAmount(stakeMinor),
  }),
  textColumn('status', texts.status, ({ status }) => statusWords[status].label, {
    card: 'aside',
    cell: ({ status, voidReason }) => (
      <span title={voidReason === null ? undefined : texts.voidReasons[voidReason]}>
        <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
      </span>
    ),
  }),
  pointsColumn('profit', texts.profit, ({ profitMinor }) => profitMinor, {
    kind: 'signed',
    className: 'font-medium',
    card: 'aside',
  }),
  priceColumn('entryPrice', texts.entryPrice, ({ entryPrice }) => entryPrice),
  priceColumn('exitPrice', texts.exitPrice, ({ exitPrice }) => exitPrice),
  textColumn('basis', texts.basis, ({ basis }) => texts.bases[basis], {
    takesRest: 'cut',
    cell: ({ basis }) =>
      basis === 'PRICE' ? (
        <span className="block truncate text-ink-2">{texts.bases[basis]}</span>
      ) : (
        <Badge tone={basis === 'ADMIN' ? 'gold' : 'warn'}>{texts.bases[basis]}</Badge>
      ),
  }),
  textColumn('voidReason', texts.voidReason, ({ voidReason }) =>
    voidReason === null ? '' : texts.voidReasons[voidReason],
  ),
  timeColumn('settledAt', texts.settledAt, ({ settledAtMs }) => settledAtMs, { show: formatDateTime }),
]
