import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount, formatSignedAmount, formatTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { betsQuery, type GameBet, untilSettled } from './api.ts'
import { directionWords, statusWords } from './bet-words.ts'
import { homeBetsTexts as texts } from './home-bets-texts.ts'
import { betsSummaryQuery, everyBet } from './own-bets-api.ts'
import { useBetHints } from './use-bet-hints.ts'

export const drawOwnBets = (lead: ReactNode) => <OwnBets lead={lead} />

/**
 * Shows `lead` until the player's bets are loaded, and to a player without bets. Otherwise shows the newest bet and the
 * counts of wins and losses. `lead` is then invisible, but keeps its height, so that the page does not move.
 */
function OwnBets({ lead }: { readonly lead: ReactNode }) {
  const { data } = useQuery({ ...betsQuery(1), ...untilSettled })
  const latest = data?.bets[0]
  const { data: summary } = useQuery({ ...betsSummaryQuery(everyBet), enabled: latest !== undefined })
  useBetHints(data?.bets)
  if (latest === undefined) return lead
  const ended = summary === undefined ? 0 : summary.won + summary.lost
  return (
    <div className="grid *:[grid-area:1/1]">
      <span className="invisible">{lead}</span>
      <div className="leading-6 tabular-nums *:truncate">
        <p role="status">
          <LatestBet bet={latest} />
        </p>
        {summary !== undefined && !summary.isCapped && ended > 0 && (
          <p>
            <Link to="/account/statistics" className="inline-block hover:underline">
              {texts.ended(formatCount(ended), formatCount(summary.won), formatCount(summary.lost))}
            </Link>
          </p>
        )}
      </div>
    </div>
  )
}

/**
 * A browser's translator may replace text nodes, and React can't update replaced nodes. So each text has an element of
 * its own, and a new status gives the link a new key.
 */
function LatestBet({ bet }: { readonly bet: GameBet }) {
  const { label, arrow } = directionWords[bet.direction]
  const isOpen = bet.status === 'open'
  return (
    <Link
      key={bet.status}
      to={isOpen ? '/investment/game' : '/account/bets'}
      className="inline-flex gap-x-1 hover:underline"
    >
      <span>{isOpen ? texts.running : texts.last}</span> <span aria-hidden>{arrow}</span> <span>{label}</span>{' '}
      <AmountText amountMinor={bet.stakeMinor} kind="whole" /> <span aria-hidden>·</span>{' '}
      <span>{isOpen ? texts.until(formatTime(bet.closesAtMs)) : statusWords[bet.status].label}</span>{' '}
      {bet.profitMinor !== null && bet.status !== 'voided' && (
        <span translate="no" className="font-semibold">
          {formatSignedAmount(bet.profitMinor)}
        </span>
      )}
    </Link>
  )
}
