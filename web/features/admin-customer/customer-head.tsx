import type { ReactNode } from 'react'
import { CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import type { CustomerPage } from '#contract/customer.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import type { CustomerWords } from './timeline-words.ts'

const devicesShown = 2

/** Without seconds: it is written every few minutes. */
const minuteText = (atMs: number): string => formatDateTime(atMs).slice(0, -3)

export type CustomerHeadProps = {
  readonly customer: CustomerPage
  readonly words: CustomerWords
  /** What is unusual about the account, and its role, in words. */
  readonly states: ReadonlyArray<{ readonly label: string; readonly tone: BadgeTone }>
  /** The acts on the account. */
  readonly acts: ReactNode
}

/** Who a customer is: what is unusual about the account, the three balances, presence and devices. */
export function CustomerHead({ customer, words, states, acts }: CustomerHeadProps) {
  const { user, stakedMinor, reservedMinor } = customer
  const balances = [
    [texts.wallet, user.balanceMinor],
    [texts.staked, stakedMinor],
    [texts.reserved, reservedMinor],
  ] as const
  return (
    <Card className="flex flex-col gap-4" aria-label={texts.title}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="flex min-w-0 grow basis-36 flex-wrap items-center gap-1.5">
          {states.map(({ label, tone }) => (
            <Badge key={label} tone={tone}>
              {label}
            </Badge>
          ))}
          {customer.isOnline && <Badge tone="up">{texts.online}</Badge>}
        </p>
        <div className="flex flex-wrap items-center gap-2">{acts}</div>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-x-6 gap-y-3 border-y border-line py-3">
        {balances.map(([label, amountMinor]) => (
          <div key={label} className="flex flex-col">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd>
              <AmountText amountMinor={amountMinor} hasUnit className="text-lg font-semibold tracking-tight" />
            </dd>
          </div>
        ))}
      </dl>
      <AccountFacts customer={customer} words={words} />
    </Card>
  )
}

function AccountFacts({ customer, words }: Pick<CustomerHeadProps, 'customer' | 'words'>) {
  const { user, lastSeenAtMs } = customer
  const facts: Facts = [
    [texts.role, user.role === 'admin' ? texts.staff : texts.player],
    [
      texts.creditScore,
      <span key="credit" className={user.creditScore < CREDIT_SCORE_RED_BELOW ? 'text-down' : ''}>
        {user.creditScore}
      </span>,
    ],
    [texts.vip, user.vip ?? texts.none],
    [texts.createdAt, minuteText(user.createdAtMs)],
    ...(user.deletedAtMs === null ? [] : ([[texts.deletedAt, minuteText(user.deletedAtMs)]] as const)),
    [texts.lastSeen, lastSeenAtMs === null ? texts.never : minuteText(lastSeenAtMs)],
    [texts.ip, user.ip ?? texts.none],
    [texts.devices, <Devices key="devices" customer={customer} words={words} />],
  ]
  return <FactList facts={facts} className="text-dense lg:grid-cols-[auto_1fr_auto_1fr]" />
}

function Devices({ customer: { devices, deviceCount }, words }: Pick<CustomerHeadProps, 'customer' | 'words'>) {
  if (deviceCount === 0) return <span>{texts.noDevices}</span>
  const more = deviceCount - Math.min(devicesShown, devices.length)
  return (
    <ul className="flex flex-col gap-0.5">
      {devices.slice(0, devicesShown).map(({ id, userAgent, ip, lastUsedAtMs }) => (
        <li key={id}>
          {words.device(userAgent)}
          <span className="text-ink-3">
            {`${ip === null ? '' : ` · ${ip}`} · ${texts.usedAt(minuteText(lastUsedAtMs))}`}
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-3">{texts.moreDevices(formatCount(more))}</li>}
    </ul>
  )
}

/** In the shape of the head, until it is loaded. */
export function CustomerHeadSkeleton() {
  return (
    <Card>
      <SkeletonGroup className="flex flex-col gap-4">
        <Skeleton className="h-9 w-48" />
        <Skeleton className="h-14" />
        <Skeleton className="h-20" />
      </SkeletonGroup>
    </Card>
  )
}
