import { Link } from '@tanstack/react-router'
import { Headset } from '#web/ui/icons/headset.tsx'
import { ListOrdered } from '#web/ui/icons/list-ordered.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { Timer } from '#web/ui/icons/timer.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import { Wallet } from '#web/ui/icons/wallet.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { landingTexts } from './landing-texts.ts'

const services = [
  {
    to: '/investment/game',
    icon: TrendingUp,
    title: landingTexts.serviceGame,
    detail: landingTexts.serviceGameDetail,
  },
  { to: '/investment', icon: ListOrdered, title: landingTexts.serviceMarket, detail: landingTexts.serviceMarketDetail },
  { to: '/transaction', icon: Wallet, title: landingTexts.serviceCash, detail: landingTexts.serviceCashDetail },
  {
    to: '/account/ledger',
    icon: ScrollText,
    title: screenTitles.ledger,
    detail: landingTexts.serviceLedgerDetail,
  },
  { to: '/account/limits', icon: Timer, title: screenTitles.limits, detail: landingTexts.serviceLimitsDetail },
  { to: '/support', icon: Headset, title: landingTexts.serviceSupport, detail: landingTexts.serviceSupportDetail },
] as const

export function Services() {
  return (
    <section aria-labelledby="services" className="flex flex-col gap-3">
      <h2 id="services" className="text-base font-semibold">
        {landingTexts.services}
      </h2>
      <ul className="grid grid-cols-2 gap-2 min-[500px]:grid-cols-3">
        {services.map(({ to, icon: Icon, title, detail }) => (
          <li key={to} className="flex">
            <Link
              to={to}
              className="flex min-w-0 flex-1 flex-col gap-2 rounded-m border border-line bg-surface p-3 shadow-card transition-colors hover:bg-surface-press"
            >
              <span className="grid size-9 place-items-center rounded-s bg-gold-soft text-gold">
                <Icon aria-hidden size={20} strokeWidth={1.8} />
              </span>
              <span className="flex flex-col gap-0.5">
                <span className="text-sm font-semibold">{title}</span>
                <span className="text-xs text-ink-3">{detail}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
