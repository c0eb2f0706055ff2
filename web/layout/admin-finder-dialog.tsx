import { useNavigate } from '@tanstack/react-router'
import { useContext } from 'react'
import type { FoundUser } from '#contract/finder.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { adminCustomerTexts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { useUserRights } from '#web/features/admin-users/use-user-rights.ts'
import { FinderDialog, type FinderProps } from '#web/features/finder/finder-dialog.tsx'
import { failureText } from '#web/platform/http.ts'
import { chooseTheme } from '#web/platform/theme.ts'
import { OwnCapabilities, useMay } from '#web/platform/use-may.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { CircleDot } from '#web/ui/icons/circle-dot.tsx'
import { Gamepad2 } from '#web/ui/icons/gamepad-2.tsx'
import { House } from '#web/ui/icons/house.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { LayoutDashboard } from '#web/ui/icons/layout-dashboard.tsx'
import { LogOut } from '#web/ui/icons/log-out.tsx'
import { MessageSquareText } from '#web/ui/icons/message-square-text.tsx'
import { Monitor } from '#web/ui/icons/monitor.tsx'
import { Moon } from '#web/ui/icons/moon.tsx'
import { PencilLine } from '#web/ui/icons/pencil-line.tsx'
import { Scale } from '#web/ui/icons/scale.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { Snowflake } from '#web/ui/icons/snowflake.tsx'
import { Sun } from '#web/ui/icons/sun.tsx'
import { UserRound } from '#web/ui/icons/user-round.tsx'
import { WalletCards } from '#web/ui/icons/wallet-cards.tsx'
import { themeTexts } from '#web/ui/theme-texts.ts'
import { toast } from '#web/ui/toast.tsx'
import { adminFinderTexts } from './admin-finder-texts.ts'
import { sidebarGroups } from './admin-sidebar.tsx'
import { adminTexts } from './admin-texts.ts'
import { openWriting } from './open-writing.ts'

export type AdminFinderDialogProps = {
  readonly meId: string
  readonly onLeave: () => void
  readonly onClose: () => void
}

export function AdminFinderDialog({ meId, onLeave, onClose }: AdminFinderDialogProps) {
  return <FinderDialog {...useParts(meId, onLeave)} onClose={onClose} />
}

function useParts(meId: string, leave: () => void): Pick<FinderProps, 'groups' | 'userActs'> {
  const navigate = useNavigate()
  const own = useContext(OwnCapabilities)
  const userActs = useUserActs(meId)
  const page = (to: string, label: string, icon: typeof House, alias = '') => ({
    id: to,
    label,
    icon,
    alias,
    run: () => void navigate({ to }),
  })
  const themeIcons = { light: Sun, dark: Moon, system: Monitor }
  return {
    groups: [
      {
        label: adminFinderTexts.pages,
        entries: [
          page('/admin', adminTexts.overview, LayoutDashboard, screenTitles.admin),
          ...sidebarGroups
            .flatMap(({ entries }) => entries)
            .filter(({ needs }) => needs === undefined || own.includes(needs))
            .map(({ to, label, icon }) => page(to, label, icon)),
          page('/change-password', screenTitles.changePassword, KeyRound),
          page('/', adminTexts.backHome, House),
        ],
      },
      {
        label: adminFinderTexts.acts,
        entries: [
          ...ROUND_TYPES.map((type) => ({
            id: `round-${type}`,
            label: adminFinderTexts.openRound(type),
            icon: Gamepad2,
            run: () => void navigate({ to: '/admin/game', search: type === ROUND_TYPES[0] ? {} : { type } }),
          })),
          ...(['light', 'dark', 'system'] as const).map((choice) => ({
            id: `theme-${choice}`,
            label: adminFinderTexts.themeIs(themeTexts[choice]),
            icon: themeIcons[choice],
            run: () => chooseTheme(choice),
          })),
          { id: 'leave', label: adminFinderTexts.leave, alias: adminTexts.logOut, icon: LogOut, run: leave },
        ],
      },
    ],
    userActs,
  }
}

/** Returns what the admin may do with a user (rules §4.5). Each act navigates to the page where it is done. */
function useUserActs(meId: string): FinderProps['userActs'] {
  const navigate = useNavigate()
  const may = useUserRights()
  const mayCare = useMay('care')
  const onPage =
    (search: Readonly<Record<string, string>> = {}) =>
    (id: string) =>
      void navigate({ to: '/admin/user/$id', params: { id }, search })
  const write = (id: string) => {
    const { href } = location
    const opened = openWriting(id, meId).then((conversation) =>
      // If the admin has gone to another page meanwhile, stay there.
      location.href === href ? navigate({ to: '/admin/chat', search: { conversation } }) : undefined,
    )
    opened.catch((error: unknown) => toast.error(failureText(error, adminCustomerTexts.writeFailed)))
  }
  const acts: ReadonlyArray<FinderProps['userActs'][number] & { readonly may?: boolean }> = [
    { id: 'page', label: adminFinderTexts.openPage, icon: UserRound, suits: () => true, run: onPage() },
    {
      id: 'write',
      label: adminFinderTexts.write,
      icon: MessageSquareText,
      may: mayCare,
      suits: ({ role, isDeleted }) => role === 'player' && !isDeleted,
      run: write,
    },
    {
      id: 'waiting',
      label: adminFinderTexts.waiting,
      icon: WalletCards,
      may: may.balance,
      suits: ({ waitingRequests = 0 }) => waitingRequests > 0,
      run: onPage({ part: 'requests', status: 'pending' }),
    },
    {
      id: 'adjust',
      label: adminFinderTexts.adjust,
      icon: Scale,
      may: may.balance,
      suits: ({ id, isDeleted }) => !isDeleted && id !== meId,
      run: onPage({ act: 'edit' }),
    },
    {
      id: 'edit',
      label: adminFinderTexts.edit,
      icon: PencilLine,
      may: may.users,
      suits: (user) => !user.isDeleted && may.profile(user, user.id === meId),
      run: onPage({ act: 'edit' }),
    },
    ...(['freeze', 'unfreeze'] as const).map((act) => ({
      id: act,
      label: adminFinderTexts[act],
      icon: act === 'freeze' ? Snowflake : Sun,
      may: may.users,
      suits: (user: FoundUser) =>
        user.isFrozen === (act === 'unfreeze') && !user.isDeleted && user.id !== meId && may.profile(user, false),
      run: onPage({ act }),
    })),
    {
      id: 'ledger',
      label: adminFinderTexts.ledger,
      icon: ScrollText,
      suits: () => true,
      run: onPage({ part: 'ledger' }),
    },
    { id: 'bets', label: adminFinderTexts.bets, icon: CircleDot, suits: () => true, run: onPage({ part: 'bets' }) },
  ]
  return acts.filter((act) => act.may !== false)
}
