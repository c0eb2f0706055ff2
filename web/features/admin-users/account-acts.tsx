import { Button } from '#web/ui/button.tsx'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { Ellipsis } from '#web/ui/icons/ellipsis.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import type { StaffUser } from './api.ts'
import type { UserDialog } from './user-dialogs.tsx'
import { useUserRights } from './use-user-rights.ts'
import { userMenu } from './user-menu.ts'

export type AccountActsProps = {
  readonly user: StaffUser
  readonly meId: string
  readonly onDialog: (dialog: UserDialog) => void
  /** Opens a part of the customer's page. */
  readonly onPart: (part: 'requests' | 'bets' | 'acts') => void
}

const partAt = { '/admin/transaction': 'requests', '/admin/history': 'bets', '/admin/audit': 'acts' } as const

/** The acts on one account, on the customer's page (rules §4.9). */
export function AccountActs({ user, meId, onDialog, onPart }: AccountActsProps) {
  const may = useUserRights()
  return (
    <>
      {may.canEdit(user, meId) && (
        <Button variant="outline" size="sm" onClick={() => onDialog({ kind: 'edit', user })}>
          {texts.edit}
        </Button>
      )}
      <Menu
        trigger={
          <Button
            variant="outline"
            size="sm"
            aria-label={adminTableTexts.moreActions(user.username)}
            className="min-w-9 px-2!"
          >
            <Ellipsis aria-hidden size={16} strokeWidth={1.8} />
          </Button>
        }
        groups={userMenu({ user, meId, may, onDialog, goTo: (to) => onPart(partAt[to]) })}
      />
    </>
  )
}
