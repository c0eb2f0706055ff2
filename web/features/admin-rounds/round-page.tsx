import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount, formatDateTime, formatGoldPrice, formatTime, formatWholeAmount } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { SecondPrices } from '#web/parts/second-prices.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { type Round, roundQuery, roundTicksQuery } from './api.ts'
import { decidedByText, directionText, isSecret, isUndecided, resultOf, statusOf } from './round-words.ts'

type Ticks = ReadonlyArray<{ readonly second: number; readonly price: number | null }>

export type RoundPageProps = {
  readonly roundId: string
  /** Draws the prices of the round. The screen passes this function in from another feature. */
  readonly picture: (ticks: Ticks, isOver: boolean) => ReactNode
  /** The round's bets, and the staff acts on the round. */
  readonly children: ReactNode
}

/** A round's page for staff: its times, result and sums, its prices by the second, and then `children`. */
export function RoundPage({ roundId, picture, children }: RoundPageProps) {
  const query = useQuery(roundQuery(roundId))
  const { data: round } = query
  if (round === undefined)
    return (
      <Pending
        query={query}
        fallback={texts.roundFailed}
        className="grid gap-3 lg:grid-cols-2"
        shapes={['h-64 rounded-m', 'h-64 rounded-m']}
      />
    )
  if (round === null) return <EmptyState text={texts.roundNotFound} action={<BackToRounds />} />
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-2">
        <Facts round={round} />
        <Prices round={round} picture={picture} />
      </div>
      {children}
    </>
  )
}

const BackToRounds = () => (
  <Link to="/admin/game" className={buttonClass({ variant: 'outline', size: 'sm' })}>
    {texts.backToRounds}
  </Link>
)

function Facts({ round }: { readonly round: Round }) {
  const { label, tone } = statusOf(round)
  const { figures, announcement } = round
  const result = resultOf(round)
  const facts: ReadonlyArray<readonly [string, ReactNode]> = [
    [texts.opensAt, formatDateTime(round.opensAtMs)],
    [texts.closesAt, formatTime(round.closesAtMs)],
    [texts.openPrice, round.openPrice === null ? '–' : formatGoldPrice(round.openPrice)],
    [texts.closePrice, round.closePrice === null ? '–' : formatGoldPrice(round.closePrice)],
    [
      texts.result,
      isSecret(round)
        ? texts.secret
        : result !== null
          ? directionText(result)
          : isUndecided(round)
            ? texts.noResult
            : '–',
    ],
    [texts.decidedBy, decidedByText(round) || '–'],
    ...(announcement === null ? [] : [[texts.announcedAt, formatDateTime(announcement.announcedAt)] as const]),
    [texts.source, round.priceSourceLabel],
    ...(figures === undefined
      ? []
      : ([
          [texts.bets, formatCount(figures.bets)],
          [texts.staked, formatWholeAmount(figures.stakedMinor)],
          [texts.voided, formatCount(figures.voided)],
          [texts.net, <AmountText key="net" kind="signed" amountMinor={figures.netMinor} />],
        ] as const)),
  ]
  return (
    <Card aria-label={texts.facts} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-base font-semibold tabular-nums">
          {texts.roundTitle(round.type, formatCount(round.roundNumber))}
          {round.attempt > 0 && (
            <span className="pl-2 text-sm font-normal text-ink-3">{texts.attempt(String(round.attempt + 1))}</span>
          )}
        </h2>
        <Badge tone={tone}>{label}</Badge>
        <Link
          to="/vong/$id"
          params={{ id: round.id }}
          className={`${buttonClass({ variant: 'outline', size: 'sm' })} ml-auto max-md:min-h-target`}
        >
          <ExternalLink aria-hidden size={16} strokeWidth={1.8} />
          {texts.receipt}
        </Link>
      </div>
      <dl className="grid gap-x-8 gap-y-1.5 text-sm tabular-nums md:max-lg:grid-cols-2">
        {facts.map(([term, detail]) => (
          <div key={term} className="flex justify-between gap-4">
            <dt className="text-ink-3">{term}</dt>
            <dd className="text-right font-medium">{detail}</dd>
          </div>
        ))}
      </dl>
      {figures !== undefined && (
        <p className="text-xs text-ink-3">
          {figures.leftOut === 0 ? texts.netMeaning : texts.netWithout(formatCount(figures.leftOut))}
        </p>
      )}
    </Card>
  )
}

function Prices({ round, picture }: { readonly round: Round; readonly picture: RoundPageProps['picture'] }) {
  const query = useQuery(roundTicksQuery(round))
  const { data: ticks } = query
  return (
    <TitledCard title={texts.prices} gap="gap-2">
      {ticks === undefined ? (
        <Pending query={query} fallback={texts.ticksFailed} shapes={['h-44 rounded-s']} />
      ) : ticks.length === 0 ? (
        <p className="text-sm text-ink-2">{texts.noTicks}</p>
      ) : (
        <>
          {picture(ticks, round.status === 'ended' && !round.isDeleted)}
          <SecondPrices ticks={ticks} />
        </>
      )}
    </TitledCard>
  )
}
