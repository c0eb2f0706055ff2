import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CustomerBank } from '#contract/customer.ts'
import type { PlayerLimitsView } from '#contract/player-limits.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { useMay } from '#web/platform/use-may.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { banksQuery, conversationsQuery, limitsQuery } from './api.ts'
import { pointsText } from './timeline-words.ts'

type PartProps<Data> = { readonly query: UseQueryResult<Data>; readonly children: (data: Data) => ReactNode }

function Part<Data>({ query, children }: PartProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Card>
      <Pending query={query} className="flex flex-col gap-3" shapes={['h-6 w-1/3', 'h-20']} />
    </Card>
  )
}

/** The user's bank accounts, each with the other users who linked its number. */
export function BanksPart({ userId, onEdit }: { readonly userId: string; readonly onEdit?: (() => void) | undefined }) {
  const query = useQuery(banksQuery(userId))
  const may = useMay('users')
  return (
    <Part query={query}>
      {(banks) =>
        banks.length === 0 ? (
          <Card>
            <EmptyState text={texts.noBanks} />
          </Card>
        ) : (
          <div className="flex flex-col gap-3">
            <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] gap-3">
              {banks.map((bank) => (
                <li key={bank.id}>
                  <Bank bank={bank} />
                </li>
              ))}
            </ul>
            {may && onEdit !== undefined && (
              <Button variant="outline" size="sm" className="self-start" onClick={onEdit}>
                {texts.editBanks}
              </Button>
            )}
          </div>
        )
      }
    </Part>
  )
}

function Bank({ bank }: { readonly bank: CustomerBank }) {
  const { sharedWith, sharedCount } = bank
  const more = sharedCount - sharedWith.length
  return (
    <Card className="flex h-full flex-col gap-3">
      <FactList
        facts={[
          [texts.bankName, <strong key="name">{bank.bankName}</strong>],
          [texts.accountNumber, bank.accountNumber],
          [texts.accountHolder, bank.accountHolder],
          [texts.linkedAt, formatDateTime(bank.createdAtMs)],
          bank.updatedAtMs !== bank.createdAtMs && [texts.editedAt, formatDateTime(bank.updatedAtMs)],
        ]}
      />
      {sharedCount === 0 ? (
        <p className="text-sm text-ink-3">{texts.notShared}</p>
      ) : (
        <div className="rounded-s bg-warn-soft px-3 py-2 text-sm">
          <p className="font-medium text-warn">{texts.shared(formatCount(sharedCount))}</p>
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {sharedWith.map(({ id, username, isDeleted }) => (
              <li key={id} className="flex min-h-6 items-center gap-1">
                <CustomerLink id={id} name={username} />
                {isDeleted && <span className="text-ink-2">({texts.deleted})</span>}
              </li>
            ))}
            {more > 0 && <li className="text-ink-2">{texts.sharedMore(formatCount(more))}</li>}
          </ul>
        </div>
      )}
    </Card>
  )
}

/** The limits that a player set for themselves; nobody else can change them. */
export function LimitsPart({ userId }: { readonly userId: string }) {
  const query = useQuery(limitsQuery(userId))
  return (
    <Part query={query}>
      {(limits) => (
        <Card className="flex flex-col gap-3">
          <p className="text-sm text-ink-3">{texts.limitsSubtitle}</p>
          <FactList facts={limitFacts(limits)} />
        </Card>
      )}
    </Part>
  )
}

const limitText = (minor: bigint | null): string => (minor === null ? texts.notSet : pointsText(minor))

export function limitFacts({ pending, timeoutUntilMs, serverTimeMs, ...limits }: PlayerLimitsView): Facts {
  const usedLossMinor = limits.netLossTodayMinor > 0n ? limits.netLossTodayMinor : 0n
  const used = (minor: bigint) => texts.usedToday(pointsText(minor).replace(/ điểm$/, ''))
  return [
    [texts.dailyStake, `${limitText(limits.dailyStakeMinor)} · ${used(limits.stakedTodayMinor)}`],
    [texts.dailyLoss, `${limitText(limits.dailyLossMinor)} · ${used(usedLossMinor)}`],
    pending !== null && [
      texts.pendingRaise,
      `${texts.dailyStake}: ${limitText(pending.dailyStakeMinor)} · ${texts.dailyLoss}: ${limitText(pending.dailyLossMinor)} · ${texts.pendingFrom(formatDateTime(pending.takesEffectAtMs))}`,
    ],
    [
      texts.timeout,
      timeoutUntilMs === null || timeoutUntilMs <= serverTimeMs
        ? texts.noTimeout
        : texts.timeoutUntil(formatDateTime(timeoutUntilMs)),
    ],
    [
      texts.reminder,
      limits.reminderMinutes === null ? texts.notSet : texts.reminderMinutes(formatCount(limits.reminderMinutes)),
    ],
  ]
}

/** The user's conversations with customer care, without their messages. */
export function CarePart({ userId, mayRead }: { readonly userId: string; readonly mayRead: boolean }) {
  const query = useQuery(conversationsQuery(userId))
  return (
    <Part query={query}>
      {(conversations) => (
        <Card isPadded={false} className="overflow-hidden">
          {conversations.length === 0 ? (
            <EmptyState text={texts.noConversations} />
          ) : (
            <ul className="divide-y divide-line">
              {conversations.map(({ id, holder, messages, lastActivityAtMs }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
                  <div className="min-w-0 flex-1">
                    <p className="font-medium [overflow-wrap:anywhere]">{texts.holder(holder.username)}</p>
                    <p className="text-dense text-ink-3 tabular-nums">
                      {texts.messages(formatCount(messages))} · {texts.lastActivity(formatDateTime(lastActivityAtMs))}
                    </p>
                  </div>
                  {mayRead && (
                    <Link
                      to="/admin/chat"
                      search={{ conversation: id }}
                      aria-label={`${texts.openConversation}: ${texts.holder(holder.username)}`}
                      className="grid min-h-target place-items-center rounded-s border border-control px-3.5 font-medium hover:bg-surface-press md:min-h-9"
                    >
                      {texts.openConversation}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          )}
          {!mayRead && <p className="border-t border-line px-4 py-2.5 text-dense text-ink-3">{texts.careOnly}</p>}
        </Card>
      )}
    </Part>
  )
}
