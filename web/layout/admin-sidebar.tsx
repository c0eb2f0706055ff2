import { Link, type LinkProps } from '@tanstack/react-router'
import { Dialog as Radix } from 'radix-ui'
import { useContext, useId } from 'react'
import type { Me } from '#contract/identity.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { adminTexts } from './admin-texts.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { screenTitles, commonTexts } from '#web/platform/texts.ts'
import { useBackCloses } from '#web/ui/back-closes.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useFocusReturn } from '#web/ui/dialog.tsx'
import type { IconComponent } from '#web/ui/icon.tsx'
import { Activity } from '#web/ui/icons/activity.tsx'
import { ArrowLeftRight } from '#web/ui/icons/arrow-left-right.tsx'
import { ChartNoAxesColumn } from '#web/ui/icons/chart-no-axes-column.tsx'
import { Gamepad2 } from '#web/ui/icons/gamepad-2.tsx'
import { History } from '#web/ui/icons/history.tsx'
import { House } from '#web/ui/icons/house.tsx'
import { LayoutDashboard } from '#web/ui/icons/layout-dashboard.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import { MessageSquareWarning } from '#web/ui/icons/message-square-warning.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { ShieldCheck } from '#web/ui/icons/shield-check.tsx'
import { UserRoundCheck } from '#web/ui/icons/user-round-check.tsx'
import { UsersRound } from '#web/ui/icons/users-round.tsx'
import { X } from '#web/ui/icons/x.tsx'
import { UserMenu } from './admin-user-menu.tsx'
import { UnreadCount } from './unread-count.tsx'
import { usePublicConfig } from '#web/features/identity/public-config.ts'
import { SidebarTrigger } from './admin-sidebar-trigger.tsx'
import { Plus } from '#web/ui/icons/plus.tsx'
import { Menu } from '#web/ui/menu.tsx'

export const sidebarId = 'admin-sidebar'

type Entry = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: IconComponent
  readonly badge?: 'requests' | 'proposals' | 'unread' | 'disputes'
  readonly needs?: Capability
}

/** The groups and pages of spec §2.6. */
export const sidebarGroups: ReadonlyArray<{ readonly label: string; readonly entries: readonly Entry[] }> = [
  {
    label: adminTexts.membersGroup,
    entries: [
      { to: '/admin/user', label: screenTitles.account, icon: UsersRound },
      { to: '/admin/transaction', label: screenTitles.transaction, icon: ArrowLeftRight, badge: 'requests' },
      { to: '/admin/proposals', label: screenTitles.adminProposals, icon: UserRoundCheck, badge: 'proposals' },
    ],
  },
  {
    label: adminTexts.gameGroup,
    entries: [
      { to: '/admin/game', label: screenTitles.adminGame, icon: Gamepad2 },
      { to: '/admin/history', label: screenTitles.adminHistory, icon: History },
    ],
  },
  {
    label: adminTexts.careGroup,
    entries: [
      { to: '/admin/chat', label: screenTitles.adminChat, icon: MessageSquareText, badge: 'unread', needs: 'care' },
      { to: '/admin/care-report', label: screenTitles.adminCareReport, icon: ChartNoAxesColumn, needs: 'care' },
      { to: '/admin/disputes', label: screenTitles.adminDisputes, icon: MessageSquareWarning, badge: 'disputes' },
    ],
  },
  {
    label: adminTexts.systemGroup,
    entries: [
      { to: '/admin/audit', label: screenTitles.adminAudit, icon: ScrollText },
      { to: '/admin/security', label: screenTitles.adminSecurity, icon: ShieldCheck },
      { to: '/admin/system', label: screenTitles.adminSystem, icon: Activity, needs: 'owner' },
    ],
  },
]

type SidebarProps = { readonly me: Me; readonly isOpen: boolean }

/** The sidebar: 16rem wide, or 3rem with icons only (spec §9.3). */
export function AdminSidebar({ me, isOpen }: SidebarProps) {
  return (
    <aside
      id={sidebarId}
      className={classNames(
        'sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-surface transition-[width]',
        isOpen ? 'w-64 px-3' : 'w-12 px-1',
      )}
    >
      <Content me={me} isIcons={!isOpen} />
    </aside>
  )
}

type SheetProps = SidebarProps & { readonly onClose: () => void }

