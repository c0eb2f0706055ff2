import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CREDIT_SCORE_RED_BELOW } from '#contract/limits.ts'
import type { CustomerPage, StaffNote } from '#contract/customer.ts'
import { formatCount, formatDateMinute, formatWholeAmount } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { StepLine } from '#web/ui/pictures.tsx'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import type { CustomerWords } from './timeline-words.ts'

const devicesShown = 2

export type CustomerHeadProps = {
  readonly customer: CustomerPage
  readonly words: CustomerWords
  /** Badges: the states of the account, and for an admin the role. */
  readonly states: ReadonlyArray<{ readonly label: string; readonly tone: BadgeTone }>
  readonly acts: ReactNode
}

export function CustomerHead({ customer, words, states, acts }: CustomerHeadProps) {
  const { user, stakedMinor, reservedMinor, record } = customer
  const amounts = [
    [texts.wallet, user.balanceMinor],
    [texts.staked, stakedMinor],
    [texts.reserved, reservedMinor],
    ...(record === undefined
      ? []
      : ([
          [texts.deposited, record.depositedMinor],
          [texts.withdrawn, record.withdrawnMinor],
        ] as const)),
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
          {record !== undefined && record.openDisputes > 0 && (
            <Link
              to="/admin/disputes"
              search={{ q: user.username }}
              className="text-sm font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current max-md:inline-flex max-md:min-h-target max-md:items-center"
            >
              {texts.openDisputes(formatCount(record.openDisputes))}
            </Link>
          )}
        </p>
        <div className="flex flex-wrap items-center gap-2">{acts}</div>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-x-6 gap-y-3 border-y border-line py-3">
        {amounts.map(([label, amountMinor]) => (
          <div key={label} className="flex flex-col">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd>
              <AmountText amountMinor={amountMinor} hasUnit className="text-lg font-semibold tracking-tight" />
            </dd>
          </div>
        ))}
      </dl>
      <BalanceLine balances={[...(record?.balances ?? []), user.balanceMinor]} />
      {record?.newestNote != null && <NewestNote note={record.newestNote} />}
      <AccountFacts customer={customer} words={words} />
    </Card>
  )
}

/** Draws the closing balances of 29 days and the current balance. Before the first transfer, a balance is null. */
function BalanceLine({ balances }: { readonly balances: ReadonlyArray<bigint | null> }) {
  const known = balances.flatMap((minor) => (minor === null ? [] : [minor]))
  if (known.length < 2) return null
  const sorted = known.toSorted((one, other) => (one < other ? -1 : 1))
  const [least, most] = [sorted[0] ?? 0n, sorted.at(-1) ?? 0n]
  const bounded = texts.balanceBounds(formatWholeAmount(least), formatWholeAmount(most))
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        <span>{texts.balanceLine}</span>
        <span>{bounded}</span>
      </figcaption>
      <StepLine
        label={`${texts.balanceLine}: ${bounded}`}
        values={balances.map((minor) => (minor === null ? null : Number(minor)))}
        className="h-10"
      />
    </figure>
  )
}

/** The newest note, in the page's head so that colleagues read the note first. */
function NewestNote({ note: { writtenBy, text, createdAtMs } }: { readonly note: StaffNote }) {
  return (
    <p className="rounded-s bg-gold-soft px-3 py-2 text-sm">
      <span className="text-ink-2">{texts.noteBy(writtenBy.username, formatDateMinute(createdAtMs))}</span>{' '}
      <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
        {text}
      </span>
    </p>
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
    [texts.createdAt, formatDateMinute(user.createdAtMs)],
    user.deletedAtMs !== null && [texts.deletedAt, formatDateMinute(user.deletedAtMs)],
    [texts.lastSeen, lastSeenAtMs === null ? texts.never : formatDateMinute(lastSeenAtMs)],
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
            {`${ip === null ? '' : ` · ${ip}`} · ${texts.usedAt(formatDateMinute(lastUsedAtMs))}`}
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-3">{texts.moreDevices(formatCount(more))}</li>}
    </ul>
  )
}

export function CustomerHeadSkeleton() {
  return (
    <Card>
      <SkeletonGroup className="flex flex-col gap-4" shapes={['h-9 w-48', 'h-14', 'h-20']} />
    </Card>
  )
}
