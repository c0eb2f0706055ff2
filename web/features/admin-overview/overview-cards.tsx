import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { formatCount, formatDateTime, formatGoldPrice } from '#web/platform/formats.ts'
import { useRefreshAfter } from '#web/platform/refresh-after.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StakeBar } from '#web/parts/stake-bar.tsx'
import { EmptyState, QueryFailure } from '#web/ui/states.tsx'
import { AgeText, Countdown } from '#web/ui/ticking-text.tsx'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { type Overview, overviewQuery } from './api.ts'
import { TodayNumbers } from './today-numbers.tsx'

/** The top of the overview: today's figures, price feed, ledger, and running rounds. */
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
