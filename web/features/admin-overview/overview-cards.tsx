import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowRight, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { formatCount, formatDateTime, formatGoldPrice, formatWholeAmount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { useRefreshAfter } from '#web/platform/refresh-after.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StakeBar } from '#web/parts/stake-bar.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { AgeText, Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { DURATION_S, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { type Overview, overviewQuery } from './api.ts'

/** The overview: pending requests, today's totals, the price feed, the ledger, and the running rounds. */
export function OverviewCards() {
  const { data, error, refetch, isFetching } = useQuery(overviewQuery)
  const nextEndMs = data === undefined || data.rounds.length === 0 ? null : Math.min(...data.rounds.map(endOf))
  useRefreshAfter(nextEndMs, adminKeys.overview)
  if (data === undefined)
    return error === null ? (
      // As high as what comes, so that the figures below stay where they are.
      <SkeletonGroup className="flex flex-col gap-3">
        <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-4">
          {[0, 1, 2, 3].map((at) => (
            <Skeleton key={at} className="h-41 md:h-45" />
          ))}
        </div>
        <div className="grid gap-3 pt-9 md:grid-cols-2">
          {ROUND_TYPES.map((type) => (
            <Skeleton key={type} className="h-46 md:h-43" />
          ))}
        </div>
      </SkeletonGroup>
    ) : (
      <ErrorState
        message={failureText(error, texts.loadFailed)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  return (
    <>
      {data.secondFactor !== undefined && <SecondFactor state={data.secondFactor} />}
      <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-4">
        <Pending overview={data} />
        <Today overview={data} />
        <Feed feed={data.feed} />
        <Ledger ledger={data.ledger} />
      </div>
      <section aria-labelledby="running-rounds" className="flex flex-col gap-2">
        <h2 id="running-rounds" className="pt-2 text-base font-semibold">
          {texts.rounds}
        </h2>
        {data.rounds.length === 0 ? (
          <Card>
            <EmptyState text={texts.noRounds} />
          </Card>
        ) : (
          <ul className="grid gap-3 md:grid-cols-2">
            {/* Each type keeps its place: where staff deleted the round, that is said there. */}
            {ROUND_TYPES.map((type) => {
              const round = data.rounds.find((one) => one.type === type)
              return <li key={type}>{round === undefined ? <NoRound type={type} /> : <RoundCard round={round} />}</li>
            })}
          </ul>
        )}
      </section>
    </>
  )
}

const endOf = ({ closesAtMs }: Overview['rounds'][number]) => closesAtMs

/** Named until every admin has one (rules §4.10). */
function SecondFactor({ state: { mode, adminsWithout } }: { readonly state: NonNullable<Overview['secondFactor']> }) {
  if (mode !== 'off' && adminsWithout === 0) return null
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ShieldAlert aria-hidden size={20} strokeWidth={1.7} className="shrink-0 text-gold" />
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="text-sm font-semibold">{texts.noSecondFactor}</h2>
        <p className="text-sm text-ink-2">
          {mode === 'off' ? texts.secondFactorOff : texts.adminsWithout(formatCount(adminsWithout))}
        </p>
      </div>
      <Link
        to="/admin/security"
        className="inline-flex min-h-target items-center gap-1 text-sm font-medium underline-offset-4 hover:underline md:min-h-8"
      >
        {texts.toSecurity}
        <ArrowRight aria-hidden size={14} />
      </Link>
    </Card>
  )
}

type StatProps = {
  readonly title: string
  readonly value: ReactNode
  readonly children: ReactNode
  readonly link?: { readonly to: NonNullable<LinkProps['to']>; readonly label: string }
}

function Stat({ title, value, children, link }: StatProps) {
  return (
    <Card className="flex h-full flex-col gap-1">
      <h2 className="text-sm text-ink-3">{title}</h2>
      <div translate="no" className="text-xl font-semibold tracking-tight tabular-nums">
        {value}
      </div>
      <div className="text-sm text-ink-2">{children}</div>
      {link !== undefined && (
        <Link
          to={link.to}
          className="mt-auto inline-flex min-h-target w-fit items-center gap-1 pt-1 text-sm font-medium text-ink underline-offset-4 hover:underline md:min-h-8"
        >
          {link.label}
          <ArrowRight aria-hidden size={14} />
        </Link>
      )}
    </Card>
  )
}

type OverviewProps = { readonly overview: Omit<Overview, 'serverTimeMs'> }

function Pending({ overview: { pendingRequests, oldestPendingAtMs } }: OverviewProps) {
  return (
    <Stat
      title={texts.requests}
      value={formatCount(pendingRequests)}
      link={{ to: '/admin/transaction', label: texts.openQueue }}
    >
      {oldestPendingAtMs === null ? (
        <span>{texts.nothingWaits}</span>
      ) : (
        <>
          <span>{`${texts.oldest} `}</span>
          <AgeText atMs={oldestPendingAtMs} />
        </>
      )}
    </Stat>
  )
}

function Today({ overview: { netTodayMinor, betsToday } }: OverviewProps) {
  return (
    <Stat
      title={texts.net}
      // Neither good nor bad: the house wins what its players lose.
      value={<AmountText kind="signed" amountMinor={netTodayMinor} className="text-ink!" />}
      link={{ to: '/admin/history', label: texts.openBets }}
    >
      {texts.netHint(formatCount(betsToday))}
      <span className="block text-xs text-ink-3">{texts.netMeaning}</span>
    </Stat>
  )
}

function feedState({ closedReason, goldReopensAtMs, lastPrice }: Overview['feed']): {
  readonly label: string
  readonly tone: BadgeTone
} {
  if (closedReason !== null) return { label: texts.feedClosings[closedReason], tone: 'down' }
  if (goldReopensAtMs !== null) return { label: texts.feedClosed, tone: 'warn' }
  return lastPrice === null ? { label: texts.feedSilent, tone: 'warn' } : { label: texts.feedGood, tone: 'up' }
}

function Feed({ feed }: { readonly feed: Overview['feed'] }) {
  const { label, tone } = feedState(feed)
  return (
    <Stat title={texts.feed} value={feed.lastPrice === null ? '–' : formatGoldPrice(feed.lastPrice)}>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {feed.lastQuoteAtMs !== null && <AgeText atMs={feed.lastQuoteAtMs} />}
      </span>
      <span className="mt-1 block text-xs text-ink-3">
        <span>{feed.label}</span>
        {feed.goldReopensAtMs !== null && (
          <span>{` · ${texts.feedReopens(formatDateTime(feed.goldReopensAtMs))}`}</span>
        )}
      </span>
    </Stat>
  )
}

function Ledger({ ledger: { isOpen, checkedAtMs } }: { readonly ledger: Overview['ledger'] }) {
  return (
    <Stat
      title={texts.ledger}
      value={isOpen ? texts.ledgerGood : texts.ledgerBad}
      link={{ to: '/admin/audit', label: texts.audit }}
    >
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={isOpen ? 'up' : 'down'}>{isOpen ? texts.ledgerOpen : texts.ledgerClosed}</Badge>
        {checkedAtMs === null ? (
          <span>{texts.ledgerNever}</span>
        ) : (
          <span>
            <span>{`${texts.ledgerChecked} `}</span>
            <AgeText atMs={checkedAtMs} />
          </span>
        )}
      </span>
    </Stat>
  )
}

function RoundCard({ round }: { readonly round: Overview['rounds'][number] }) {
  const { type, roundNumber, closesAtMs, bets, stakedUpMinor, stakedDownMinor, isAnnounced } = round
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <TypeMark type={type} />
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block text-sm font-medium tabular-nums">{texts.roundNumber(formatCount(roundNumber))}</span>
          <span className="block text-xs text-ink-3">{bets === 0 ? texts.noBets : texts.bets(formatCount(bets))}</span>
        </span>
        {isAnnounced && <Badge tone="gold">{texts.announced}</Badge>}
        <Countdown endsAtMs={closesAtMs} label={texts.countdown} className="text-lg font-semibold" />
      </div>
      <ProgressBar startsAtMs={closesAtMs - DURATION_S[type] * 1000} endsAtMs={closesAtMs} />
      <StakeBar
        upMinor={stakedUpMinor}
        downMinor={stakedDownMinor}
        upLabel={`${texts.up} ▲ ${formatWholeAmount(stakedUpMinor)}`}
        downLabel={`${formatWholeAmount(stakedDownMinor)} ▼ ${texts.down}`}
      />
      <ToRounds type={type} />
    </Card>
  )
}

/** In the place and height of a round's card. */
function NoRound({ type }: { readonly type: RoundType }) {
  return (
    <Card className="flex h-full min-h-46 flex-col gap-3 md:min-h-43">
      <div className="flex flex-1 items-center gap-3">
        <TypeMark type={type} />
        <span className="text-sm text-ink-2">{texts.noRound}</span>
      </div>
      <ToRounds type={type} />
    </Card>
  )
}

const TypeMark = ({ type }: { readonly type: RoundType }) => (
  <span className="grid h-10 min-w-14 place-items-center rounded-s bg-surface-2 px-2 font-semibold tabular-nums">
    {type}
  </span>
)

function ToRounds({ type }: { readonly type: RoundType }) {
  return (
    <Link
      to="/admin/game"
      search={{ type }}
      className="inline-flex min-h-target w-fit items-center gap-1 text-sm font-medium underline-offset-4 hover:underline md:min-h-8"
    >
      {texts.manage(type)}
      <ArrowRight aria-hidden size={14} />
    </Link>
  )
}
