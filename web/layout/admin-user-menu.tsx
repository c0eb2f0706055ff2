import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/identity.ts'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { SidebarTrigger } from './admin-sidebar-trigger.tsx'
import { adminTexts } from './admin-texts.ts'
import { themeTexts } from '#web/ui/theme-texts.ts'
import { readThemeChoice } from '#web/platform/storage.ts'
import { chooseTheme, onThemeChanged } from '#web/platform/theme.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { LogOut } from '#web/ui/icons/log-out.tsx'
import { Menu } from '#web/ui/menu.tsx'

export type UserMenuProps = {
  readonly me: Me
  readonly isIcons: boolean
  readonly onNavigate: (() => void) | undefined
}

export function UserMenu({ me, isIcons, onNavigate }: UserMenuProps) {
  const navigate = useNavigate()
  const theme = useSyncExternalStore(onThemeChanged, readThemeChoice)
  const changePassword = () => {
    onNavigate?.()
    void navigate({ to: '/change-password' })
  }
  const { isLeaving, start: leave, question } = useLogOut(me.id)
  return (
    <>
      <Menu
        align="start"
        side={isIcons ? 'right' : 'top'}
        trigger={
          <SidebarTrigger
            aria-busy={isLeaving}
            isIcons={isIcons}
            label={adminTexts.userMenu}
            name={me.username}
            detail={isLeaving ? adminTexts.loggingOut : adminTexts.role}
            mark={me.username.slice(0, 2)}
            markClass="rounded-pill bg-gold-soft text-xs text-gold uppercase"
          />
        }
        groups={[
          {
            id: 'pages',
            label: `${me.username} · ${adminTexts.role}`,
            items: [{ id: 'password', label: screenTitles.changePassword, icon: KeyRound, onSelect: changePassword }],
          },
          {
            id: 'theme',
            label: themeTexts.legend,
            items: (['light', 'dark', 'system'] as const).map((choice) => ({
              id: choice,
              label: themeTexts[choice],
              isChecked: theme === choice,
              onSelect: () => chooseTheme(choice),
            })),
          },
          {
            id: 'leave',
            items: [{ id: 'leave', label: adminTexts.logOut, icon: LogOut, onSelect: leave }],
          },
        ]}
      />
      {question}
    </>
  )
}
