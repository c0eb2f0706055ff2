import { Link, type LinkProps } from '@tanstack/react-router'
import type { IconComponent } from '#web/ui/icon.tsx'
import { CircleUser } from '#web/ui/icons/circle-user.tsx'
import { Headset } from '#web/ui/icons/headset.tsx'
import { House } from '#web/ui/icons/house.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { shellTexts } from './layout-texts.ts'
import { useIsKeyboardOpen } from './keyboard.ts'
import { UnreadCount } from './unread-count.tsx'

type Tab = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: IconComponent
  readonly hasUnread?: true
}

const tabs: readonly Tab[] = [
  { to: '/', label: screenTitles.home, icon: House },
  { to: '/investment', label: screenTitles.marketList, icon: TrendingUp },
  { to: '/support', label: screenTitles.support, icon: Headset, hasUnread: true },
  { to: '/account', label: screenTitles.account, icon: CircleUser },
]

export function TabBar() {
  const isKeyboardOpen = useIsKeyboardOpen()
  if (isKeyboardOpen) return null
  return (
    <nav
      aria-label={shellTexts.navigation}
      className="sticky bottom-0 z-20 mt-auto shrink-0 border-t border-line bg-surface pb-safe print:hidden"
    >
      <ul className="grid grid-cols-4">
        {tabs.map(({ to, label, icon: Icon, hasUnread }) => (
          <li key={label}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="group relative grid h-14 content-center justify-items-center gap-0.5 text-xs font-medium text-ink-3 transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:text-ink"
            >
              <Icon aria-hidden size={22} strokeWidth={1.7} className="group-aria-[current=page]:text-gold" />
              <span className="max-w-full truncate px-0.5">{label}</span>
              {hasUnread && (
                <span className="absolute top-1 left-1/2 ml-1.5">
                  <UnreadCount />
                </span>
              )}
              <span className="absolute bottom-0 hidden h-[3px] w-8 rounded-t-pill bg-gold group-aria-[current=page]:block" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
