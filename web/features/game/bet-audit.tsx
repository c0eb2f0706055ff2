import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { betsTexts } from './bets-texts.ts'
import { formatAmount, formatCount, formatGoldPrice, formatSignedAmount, formatTime } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Sheet } from '#web/ui/dialog.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { Pending, type PendingProps } from '#web/ui/pending.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type GameBet, untilDueMs } from './api.ts'
import { BetFacts } from './bet-facts.tsx'
import { statusWords } from './bet-words.ts'
import { betTicksQuery, oneBetQuery } from './own-bets-api.ts'
import { type AuditTick, auditTicks, betStory, type TickMark } from './own-bets-words.ts'
import { TickLine } from './tick-line.tsx'
import { VoidHelp } from './void-help.tsx'

export type BetAuditProps = {
  readonly betId: string | undefined
  /** Renders the state of the bet's seal, and a link to the round's receipt. */
  readonly seal: (bet: GameBet) => ReactNode
  readonly dispute: (bet: GameBet) => ReactNode
  readonly onClose: () => void
}

/** Shows what decides a bet. If the price does, the player sees the ticks and can check the result (rules §2.5). */
export function BetAudit({ betId, seal, dispute, onClose }: BetAuditProps) {
  return (
    <Sheet isOpen={betId !== undefined} isOfAddress onClose={onClose} title={betsTexts.audit}>
      {betId !== undefined && <Audit key={betId} betId={betId} seal={seal} dispute={dispute} />}
    </Sheet>
  )
}

type AuditProps = Pick<BetAuditProps, 'seal' | 'dispute'> & { readonly betId: string }

function Audit({ betId, seal, dispute }: AuditProps) {
  const bet = useQuery({
    ...oneBetQuery(betId),
    refetchInterval: ({ state: { data } }) => untilDueMs(data ? [data] : []),
  })
  if (bet.data === undefined) return <LoadingAudit query={bet} />
  if (bet.data === null) return <EmptyState text={betsTexts.notFound} />
  return (
    <>
      <Result bet={bet.data} />
      <VoidHelp bet={bet.data} />
      <BetFacts bet={bet.data} />
      {seal(bet.data)}
      <ol className="flex flex-col gap-1.5 border-t border-line pt-3 text-sm text-ink-2">
        {betStory(bet.data).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      {bet.data.basis === 'PRICE' && <Prices bet={bet.data} />}
      {dispute(bet.data)}
    </>
  )
}

function Result({ bet }: { readonly bet: GameBet }) {
  const profitMinor = bet.profitMinor ?? 0n
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="text-sm text-ink-2">
        {statusWords[bet.status].label} ·{' '}
        <RoundLink roundId={bet.round.id}>{gameTexts.round(formatCount(bet.round.roundNumber))}</RoundLink>
      </span>
      {bet.status !== 'open' && (
        <span
          translate="no"
          className={classNames(
            'text-lg font-semibold tabular-nums',
            profitMinor > 0n && 'text-up',
            profitMinor < 0n && 'text-down',
          )}
        >
          {bet.status === 'voided' ? formatAmount(bet.stakeMinor) : formatSignedAmount(profitMinor)}
        </span>
      )}
    </p>
  )
}

function Prices({ bet }: { readonly bet: GameBet }) {
  const query = useQuery({ ...betTicksQuery(bet), placeholderData: keepPreviousData })
  if (query.data === undefined) return <LoadingAudit query={query} />
  const ticks = auditTicks(bet, query.data)
  if (ticks.length === 0) {
    // A bet with an entry price once had ticks. Their month is now detached, so nothing reads them (decision 033).
    const sentence = bet.entryPrice === null ? betsTexts.noPrices : betsTexts.pricesGone
    return <p className="text-sm text-ink-2">{sentence}</p>
  }
  return (
    <>
      <TickLine bet={bet} ticks={ticks} />
      <details className="text-sm">
        <summary className="flex min-h-target cursor-pointer items-center font-medium text-gold">
          {betsTexts.ticks} · {query.data.label}
        </summary>
        <TickTable ticks={ticks} />
      </details>
    </>
  )
}

const markWords: Readonly<Record<TickMark, string>> = {
  accepted: betsTexts.acceptedMark,
  entry: betsTexts.entryMark,
  exit: betsTexts.exitMark,
}

function TickTable({ ticks }: { readonly ticks: readonly AuditTick[] }) {
  return (
    <table className="w-full text-left tabular-nums">
      <thead>
        <tr className="text-xs text-ink-3">
          <th className="py-1 font-medium">{betsTexts.time}</th>
          <th className="py-1 text-right font-medium">{betsTexts.price}</th>
          <th className="py-1 pl-2 text-right font-medium">{betsTexts.change}</th>
        </tr>
      </thead>
      <tbody translate="no">
        {ticks.map(({ second, price, mark, changeText }) => (
          <tr key={second} className={classNames('border-t border-line', mark !== null && 'bg-gold-soft font-medium')}>
            <td className="py-1">
              {formatTime(second * 1000)}
              {mark !== null && <span className="block text-xs text-gold">{markWords[mark]}</span>}
            </td>
            <td className="py-1 text-right">{price === null ? betsTexts.noTick : formatGoldPrice(price)}</td>
            <td className="py-1 pl-2 text-right">{changeText ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LoadingAudit = ({ query }: Pick<PendingProps, 'query'>) => (
  <Pending query={query} className="flex flex-col gap-3" shapes={['h-8', 'h-32']} />
)
