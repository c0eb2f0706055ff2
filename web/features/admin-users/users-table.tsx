import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Ellipsis,
  History,
  Landmark,
  Scale,
  ScrollText,
  ShieldCheck,
  ShieldOff,
  Snowflake,
  Sun,
  Trash2,
  TrendingDown,
  TrendingUp,
} from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceBar, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import { RowMenuButton } from '#web/ui/data-table/row-menu.tsx'
import { usePagedList } from '#web/ui/data-table/use-paged-list.ts'
import { useTableSearch } from '#web/ui/data-table/use-table-search.ts'
import type { MenuGroup, MenuItem } from '#web/ui/menu.tsx'
import { listUsers, type StaffUser, usersQuery } from './api.ts'
import { userColumns } from './user-columns.tsx'
import type { UserAct } from './user-act-dialogs.tsx'
import type { UserDialog } from './user-dialogs.tsx'

const spec = {
  filters: {
    q: 'text',
    kind: ['all', 'admins', 'frozen', 'scripted', 'deleted'],
    /** One user, whatever they are called: where a row elsewhere leads. */
    userId: 'text',
  },
  sorts: ['createdAt', 'username'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['role'],
} as const

/** Balances move with every bet; the rows follow without jumping. */
const refetchMs = 20_000

const rowId = ({ id }: StaffUser) => id
const rowName = ({ username }: StaffUser) => username
const createdAtMs = (user: StaffUser) => user.createdAtMs

const Dialogs = lazy(() => import('./user-dialogs.tsx').then((module) => ({ default: module.UserDialogs })))

/** Everybody's accounts (spec §2, §6). */
export function UsersTable({ meId }: { readonly meId: string }) {
  const navigate = useNavigate()
  const address = useTableSearch(spec)
  const { view, change } = address
  const { q, kind, userId } = view.filters
  const isOne = /^[0-9a-f-]{36}$/i.test(userId)
  const query = {
    page: view.page,
    limit: view.limit,
    sort: view.sort,
    ...(q !== '' && { username: q }),
    ...(kind === 'deleted' ? { deleted: 'true' as const } : kind === 'all' ? {} : { only: kind }),
    ...(isOne && { userId }),
  }
  const page = useQuery({ ...usersQuery(query), placeholderData: keepPreviousData, refetchInterval: refetchMs })
  const paged = usePagedList({
    query,
    page,
    load: listUsers,
    rowId,
    createdAtMs,
  })
  const columns = useMemo(() => userColumns(meId), [meId])
  const [dialog, setDialog] = useState<UserDialog>()

  const groupsOf = (user: StaffUser): readonly MenuGroup[] => {
    const isSelf = user.id === meId
    const open = (act: UserAct) => () => setDialog({ kind: act, user })
    const notSelf = { isDisabled: isSelf, hint: isSelf ? texts.notYourself : undefined }
    const acts: MenuItem[] = [
      user.isFrozen
        ? { id: 'unfreeze', label: texts.unfreeze, icon: Sun, ...notSelf, onSelect: open('unfreeze') }
        : { id: 'freeze', label: texts.freeze, icon: Snowflake, ...notSelf, onSelect: open('freeze') },
    ]
    const outcomes: MenuItem[] = [
      { id: 'win', label: texts.toWin, icon: TrendingUp, ...notSelf, onSelect: open('win') },
      { id: 'lose', label: texts.toLose, icon: TrendingDown, ...notSelf, onSelect: open('lose') },
      { id: 'fair', label: texts.toFair, icon: Scale, ...notSelf, onSelect: open('fair') },
    ]
    const current = user.scriptedOutcome ?? 'fair'
    const isAdmin = user.role === 'admin'
    const toUser = (to: '/admin/transaction' | '/admin/history' | '/admin/audit') => () => {
      const search = to === '/admin/audit' ? { target: user.username } : { q: user.username, status: 'all' }
      void navigate({ to, search })
    }
    const seeing: MenuGroup = {
      id: 'see',
      items: [
        { id: 'requests', label: texts.openRequests, icon: ArrowLeftRight, onSelect: toUser('/admin/transaction') },
        { id: 'bets', label: texts.openBets, icon: History, onSelect: toUser('/admin/history') },
        { id: 'audit', label: texts.openAudit, icon: ScrollText, onSelect: toUser('/admin/audit') },
      ],
    }
    if (user.deletedAtMs !== null) return [seeing]
    return [
      {
        id: 'acts',
        items: [
          { id: 'banks', label: texts.editBanks, icon: Landmark, onSelect: () => setDialog({ kind: 'banks', user }) },
          ...acts,
          // Staff do not play (rules §1.2).
          ...(isAdmin ? [] : outcomes.filter(({ id }) => id !== current)),
        ],
      },
      seeing,
      {
        id: 'danger',
        items: [
          isAdmin
            ? { id: 'player', label: texts.makePlayer, icon: ShieldOff, ...notSelf, onSelect: open('make-player') }
            : { id: 'admin', label: texts.makeAdmin, icon: ShieldCheck, ...notSelf, onSelect: open('make-admin') },
          { id: 'remove', label: texts.remove, icon: Trash2, tone: 'danger', ...notSelf, onSelect: open('remove') },
        ],
      },
    ]
  }

  return (
    <>
      <DataTable
        tableId="tai-khoan"
        label={texts.title}
        columns={columns}
        rowId={rowId}
        rowName={rowName}
        address={address}
        {...paged}
        arrivedText={texts.arrived}
        filters={
          <>
            <SearchBox
              label={adminTableTexts.search}
              text={q}
              onChange={(text) => change({ filters: { q: text } }, { isTyping: true })}
              className="w-full md:w-52"
            />
            <ChoiceBar
              label={texts.filter}
              value={kind}
              onChange={(value) => change({ filters: { kind: value } })}
              choices={[
                { value: 'all', label: texts.everybody },
                { value: 'admins', label: texts.admins },
                { value: 'frozen', label: texts.frozenOnly },
                { value: 'scripted', label: texts.scriptedOnly },
                { value: 'deleted', label: texts.deletedOnly },
              ]}
            />
            {isOne && (
              <span className="flex items-center gap-2 text-dense text-info">
                {texts.oneUser}
                <Button variant="outline" size="xs" onClick={() => change({ filters: { userId: '' } })}>
                  {texts.showAll}
                </Button>
              </span>
            )}
          </>
        }
        actions={(user) => (
          <>
            {user.deletedAtMs === null && (
              <RowButton onClick={() => setDialog({ kind: 'edit', user })}>{texts.edit}</RowButton>
            )}
            <RowMenuButton label={adminTableTexts.moreActions(user.username)} icon={Ellipsis} groups={groupsOf(user)} />
          </>
        )}
        isFaded={(user) => user.deletedAtMs !== null}
        onOpen={{
          label: texts.edit,
          run: (user) => user.deletedAtMs === null && setDialog({ kind: 'edit', user }),
        }}
      />
      {dialog !== undefined && (
        <Suspense fallback={null}>
          <Dialogs
            dialog={dialog}
            meId={meId}
            onRemoved={() => paged.held.drop(dialog.user.id)}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
