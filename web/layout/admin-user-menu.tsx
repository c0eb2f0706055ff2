import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, KeyRound, LayoutDashboard, LogOut, ScrollText } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Me } from '#contract/identity.ts'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { adminTexts } from './admin-texts.ts'
import { themeTexts } from '#web/platform/texts.ts'
import { chooseTheme, currentThemeChoice, onThemeChanged } from '#web/platform/theme.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Menu } from '#web/ui/menu.tsx'

export type UserMenuProps = {
  readonly me: Me
  readonly isIcons: boolean
  readonly onNavigate: (() => void) | undefined
}

/** Who is signed in, with their role, and the way out (spec §2). */
export function UserMenu({ me, isIcons, onNavigate }: UserMenuProps) {
  const navigate = useNavigate()
  const theme = useSyncExternalStore(onThemeChanged, currentThemeChoice)
  const goTo = (to: '/admin' | '/admin/audit' | '/change-password') => () => {
    onNavigate?.()
    void navigate({ to })
  }
  const { isLeaving, start: leave, question } = useLogOut(me.id)
  return (
    <>
      <Menu
        align="start"
        side={isIcons ? 'right' : 'top'}
        trigger={
          <button
            type="button"
            aria-busy={isLeaving}
            className={classNames(
              'flex w-full items-center gap-2.5 rounded-s text-left transition-colors hover:bg-surface-press',
              isIcons ? 'size-9.5 justify-center' : 'min-h-12 px-2 py-1.5',
            )}
          >
            <span
              aria-hidden
              className="grid size-8 shrink-0 place-items-center rounded-pill bg-gold-soft text-xs font-semibold text-gold uppercase"
            >
              {me.username.slice(0, 2)}
            </span>
            {isIcons ? (
              <span className="sr-only">
                {adminTexts.userMenu}: {me.username}
              </span>
            ) : (
              <>
                <span className="min-w-0 flex-1 leading-tight">
                  <span className="sr-only">{adminTexts.userMenu}: </span>
                  <span className="block truncate text-sm font-semibold text-ink">{me.username}</span>
                  <span className="block text-xs text-ink-3">
                    {isLeaving ? adminTexts.loggingOut : adminTexts.role}
                  </span>
                </span>
                <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-3" />
              </>
            )}
          </button>
        }
        groups={[
          {
            id: 'pages',
            label: `${me.username} · ${adminTexts.role}`,
            items: [
              { id: 'overview', label: adminTexts.overview, icon: LayoutDashboard, onSelect: goTo('/admin') },
              { id: 'audit', label: adminTexts.audit, icon: ScrollText, onSelect: goTo('/admin/audit') },
              { id: 'password', label: adminTexts.changePassword, icon: KeyRound, onSelect: goTo('/change-password') },
            ],
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
