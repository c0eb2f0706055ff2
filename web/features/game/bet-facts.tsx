import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { formatGoldPrice, formatWholeAmount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import type { GameBet } from './api.ts'
import { basisWords, directionWords } from './bet-words.ts'
import { differenceText } from './held-figures.ts'

/** Lists the facts of a bet and what decides it. Prices appear only if the price decides (rules §1.2). */
export function BetFacts({ bet }: { readonly bet: GameBet }) {
  const { label, arrow } = directionWords[bet.direction]
  const facts: (readonly [term: string, value: string])[] = [
    [gameTexts.direction, `${arrow} ${label} · ${bet.round.type}`],
    [gameTexts.stake, `${formatWholeAmount(bet.stakeMinor)} ${commonTexts.points}`],
    [gameTexts.basis, basisWords[bet.basis]],
  ]
  if (bet.basis === 'PRICE') {
    facts.push([gameTexts.entryPrice, priceText(bet.entryPrice)], [gameTexts.exitPrice, priceText(bet.exitPrice)])
    const difference = differenceText(bet)
    if (difference !== null) facts.push([gameTexts.difference, difference])
  }
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {facts.map(([term, value]) => (
          <Fragment key={term}>
            <dt className="text-ink-3">{term}</dt>
            <dd translate="no" className="text-right font-medium tabular-nums">
              {value}
            </dd>
          </Fragment>
        ))}
      </dl>
      {bet.basis === 'ADMIN' && (
        <Link
          to="/so-mo"
          className="flex min-h-target items-center self-start text-sm font-medium text-gold underline-offset-4 hover:underline"
        >
          {gameTexts.staffInBook}
        </Link>
      )}
    </>
  )
}

const priceText = (price: number | null) => (price === null ? '–' : formatGoldPrice(price))
