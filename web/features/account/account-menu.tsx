import { Link, type LinkProps } from '@tanstack/react-router'
import { accountTexts } from './account-texts.ts'
import { Card } from '#web/ui/card.tsx'
import type { IconComponent } from '#web/ui/icon.tsx'
import { ChartNoAxesColumn } from '#web/ui/icons/chart-no-axes-column.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { CircleHelp } from '#web/ui/icons/circle-help.tsx'
import { History } from '#web/ui/icons/history.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { Landmark } from '#web/ui/icons/landmark.tsx'
import { LayoutDashboard } from '#web/ui/icons/layout-dashboard.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { Settings } from '#web/ui/icons/settings.tsx'
import { Timer } from '#web/ui/icons/timer.tsx'
import { Wallet } from '#web/ui/icons/wallet.tsx'
import { screenTitles } from '#web/platform/texts.ts'

type Entry = {
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: IconComponent
  readonly title: string
  readonly detail?: string
}

const playerEntries: readonly Entry[] = [
  { to: '/transaction', icon: Wallet, title: screenTitles.transaction, detail: accountTexts.toTransactionDetail },
  { to: '/bank', icon: Landmark, title: screenTitles.bank, detail: accountTexts.toBankDetail },
  { to: '/account/ledger', icon: ScrollText, title: screenTitles.ledger, detail: accountTexts.toLedgerDetail },
  { to: '/account/bets', icon: History, title: screenTitles.bets, detail: accountTexts.toBetsDetail },
  {
    to: '/account/statistics',
    icon: ChartNoAxesColumn,
    title: screenTitles.statistics,
    detail: accountTexts.toStatisticsDetail,
  },
  { to: '/account/limits', icon: Timer, title: screenTitles.limits, detail: accountTexts.toLimitsDetail },
  { to: '/account/settings', icon: Settings, title: screenTitles.settings, detail: accountTexts.toSettingsDetail },
  { to: '/change-password', icon: KeyRound, title: screenTitles.changePassword },
  { to: '/tro-giup', icon: CircleHelp, title: screenTitles.help, detail: accountTexts.toHelpDetail },
]

const staffEntries: readonly Entry[] = [
  { to: '/admin', icon: LayoutDashboard, title: accountTexts.toBackOffice },
  { to: '/account/settings', icon: Settings, title: screenTitles.settings, detail: accountTexts.toSettingsDetail },
  { to: '/change-password', icon: KeyRound, title: screenTitles.changePassword },
]

/** The links of the account page (spec §2.5). */
export function AccountMenu({ isStaff }: { readonly isStaff: boolean }) {
  return (
    <Card isPadded={false} aria-label={accountTexts.menu} className="overflow-hidden">
      <ul className="divide-y divide-line">
        {(isStaff ? staffEntries : playerEntries).map(({ to, icon: Icon, title, detail }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-14 items-center gap-3 px-4 py-2 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2"
            >
              <Icon aria-hidden size={20} strokeWidth={1.7} className="shrink-0 text-gold" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{title}</span>
                {detail !== undefined && <span className="block text-xs text-ink-3">{detail}</span>}
              </span>
              <ChevronRight aria-hidden size={18} className="shrink-0 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
