import { ArrowLeftRight } from '#web/ui/icons/arrow-left-right.tsx'
import { History } from '#web/ui/icons/history.tsx'
import { KeyRound } from '#web/ui/icons/key-round.tsx'
import { Landmark } from '#web/ui/icons/landmark.tsx'
import { Scale } from '#web/ui/icons/scale.tsx'
import { ScrollText } from '#web/ui/icons/scroll-text.tsx'
import { ShieldCheck } from '#web/ui/icons/shield-check.tsx'
import { ShieldOff } from '#web/ui/icons/shield-off.tsx'
import { Snowflake } from '#web/ui/icons/snowflake.tsx'
import { Sun } from '#web/ui/icons/sun.tsx'
import { Trash2 } from '#web/ui/icons/trash-2.tsx'
import { TrendingDown } from '#web/ui/icons/trending-down.tsx'
import { TrendingUp } from '#web/ui/icons/trending-up.tsx'
import type { MenuGroup, MenuItem } from '#web/ui/menu.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'
import type { UserAct } from './user-act-dialogs.tsx'
import type { UserRights } from './use-user-rights.ts'
import type { UserDialog } from './user-dialogs.tsx'

export type UserMenuOptions = {
  readonly user: StaffUser
  readonly meId: string
  readonly may: UserRights
  readonly onDialog: (dialog: UserDialog) => void
  readonly goTo: (to: '/admin/transaction' | '/admin/history' | '/admin/audit', user: StaffUser) => void
}

/** The acts on an account, and links to its rows in other lists. A deleted account has only the links. */
export function userMenu({ user, meId, may, onDialog, goTo }: UserMenuOptions): readonly MenuGroup[] {
  const isSelf = user.id === meId
  const act = (kind: UserAct, label: string, icon: NonNullable<MenuItem['icon']>): MenuItem => ({
    id: kind,
    label,
    icon,
    isDisabled: isSelf,
    hint: isSelf ? texts.notYourself : undefined,
    onSelect: () => onDialog({ kind, user }),
  })
  const outcomes = [
    act('win', texts.toWin, TrendingUp),
    act('lose', texts.toLose, TrendingDown),
    act('fair', texts.toFair, Scale),
  ]
  const isAdmin = user.role === 'admin'
  const seeing: MenuGroup = {
    id: 'see',
    items: [
      {
        id: 'requests',
        label: texts.openRequests,
        icon: ArrowLeftRight,
        onSelect: () => goTo('/admin/transaction', user),
      },
      { id: 'bets', label: texts.openBets, icon: History, onSelect: () => goTo('/admin/history', user) },
      { id: 'audit', label: texts.openAudit, icon: ScrollText, onSelect: () => goTo('/admin/audit', user) },
    ],
  }
  if (user.deletedAtMs !== null) return [seeing]
  const mayEdit = may.profile(user, isSelf)
  const roles = may.owner
    ? [
        ...(isAdmin
          ? [
              {
                id: 'capabilities',
                label: texts.capabilities,
                icon: KeyRound,
                onSelect: () => onDialog({ kind: 'capabilities', user }),
              },
            ]
          : []),
        isAdmin ? act('make-player', texts.makePlayer, ShieldOff) : act('make-admin', texts.makeAdmin, ShieldCheck),
      ]
    : []
  const groups: readonly MenuGroup[] = [
    {
      id: 'acts',
      items: [
        ...(may.users
          ? [{ id: 'banks', label: texts.editBanks, icon: Landmark, onSelect: () => onDialog({ kind: 'banks', user }) }]
          : []),
        ...(mayEdit
          ? [user.isFrozen ? act('unfreeze', texts.unfreeze, Sun) : act('freeze', texts.freeze, Snowflake)]
          : []),
        // Staff do not play (rules §1.2).
        ...(isAdmin || !mayEdit ? [] : outcomes.filter(({ id }) => id !== (user.scriptedOutcome ?? 'fair'))),
      ],
    },
    seeing,
    {
      id: 'danger',
      items: [...roles, ...(mayEdit ? [{ ...act('remove', texts.remove, Trash2), tone: 'danger' as const }] : [])],
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}