export function AdminSheet({ me, isOpen, onClose }: SheetProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn()
  useBackCloses(isOpen, onClose)
  return (
    <Radix.Root open={isOpen} onOpenChange={(willOpen) => !willOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <Radix.Content
          id={sidebarId}
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={(event) => {
            // After a navigation the new page's heading keeps the focus.
            if (document.activeElement instanceof HTMLHeadingElement) event.preventDefault()
            else onCloseAutoFocus(event)
          }}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[calc(100vw-3rem)] flex-col border-r border-line bg-surface px-3 shadow-overlay outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-side-in"
        >
          <Radix.Title className="sr-only">{adminTexts.platform}</Radix.Title>
          <Radix.Close asChild>
            <IconButton label={adminTexts.closeSidebar} className="absolute top-2 right-2 z-10 text-ink-3">
              <X aria-hidden size={20} strokeWidth={1.8} />
            </IconButton>
          </Radix.Close>
          <Content me={me} isIcons={false} isSheet onNavigate={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ContentProps = {
  readonly me: Me
  readonly isIcons: boolean
  readonly isSheet?: boolean
  readonly onNavigate?: () => void
}

function Content({ me, isIcons, isSheet = false, onNavigate }: ContentProps) {
  const own = useContext(OwnCapabilities)
  const isShown = ({ needs }: Entry) => needs === undefined || own.includes(needs)
  const id = useId()
  return (
    <>
      <div className={classNames('pt-2.5', isSheet && 'pr-11')}>
        <TeamSwitcher isIcons={isIcons} />
      </div>
      <nav
        aria-labelledby={`${id}-title`}
        className={classNames('flex flex-1 flex-col gap-1 pt-2 pb-3', !isIcons && 'min-h-0 overflow-y-auto')}
      >
        <p id={`${id}-title`} className={isIcons ? 'sr-only' : 'px-2 pt-1 text-xs font-semibold text-ink-2'}>
          {adminTexts.platform}
        </p>
        <div className="pt-1.5">
          <EntryLink
            entry={{ to: '/admin', label: adminTexts.overview, icon: LayoutDashboard }}
            isIcons={isIcons}
            onNavigate={onNavigate}
          />
        </div>
        {sidebarGroups.map((group, at) => (
          <div key={group.label} role="group" aria-labelledby={`${id}-${at}`}>
            <p id={`${id}-${at}`} className={isIcons ? 'sr-only' : 'px-2 pt-2.5 pb-1 text-xs text-ink-3'}>
              {group.label}
            </p>
            <ul className="flex flex-col gap-0.5">
              {group.entries.filter(isShown).map((entry) => (
                <li key={entry.label}>
                  <EntryLink entry={entry} isIcons={isIcons} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="flex flex-col gap-0.5 border-t border-line py-2">
        <EntryLink
          entry={{ to: '/', label: adminTexts.backHome, icon: House }}
          isIcons={isIcons}
          onNavigate={onNavigate}
        />
        <UserMenu me={me} isIcons={isIcons} onNavigate={onNavigate} />
      </div>
    </>
  )
}

type EntryLinkProps = {
  readonly entry: Entry
  readonly isIcons: boolean
  readonly onNavigate: (() => void) | undefined
}

/** Scrolls the sidebar to the link of the open page. */
const showCurrent = (link: HTMLAnchorElement | null) => {
  if (link?.ariaCurrent === 'page') link.scrollIntoView({ block: 'nearest' })
}

function EntryLink({ entry: { to, label, icon: Icon, badge }, isIcons, onNavigate }: EntryLinkProps) {
  return (
    <Link
      ref={showCurrent}
      to={to}
      activeOptions={{ exact: to === '/' || to === '/admin', includeSearch: false }}
      onClick={onNavigate}
      className={classNames(
        'group/entry relative flex items-center gap-2.5 rounded-s font-medium text-ink-2 transition-colors hover:bg-surface-press hover:text-ink aria-[current=page]:bg-surface-2 aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_2px_0_0_var(--color-gold)]',
        isIcons ? 'size-9.5 justify-center' : 'min-h-target px-2 md:min-h-9.5',
      )}
    >
      <Icon aria-hidden size={18} strokeWidth={1.8} className="shrink-0 group-aria-[current=page]/entry:text-gold" />
      {isIcons ? (
        <>
          <span className="sr-only">{label}</span>
          <span
            aria-hidden
            className="pointer-events-none absolute left-full ml-2 hidden rounded-s border border-line bg-surface px-2.5 py-1.5 text-xs font-medium whitespace-nowrap text-ink shadow-overlay group-hover/entry:block group-focus-visible/entry:block"
          >
            {label}
          </span>
        </>
      ) : (
        <span className="min-w-0 flex-1 truncate text-sm">{label}</span>
      )}
      {badge !== undefined && (
        <span className={isIcons ? 'absolute -top-1 -right-1 origin-top-right scale-85' : 'contents'}>
          {badge === 'unread' ? <UnreadCount /> : <Count of={badge} />}
        </span>
      )}
    </Link>
  )
}

const loadCounts = afterDrawing(() => import('./sidebar-counts.tsx'))

function Count({ of }: { readonly of: 'requests' | 'proposals' | 'disputes' }) {
  return useLazyPart(loadCounts).part?.sidebarCounts[of] ?? null
}

/** The team switcher (spec §2.6). There is only one team, which the operator names. */
function TeamSwitcher({ isIcons }: { readonly isIcons: boolean }) {
  const config = usePublicConfig()
  const team = config?.teamName ?? commonTexts.productName
  return (
    <Menu
      align="start"
      side={isIcons ? 'right' : 'bottom'}
      trigger={
        <SidebarTrigger
          isIcons={isIcons}
          label={adminTexts.teams}
          name={team}
          detail={adminTexts.plan}
          mark={team.slice(0, 1)}
          markClass="rounded-s bg-gold-fill text-sm text-on-gold"
        />
      }
      groups={[
        {
          id: 'teams',
          label: adminTexts.teams,
          items: [{ id: 'team', label: team, hint: adminTexts.plan, isChecked: true, onSelect: () => {} }],
        },
        {
          id: 'add',
          items: [
            {
              id: 'add',
              label: adminTexts.addTeam,
              hint: adminTexts.addTeamWhy,
              icon: Plus,
              isDisabled: true,
              onSelect: () => {},
            },
          ],
        },
      ]}
    />
  )
}
