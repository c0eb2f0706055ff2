import { useNavigate } from '@tanstack/react-router'
import {
  Gamepad2,
  House,
  KeyRound,
  LayoutDashboard,
  LogOut,
  Monitor,
  Moon,
  ScrollText,
  ShieldCheck,
  Sun,
} from 'lucide-react'
import { useContext } from 'react'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { FinderDialog, type FinderProps } from '#web/features/finder/finder-dialog.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { chooseTheme } from '#web/platform/theme.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { themeTexts } from '#web/ui/theme-texts.ts'
import { adminFinderTexts } from './admin-finder-texts.ts'
import { sidebarGroups } from './admin-sidebar.tsx'
import { adminTexts } from './admin-texts.ts'

export type AdminFinderDialogProps = {
  readonly meId: string
  readonly onLeave: () => void
  readonly onClose: () => void
}

/** The finder with the pages and acts of the back office. */
export function AdminFinderDialog({ meId, onLeave, onClose }: AdminFinderDialogProps) {
  return <FinderDialog {...useParts(meId, onLeave)} onClose={onClose} />
}

/** The pages and acts that the signed-in admin may reach. */
function useParts(meId: string, leave: () => void): Pick<FinderProps, 'groups' | 'userActs'> {
  const navigate = useNavigate()
  const own = useContext(OwnCapabilities)
  const page = (to: string, label: string, icon: typeof House, alias = '') => ({
    id: to,
    label,
    icon,
    alias,
    run: () => void navigate({ to }),
  })
  const onUser = (act: 'freeze' | 'unfreeze') => (id: string) =>
    void navigate({ to: '/admin/user/$id', params: { id }, search: { act } })
  const themeIcons = { light: Sun, dark: Moon, system: Monitor }
  return {
    groups: [
      {
        label: adminFinderTexts.pages,
        entries: [
          page('/admin', adminTexts.overview, LayoutDashboard, adminTexts.breadcrumb),
          ...sidebarGroups
            .flatMap(({ entries }) => entries)
            .filter(({ needs }) => needs === undefined || own.includes(needs))
            .map(({ to, label, icon }) => page(to, label, icon)),
          page('/admin/audit', adminTexts.audit, ScrollText),
          page('/admin/security', screenTitles.adminSecurity, ShieldCheck),
          page('/change-password', adminTexts.changePassword, KeyRound),
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
    userActs: own.includes('users')
      ? [
          {
            id: 'freeze',
            label: adminFinderTexts.freeze,
            suits: ({ id, isFrozen, isDeleted }) => !isFrozen && !isDeleted && id !== meId,
            run: onUser('freeze'),
          },
          {
            id: 'unfreeze',
            label: adminFinderTexts.unfreeze,
            suits: ({ id, isFrozen, isDeleted }) => isFrozen && !isDeleted && id !== meId,
            run: onUser('unfreeze'),
          },
        ]
      : [],
  }
}
