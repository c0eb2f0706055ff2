import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import {
  formatCount,
  formatDateTime,
  formatGoldPrice,
  formatSignedAmount,
  formatWholeAmount,
} from '#web/platform/formats.ts'
import { useRefreshAfter } from '#web/platform/refresh-after.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StakeBar } from '#web/parts/stake-bar.tsx'
import { EmptyState, QueryFailure } from '#web/ui/states.tsx'
import { AgeText, Countdown } from '#web/ui/ticking-text.tsx'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { type Overview, overviewQuery, figuresQuery } from './api.ts'
import type { FiguresBucket } from '#contract/overview-figures.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { lastDays } from './range.ts'

export function OverviewCards() {
  const query = useQuery(overviewQuery)
  const { data } = query
  const nextEndMs =
    data === undefined || data.rounds.length === 0 ? null : Math.min(...data.rounds.map((round) => round.closesAtMs))
  useRefreshAfter(nextEndMs, adminKeys.overview)
  if (data === undefined && query.isError) return <QueryFailure query={query} fallback={texts.loadFailed} />
  return (
    <>
      <TodayNumbers />
      {data === undefined ? (
        // The skeleton is as high as the cards that replace it, so that the figures below do not move.
        <SkeletonGroup className="flex flex-col gap-3" shapes={['h-28 md:h-16', 'mt-9 h-84 md:h-43']} />
      ) : (
        <>
          <Card className="grid gap-x-6 gap-y-3 md:grid-cols-2">
            <Feed feed={data.feed} />
            <Ledger ledger={data.ledger} />
          </Card>
          <section aria-labelledby="running-rounds" className="flex flex-col gap-2">
            <h2 id="running-rounds" className="pt-2 text-base font-semibold">
              {texts.rounds}
            </h2>
            <Card className="py-1!">
              {data.rounds.length === 0 ? (
                <EmptyState text={texts.noRounds} />
              ) : (
                <ul className="grid gap-x-6 md:grid-cols-2">
                  {/* If a type has no running round, for example after staff deleted the round, its row says so. */}
                  {ROUND_TYPES.map((type) => (
                    <li
                      key={type}
                      className="min-h-20 border-line py-1 not-first:border-t md:not-first:nth-2:border-t-0"
                    >
                      <RoundRow type={type} round={data.rounds.find((one) => one.type === type)} />
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          </section>
        </>
      )}
    </>
  )
}

function feedState({ closedReason, goldReopensAtMs, lastPrice }: Overview['feed']): Pick<StateProps, 'label' | 'tone'> {
  if (closedReason !== null) return { label: texts.feedClosings[closedReason], tone: 'down' }
  if (goldReopensAtMs !== null) return { label: texts.feedClosed, tone: 'warn' }
  return lastPrice === null ? { label: texts.feedSilent, tone: 'warn' } : { label: texts.feedGood, tone: 'up' }
}

type StateProps = {
  readonly title: string
  readonly label: string
  readonly tone: BadgeTone
  readonly children: ReactNode
}

function State({ title, label, tone, children }: StateProps) {
  return (
    <div className="flex flex-col gap-0.5">
      <h2 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        {title}
        <Badge tone={tone}>{label}</Badge>
      </h2>
      <p className="flex flex-wrap items-baseline gap-x-1.5 text-sm text-ink-2">{children}</p>
    </div>
  )
}

function Feed({ feed }: { readonly feed: Overview['feed'] }) {
  return (
    <State title={texts.feed} {...feedState(feed)}>
      {feed.lastPrice !== null && (
        <span translate="no" className="font-medium text-ink tabular-nums">
          {formatGoldPrice(feed.lastPrice)}
        </span>
      )}
      {feed.lastQuoteAtMs !== null && <AgeText atMs={feed.lastQuoteAtMs} />}
      <span>{`· ${feed.label}`}</span>
      {feed.goldReopensAtMs !== null && <span>{`· ${texts.feedReopens(formatDateTime(feed.goldReopensAtMs))}`}</span>}
    </State>
  )
}

function Ledger({ ledger: { isOpen, checkedAtMs } }: { readonly ledger: Overview['ledger'] }) {
  return (
    <State title={texts.ledger} label={isOpen ? texts.ledgerGood : texts.ledgerBad} tone={isOpen ? 'up' : 'down'}>
      <span>{`${isOpen ? texts.ledgerOpen : texts.ledgerClosed} ·`}</span>
      {checkedAtMs === null ? (
        <span>{texts.ledgerNever}</span>
      ) : (
        <span>
          <span>{`${texts.ledgerChecked} `}</span>
          <AgeText atMs={checkedAtMs} />
        </span>
      )}
    </State>
  )
}

type RoundRowProps = { readonly type: RoundType; readonly round: Overview['rounds'][number] | undefined }

function RoundRow({ type, round }: RoundRowProps) {
  return (
    <Link
      to="/admin/game"
      search={{ type }}
      className="-mx-2 flex h-full flex-col justify-center gap-1.5 rounded-s p-2 hover:bg-surface-press"
    >
      <span className="flex items-center gap-3">
        <span className="min-w-11 font-semibold tabular-nums">{type}</span>
        <span className="sr-only">{texts.manage(type)}</span>
        {round === undefined ? (
          <span className="text-sm text-ink-2">{texts.noRound}</span>
        ) : (
          <>
            <span className="min-w-0 flex-1 text-sm text-ink-2 tabular-nums">
              {`${texts.roundNumber(formatCount(round.roundNumber))} · ${round.bets === 0 ? texts.noBets : texts.bets(formatCount(round.bets))}`}
            </span>
            {round.isAnnounced && <Badge tone="gold">{texts.announced}</Badge>}
            <Countdown endsAtMs={round.closesAtMs} label={texts.countdown} className="font-semibold" />
          </>
        )}
      </span>
      {round !== undefined && (
        <StakeBar upMinor={round.stakedUpMinor} downMinor={round.stakedDownMinor} words={texts} />
      )}
    </Link>
  )
}

const figure = <Value extends number | bigint>(
  label: string,
  read: (day: FiguresBucket) => Value,
  format: (value: Value) => string,
) => ({
  label,
  textOf: (day: FiguresBucket) => format(read(day)),
  valueOf: (day: FiguresBucket) => Number(read(day)),
})

const numbers = [
  figure(texts.betsToday, ({ bets }) => bets, formatCount),
  figure(texts.stakedToday, ({ stakedMinor }) => stakedMinor, formatWholeAmount),
  figure(texts.net, ({ netMinor }) => netMinor, formatSignedAmount),
  figure(texts.playersToday, ({ active }) => active, formatCount),
]

/** Four figures of today, each beside seven bars for the last seven days (rules §6.13). */
function TodayNumbers() {
  const range = lastDays(7, serverNowMs())
  const { data } = useQuery(figuresQuery(range))
  const today = data?.buckets.at(-1)
  const yesterday = data?.buckets.at(-2)
  return (
    <div className="grid grid-cols-2 gap-2 md:gap-3 lg:grid-cols-4">
      {numbers.map(({ label, textOf, valueOf }) => (
        <Card key={label} className="p-3!">
          <dl className="flex flex-col gap-0.5">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="flex min-h-7 items-end justify-between gap-2">
              <span translate="no" className="text-lg font-semibold tracking-tight tabular-nums">
                {today === undefined ? '–' : textOf(today)}
              </span>
              {data !== undefined && <Days values={data.buckets.map(valueOf)} />}
            </dd>
            <dd className="text-xs text-ink-2 tabular-nums">
              {yesterday === undefined ? '\u00a0' : texts.yesterday(textOf(yesterday))}
            </dd>
          </dl>
        </Card>
      ))}
    </div>
  )
}

const barStep = 6
const barHeight = 20

/** Draws a bar for each day. Bars of negative values hang below the zero line. */
function Days({ values }: { readonly values: readonly number[] }) {
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const scale = barHeight / (highest - lowest || 1)
  return (
    <svg aria-hidden width={barStep * values.length - 2} height={barHeight} className="mb-1 shrink-0">
      {values.map((value, at) => (
        <rect
          // The key is the index, because a day has no identity but its place in the range.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          key={at}
          x={at * barStep}
          width={barStep - 2}
          y={(highest - Math.max(0, value)) * scale}
          height={Math.max(1, Math.abs(value) * scale)}
          className={at === values.length - 1 ? 'fill-gold-fill' : 'fill-line-strong'}
        />
      ))}
    </svg>
  )
}
