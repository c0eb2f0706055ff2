import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Bet } from '#contract/game.ts'
import type { CashRequest } from '#contract/cashier.ts'
import { chatTexts } from './chat-texts.ts'
import { formatAmount, formatDate, formatMinute, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { customerBetsQuery, customerQuery, customerRequestsQuery } from './customer-api.ts'

export type CustomerPanelProps = { readonly conversationId: string; readonly onClose: () => void }

/** The data for answering a player, beside the conversation. */
export function CustomerPanel({ conversationId, onClose }: CustomerPanelProps) {
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
      <div className="p-4">
        <CustomerData conversationId={conversationId} />
      </div>
    </aside>
  )
}

/** The same over the conversation, where there is no room beside it. */
export function CustomerSheet({ conversationId, onClose }: CustomerPanelProps) {
  return (
    <Sheet isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={chatTexts.customer}>
      <CustomerData conversationId={conversationId} />
    </Sheet>
  )
}

/** Balance, banks, latest requests and bets. Read-only; each opening is audited. */
function CustomerData({ conversationId }: Pick<CustomerPanelProps, 'conversationId'>) {
  const { data, error, isError, isFetching, refetch } = useQuery(customerQuery(conversationId))
  if (data === undefined && isError)
    return (
      <ErrorState
        message={failureText(error, chatTexts.customerFailed)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (data === undefined) return <DataSkeleton />
  return (
    <div className="flex flex-col gap-4 text-sm">
      <div>
        <p className="flex font-semibold">
          <CustomerLink id={data.id} name={data.username} />
        </p>
        <p className="text-xs text-ink-3">{chatTexts.customerAudited}</p>
      </div>
      <Part title={chatTexts.balance}>
        <p className="text-lg font-semibold tabular-nums">
          {formatAmount(data.balanceMinor)} <span className="text-sm font-normal text-ink-3">{commonTexts.points}</span>
        </p>
      </Part>
      <Part title={chatTexts.banks}>
        {data.banks.length === 0 ? (
          <p className="text-ink-2">{chatTexts.noBanks}</p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {data.banks.map((bank) => (
              <li key={bank.id}>
                <span className="block font-medium">{bank.bankName}</span>
                <span className="block text-xs text-ink-2 tabular-nums">
                  {bank.accountNumber} · {bank.accountHolder}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Requests userId={data.id} />
      <Bets id={data.id} username={data.username} />
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-ink-3">{title}</h3>
      {children}
    </section>
  )
}

const requestStates: Record<CashRequest['status'], readonly [text: string, tone: BadgeTone]> = {
  pending: [chatTexts.requestStates.pending, 'warn'],
  approved: [chatTexts.requestStates.approved, 'up'],
  rejected: [chatTexts.requestStates.rejected, 'down'],
}

const timeOf = (atMs: number) => `${formatDate(atMs)} ${formatMinute(atMs)}`

function Requests({ userId }: { readonly userId: string }) {
  const { data } = useQuery(customerRequestsQuery(userId))
  return (
    <Part title={chatTexts.recentRequests}>
      {data === undefined ? (
        <Skeleton className="h-10" />
      ) : data.length === 0 ? (
        <p className="text-ink-2">{chatTexts.noRequests}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {data.map(({ id, kind, amountMinor, status, createdAtMs }) => (
            <li key={id} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block tabular-nums">
                  {kind === 'deposit' ? chatTexts.deposit : chatTexts.withdrawal} {formatWholeAmount(amountMinor)}
                </span>
                <span className="block text-xs text-ink-3 tabular-nums">{timeOf(createdAtMs)}</span>
              </span>
              <Badge tone={requestStates[status][1]}>{requestStates[status][0]}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const betResult = ({ status, profitMinor }: Bet): string =>
  status === 'open' || profitMinor === null ? chatTexts.betOpen : formatSignedAmount(profitMinor)

function Bets({ id, username }: { readonly id: string; readonly username: string }) {
  const { data } = useQuery(customerBetsQuery({ id, username }))
  return (
    <Part title={chatTexts.recentBets}>
      {data === undefined ? (
        <Skeleton className="h-10" />
      ) : data.length === 0 ? (
        <p className="text-ink-2">{chatTexts.noBets}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {data.map((bet) => (
            <li key={bet.id} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block tabular-nums">
                  {bet.direction === 'up' ? chatTexts.up : chatTexts.down} · {bet.round.type} ·{' '}
                  {formatWholeAmount(bet.stakeMinor)}
                </span>
                <span className="block text-xs text-ink-3 tabular-nums">{timeOf(bet.createdAtMs)}</span>
              </span>
              <span className="font-medium tabular-nums">{betResult(bet)}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function DataSkeleton() {
  return (
    <SkeletonGroup className="flex flex-col gap-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-14" />
      <Skeleton className="h-24" />
    </SkeletonGroup>
  )
}
