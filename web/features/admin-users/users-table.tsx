import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { userList } from '#contract/staff-users.ts'
import { formatCount } from '#web/platform/formats.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { choiceBar, ListFilters, searchBox } from '#web/lists/list-filters.tsx'
import { RowButton } from '#web/lists/row-button.tsx'
import { BulkButton } from '#web/lists/selection-bar.tsx'
import type { AllRows } from '#web/lists/use-selection.ts'
import { declared } from '#web/lists/table-search.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { type StaffUser, usersPage } from './api.ts'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import { BULK_MOST, planBulk } from './bulk-plan.ts'
import { userColumns } from './user-columns.tsx'
import type { UserDialog } from './user-dialogs.tsx'
import { userMenu, type UserPlace } from './user-menu.ts'
import { useUserRights } from './use-user-rights.ts'

const { filters: byWire, asked, ...order } = declared(userList)
const filters = {
  q: byWire.q,
  /** On screen, "deleted" is one of the kinds. On the wire, deleted users have a filter of their own. */
  kind: [...byWire.only, 'deleted'],
} as const

const users = adminList({
  id: 'tai-khoan',
  ...order,
  filters,
  hiddenAtFirst: ['role'],
  rowId: ({ id }: StaffUser) => id,
  rowName: ({ username }) => username,
  asked: ({ q, kind }) =>
    asked(kind === 'deleted' ? { q, only: 'all', deleted: 'true' } : { q, only: kind, deleted: 'all' }),
  besideRem: 18.25,
  pageQuery: usersPage,
  hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived },
})

const controls = {
  q: searchBox(adminTableTexts.search, 'w-full md:w-52'),
  kind: choiceBar(texts.filter, {
    all: texts.everybody,
    admins: texts.admins,
    frozen: texts.frozenOnly,
    scripted: texts.scriptedOnly,
    deleted: texts.deletedOnly,
  }),
}

const Dialogs = lazyComponent(() => import('./user-dialogs.tsx'), 'UserDialogs')

const BulkDialogs = lazyComponent(() => import('./bulk-dialog.tsx'), 'BulkDialog')

type BulkAsked = Pick<BulkDialogProps, 'act' | 'users' | 'all'>

export function UsersTable({ meId }: { readonly meId: string }) {
  const navigate = useNavigate()
  const list = useAdminList(users)
  const columns = useMemo(() => userColumns(meId), [meId])
  const [dialog, setDialog] = useState<UserDialog>()
  const [bulk, setBulk] = useState<BulkAsked>()
  const may = useUserRights()
  const canEdit = (user: StaffUser) => may.canEdit(user, meId)
  const edit = (user: StaffUser) => canEdit(user) && setDialog({ kind: 'edit', user })
  const goTo = (to: UserPlace, { username }: StaffUser) => {
    const search = to === '/admin/audit' ? { target: username } : { q: username, status: 'all' }
    void navigate({ to, search })
  }
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={columns}
      filters={<ListFilters list={list} shown={controls} />}
      acts={(user) => canEdit(user) && <RowButton onClick={() => edit(user)}>{texts.edit}</RowButton>}
      menu={(user) => userMenu({ user, meId, may, onDialog: setDialog, goTo })}
      isFaded={(user) => user.deletedAtMs !== null}
      chooseAllUpTo={BULK_MOST}
      {...(may.users && {
        bulk: (rows: readonly StaffUser[], all: AllRows<StaffUser> | null) => (
          <BulkButtons rows={rows} all={all} meId={meId} onAct={setBulk} />
        ),
      })}
      {...((may.users || may.balance) && { onOpen: { label: texts.edit, run: edit } })}
      dialog={
        bulk ? (
          <BulkDialogs {...bulk} meId={meId} onClose={() => setBulk(undefined)} />
        ) : (
          dialog && (
            <Dialogs
              dialog={dialog}
              meId={meId}
              onRemoved={() => list.held.drop(dialog.user.id)}
              onClose={() => setDialog(undefined)}
            />
          )
        )
      }
    />
  )
}

type BulkButtonsProps = {
  readonly rows: readonly StaffUser[]
  readonly all: AllRows<StaffUser> | null
  readonly meId: string
  readonly onAct: (asked: BulkAsked) => void
}

/**
 * A button for each bulk act that would change a chosen account. If all rows of a filter are chosen, both buttons are
 * shown, because the rows beyond the page are not read yet.
 */
function BulkButtons({ rows, all, meId, onAct }: BulkButtonsProps) {
  const toFreeze = planBulk('freeze', rows, meId).users.length
  const toUnfreeze = planBulk('unfreeze', rows, meId).users.length
  return (
    <>
      {(all !== null || toUnfreeze > 0) && (
        <BulkButton variant="outline" onClick={() => onAct({ act: 'unfreeze', users: rows, all })}>
          {all === null ? texts.bulkUnfreeze(formatCount(toUnfreeze)) : texts.bulkUnfreezeAll}
        </BulkButton>
      )}
      {(all !== null || toFreeze > 0) && (
        <BulkButton variant="danger" onClick={() => onAct({ act: 'freeze', users: rows, all })}>
          {all === null ? texts.bulkFreeze(formatCount(toFreeze)) : texts.bulkFreezeAll}
        </BulkButton>
      )}
    </>
  )
}
