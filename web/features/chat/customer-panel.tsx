import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Bet } from '#contract/game.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { formatAmount, formatDateMinute, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { PanelPart, panelLinkClass } from '#web/parts/panel-part.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { customerBetsQuery, customerQuery } from './customer-api.ts'
import type { CustomerShownProps } from './staff-chat.tsx'
import { TranscriptButton } from './transcript-button.tsx'

export type CustomerPanelProps = CustomerShownProps & {
  /** Draws parts of other features. After an act they call `onActed`, which refetches `customerQuery`. */
  readonly drawMore: (of: { readonly id: string; readonly username: string; readonly onActed: () => void }) => ReactNode
}

export function CustomerPanel({ onClose, ...of }: CustomerPanelProps) {
  return (
    <aside
      aria-label={chatTexts.customer}
      className="flex min-h-0 w-72 shrink-0 flex-col overflow-y-auto border-l border-line bg-surface"
    >
      <div className="flex min-h-14 items-center gap-2 border-b border-line pl-4">
        <h2 className="flex-1 text-sm font-semibold">{chatTexts.customer}</h2>
        <IconButton label={commonTexts.close} onClick={onClose} className="text-ink-3">
          <X aria-hidden size={20} />
        </IconButton>
      </div>
      <div className="flex flex-col gap-4 p-4">
        <CustomerData {...of} />
        <TranscriptButton conversationId={of.conversationId} />
      </div>
    </aside>
  )
}

export function CustomerSheet({ onClose, ...of }: CustomerPanelProps) {
  return (
    <Sheet onClose={onClose} title={chatTexts.customer}>
      <div className="flex flex-col gap-4">
        <CustomerData {...of} />
        <TranscriptButton key={of.conversationId} conversationId={of.conversationId} />
      </div>
    </Sheet>
  )
}

/** Shows name, balance, banks, bets and `drawMore`. The audit log records each fetch of `customerQuery`. */
function CustomerData({ conversationId, drawMore }: Omit<CustomerPanelProps, 'onClose'>) {
  const query = useQuery(customerQuery(conversationId))
  const { data } = query
  if (data === undefined)
    return (
      <Pending
        query={query}
        fallback={besideTexts.customerFailed}
        className="flex flex-col gap-4"
        shapes={['h-10', 'h-14', 'h-24']}
      />
    )
  return (
    <div className="flex flex-col gap-4 text-sm">
      <div>
        <p className="flex font-semibold">
          <CustomerLink id={data.id} name={data.username} />
        </p>
        <p className="text-xs text-ink-3">{besideTexts.customerAudited}</p>
      </div>
      <PanelPart title={besideTexts.balance}>
        <p className="text-lg font-semibold tabular-nums">
          {formatAmount(data.balanceMinor)} <span className="text-sm font-normal text-ink-3">{commonTexts.points}</span>
        </p>
      </PanelPart>
      {drawMore({ id: data.id, username: data.username, onActed: () => void query.refetch() })}
      <PanelPart title={besideTexts.banks}>
        {data.banks.length === 0 ? (
          <p className="text-ink-2">{besideTexts.noBanks}</p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {data.banks.map((bank) => (
              <li key={bank.id}>
                <Link
                  to="/admin/user/$id"
                  params={{ id: data.id }}
                  search={{ part: 'banks' }}
                  className={`${panelLinkClass} font-medium`}
                >
                  {bank.bankName}
                </Link>
                <span className="block text-xs text-ink-2 tabular-nums">
                  {bank.accountNumber} · {bank.accountHolder}
                </span>
              </li>
            ))}
          </ul>
        )}
      </PanelPart>
      <Bets userId={data.id} />
    </div>
  )
}

const betResult = ({ status, profitMinor }: Bet): string =>
  status === 'open' || profitMinor === null ? besideTexts.betOpen : formatSignedAmount(profitMinor)

function Bets({ userId }: { readonly userId: string }) {
  const query = useQuery(customerBetsQuery(userId))
  const { data } = query
  return (
    <PanelPart title={besideTexts.recentBets}>
      {data === undefined ? (
        <Pending query={query} shapes={['h-10']} />
      ) : data.length === 0 ? (
        <p className="text-ink-2">{besideTexts.noBets}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {data.map((bet) => (
            <li key={bet.id} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block tabular-nums">
                  <RoundLink roundId={bet.round.id}>
                    {bet.direction === 'up' ? besideTexts.up : besideTexts.down} · {bet.round.type} ·{' '}
                    {formatWholeAmount(bet.stakeMinor)}
                  </RoundLink>
                </span>
                <span className="block text-xs text-ink-3 tabular-nums">{formatDateMinute(bet.createdAtMs)}</span>
              </span>
              <span className="font-medium tabular-nums">{betResult(bet)}</span>
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  )
}
