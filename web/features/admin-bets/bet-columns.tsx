import type { Basis, BetStatus, Direction, VoidReason } from '#domain/game/bet.ts'
import { minorToText } from '#domain/money.ts'
import { adminBetTexts as texts } from './admin-bet-texts.ts'
import { formatCount, formatDateTime, formatDay, formatTime, formatWholeAmount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import { StaffRoundLink } from '#web/ui/data-table/staff-round-link.tsx'
import { priceColumn } from '#web/ui/data-table/price-column.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import type { Bet } from './api.ts'

export const statusWords: Readonly<Record<BetStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  open: { label: texts.open, tone: 'info' },
  won: { label: texts.won, tone: 'up' },
  lost: { label: texts.lost, tone: 'down' },
  voided: { label: texts.voided, tone: 'neutral' },
}

export const basisWords: Readonly<Record<Basis, string>> = {
  PRICE: texts.byPrice,
  ADMIN: texts.byStaff,
  SCRIPTED: texts.byScript,
}

export const voidWords: Readonly<Record<VoidReason, string>> = {
  TIE: texts.voidTie,
  NO_TICK: texts.voidNoTick,
  ROUND_DELETED: texts.voidDeleted,
}

const directionText = (direction: Direction): string => (direction === 'up' ? `${texts.up} ▲` : `${texts.down} ▼`)

export const betColumns: ReadonlyArray<TableColumn<Bet>> = [
  {
    id: 'account',
    label: texts.account,
    card: 'title',
    canHide: false,
    cell: ({ owner }) => (
      <CustomerLink
        id={owner.id}
        name={owner.username}
        className="block max-w-26 min-[1400px]:max-w-36 max-md:max-w-full"
      />
    ),
    csv: ({ owner }) => owner.username,
  },
  {
    id: 'time',
    label: texts.time,
    sort: 'createdAt',
    cell: ({ createdAtMs }) => `${formatDay(createdAtMs, serverNowMs())} ${formatTime(createdAtMs)}`,
    csv: ({ createdAtMs }) => formatDateTime(createdAtMs),
  },
  {
    id: 'round',
    label: texts.round,
    cell: ({ round }) => (
      <span>
        {round.type}{' '}
        <StaffRoundLink roundId={round.id} className="text-ink-2">
          {formatCount(round.roundNumber)}
        </StaffRoundLink>
      </span>
    ),
    csv: ({ round }) => `${round.type} ${round.roundNumber}`,
  },
  {
    id: 'direction',
    label: texts.direction,
    cell: ({ direction }) => (
      <span className={direction === 'up' ? 'text-up' : 'text-down'}>{directionText(direction)}</span>
    ),
    csv: ({ direction }) => texts[direction],
  },
  {
    id: 'stake',
    label: texts.stake,
    align: 'end',
    canHide: false,
    cell: ({ stakeMinor }) => formatWholeAmount(stakeMinor),
    csv: ({ stakeMinor }) => ({ decimal: minorToText(stakeMinor) }),
  },
  {
    id: 'status',
    label: texts.status,
    card: 'aside',
    cell: ({ status, voidReason }) => (
      <span title={voidReason === null ? undefined : voidWords[voidReason]}>
        <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
      </span>
    ),
    csv: ({ status }) => statusWords[status].label,
  },
  {
    id: 'profit',
    label: texts.profit,
    align: 'end',
    card: 'aside',
    cell: ({ profitMinor }) =>
      profitMinor === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <AmountText kind="signed" amountMinor={profitMinor} className="font-medium" />
      ),
    csv: ({ profitMinor }) => (profitMinor === null ? '' : { decimal: minorToText(profitMinor) }),
  },
  priceColumn('entryPrice', texts.entryPrice, ({ entryPrice }) => entryPrice),
  priceColumn('exitPrice', texts.exitPrice, ({ exitPrice }) => exitPrice),
  {
    id: 'basis',
    label: texts.basis,
    takesRest: 'cut',
    cell: ({ basis }) =>
      basis === 'PRICE' ? (
        <span className="block truncate text-ink-2">{basisWords[basis]}</span>
      ) : (
        <Badge tone={basis === 'ADMIN' ? 'gold' : 'warn'}>{basisWords[basis]}</Badge>
      ),
    csv: ({ basis }) => basisWords[basis],
  },
  {
    id: 'voidReason',
    label: texts.voidReason,
    cell: ({ voidReason }) => (voidReason === null ? '' : voidWords[voidReason]),
    csv: ({ voidReason }) => (voidReason === null ? '' : voidWords[voidReason]),
  },
  {
    id: 'settledAt',
    label: texts.settledAt,
    cell: ({ settledAtMs }) => (settledAtMs === null ? '' : formatDateTime(settledAtMs)),
    csv: ({ settledAtMs }) => (settledAtMs === null ? '' : formatDateTime(settledAtMs)),
  },
]
