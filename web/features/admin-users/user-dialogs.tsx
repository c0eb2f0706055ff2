import type { StaffUser } from './api.ts'
import { BanksDialog } from './banks-dialog.tsx'
import { CapabilitiesDialog } from './capabilities-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { type UserAct, UserActDialog } from './user-act-dialogs.tsx'

export type UserDialog = { readonly kind: 'edit' | 'banks' | 'capabilities' | UserAct; readonly user: StaffUser }

export type UserDialogsProps = {
  readonly dialog: UserDialog
  readonly meId: string
  /** Called after the user was deleted. */
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** The dialog of the chosen act, loaded when the first dialog opens. */
export function UserDialogs({ dialog: { kind, user }, meId, onRemoved, onClose }: UserDialogsProps) {
  if (kind === 'edit') return <EditUserDialog key={user.id} user={user} isSelf={user.id === meId} onClose={onClose} />
  if (kind === 'banks') return <BanksDialog key={user.id} user={user} onClose={onClose} />
  if (kind === 'capabilities') return <CapabilitiesDialog key={user.id} user={user} onClose={onClose} />
  return <UserActDialog key={user.id} act={kind} user={user} onRemoved={onRemoved} onClose={onClose} />
}
