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
import type { IconComponent } from '#web/ui/icon.tsx'
import type { MenuGroup, MenuItem } from '#web/ui/menu.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'
import type { UserAct } from './user-act-dialogs.tsx'
import type { UserRights } from './use-user-rights.ts'
import type { UserDialog } from './user-dialogs.tsx'

/** The address of a list that can be filtered by one user. */
export type UserPlace = '/admin/transaction' | '/admin/history' | '/admin/audit'

export type UserMenuOptions = {
  readonly user: StaffUser
  readonly meId: string
  readonly may: UserRights
  readonly onDialog: (dialog: UserDialog) => void
  readonly goTo: (to: UserPlace, user: StaffUser) => void
}

/** The acts that the admin may do on an account, and links to lists about it. A deleted account has only links. */
export function userMenu({ user, meId, may, onDialog, goTo }: UserMenuOptions): readonly MenuGroup[] {
  const isSelf = user.id === meId
  const dialog = (kind: UserDialog['kind'], label: string, icon: IconComponent): MenuItem => ({
    id: kind,
    label,
    icon,
    onSelect: () => onDialog({ kind, user }),
  })
  const act = (kind: UserAct, label: string, icon: IconComponent): MenuItem => ({
    ...dialog(kind, label, icon),
    isDisabled: isSelf,
    hint: isSelf ? texts.notYourself : undefined,
  })
  const link = (to: UserPlace, label: string, icon: IconComponent): MenuItem => ({
    id: to,
    label,
    icon,
    onSelect: () => goTo(to, user),
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
      link('/admin/transaction', texts.openRequests, ArrowLeftRight),
      link('/admin/history', texts.openBets, History),
      link('/admin/audit', texts.openAudit, ScrollText),
    ],
  }
  if (user.deletedAtMs !== null) return [seeing]
  const mayEdit = may.profile(user, isSelf)
  const roles = isAdmin
    ? [dialog('capabilities', texts.capabilities, KeyRound), act('make-player', texts.makePlayer, ShieldOff)]
    : [act('make-admin', texts.makeAdmin, ShieldCheck)]
  return [
    {
      id: 'acts',
      items: [
        ...(may.users ? [dialog('banks', texts.editBanks, Landmark)] : []),
        ...(mayEdit
          ? [user.isFrozen ? act('unfreeze', texts.unfreeze, Sun) : act('freeze', texts.freeze, Snowflake)]
          : []),
        // Staff get no scripted outcome: they do not play (rules §1.2).
        ...(isAdmin || !mayEdit ? [] : outcomes.filter(({ id }) => id !== (user.scriptedOutcome ?? 'fair'))),
      ],
    },
    seeing,
    {
      id: 'danger',
      items: [
        ...(may.owner ? roles : []),
        ...(mayEdit ? [{ ...act('remove', texts.remove, Trash2), tone: 'danger' as const }] : []),
      ],
    },
  ]
}
