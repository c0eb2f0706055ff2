import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { landingTexts } from './landing-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { buttonClass } from '#web/ui/button.tsx'

export type WelcomeBannerProps = {
  readonly username: string
  readonly balanceMinor: bigint
  readonly corner: ReactNode
  /** Renders the player's bets in place of the lead, or the lead for a player without bets. */
  readonly drawBets: ((lead: ReactNode) => ReactNode) | undefined
}

export function WelcomeBanner({ username, balanceMinor, corner, drawBets }: WelcomeBannerProps) {
  const lead = <span>{landingTexts.lead}</span>
  return (
    <section
      aria-labelledby="welcome"
      className="relative flex flex-col gap-4 overflow-hidden rounded-m bg-linear-to-br from-banner-from to-banner-to p-4 text-on-banner shadow-card [&_:focus-visible]:outline-on-banner"
    >
      <PriceLine />
      <div className="absolute top-1.5 right-1.5 z-10">{corner}</div>
      <div className="relative flex flex-col gap-1">
        <p className="pr-10 text-sm opacity-90">{landingTexts.greeting(username)}</p>
        <h2 id="welcome" className="text-lg font-semibold text-balance">
          {landingTexts.welcome}
        </h2>
      </div>
      <p className="relative flex flex-wrap items-baseline gap-x-2">
        <span className="text-sm opacity-90">{landingTexts.balance}</span>
        <AmountText amountMinor={balanceMinor} hasUnit className="text-xl font-semibold" />
      </p>
      <div className="relative min-h-12 text-sm">{drawBets?.(lead) ?? lead}</div>
      <div className="relative grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-2">
        <Link to="/investment/game" className={buttonClass()}>
          {landingTexts.toGame}
        </Link>
        <Link
          to="/investment"
          className="inline-flex min-h-target items-center justify-center rounded-s border border-on-banner/60 px-4 py-1.5 text-center text-sm leading-tight font-semibold text-on-banner transition-colors hover:bg-on-banner/10"
        >
          {landingTexts.toMarket}
        </Link>
      </div>
    </section>
  )
}

function PriceLine() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 400 160"
      preserveAspectRatio="none"
      fill="none"
      stroke="currentColor"
      className="pointer-events-none absolute inset-0 size-full opacity-15"
    >
      <path
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
        d="M0 132 24 126 44 138 70 112 96 120 120 96 150 108 176 84 198 92 226 66 248 78 276 52 300 64 330 38 352 46 378 20 400 26"
      />
      <path strokeWidth="1" vectorEffect="non-scaling-stroke" strokeDasharray="3 5" d="M0 64H400M0 108H400" />
    </svg>
  )
}
