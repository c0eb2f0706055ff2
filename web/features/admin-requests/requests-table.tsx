import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Eye, PencilLine, Trash2, UserRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { REQUEST_KINDS, REQUEST_STATUSES } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceBar, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import { RowMenuButton } from '#web/ui/data-table/row-menu.tsx'
import { usePagedList } from '#web/ui/data-table/use-paged-list.ts'
import { useTableSearch } from '#web/ui/data-table/use-table-search.ts'
import { type CashRequest, listRequests, requestsByIds, requestsQuery } from './api.ts'
import { requestColumns } from './request-columns.tsx'

const spec = {
  filters: {
    q: 'text',
    status: ['pending', 'approved', 'rejected', 'all'],
    kind: ['all', ...REQUEST_KINDS],
  },
  sorts: ['createdAt', 'money'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['number', 'holder', 'reason', 'decidedBy', 'decidedAt'],
} as const

const rowId = ({ id }: CashRequest) => id
const createdAtMs = (request: CashRequest) => request.createdAtMs
const rowName = ({ owner }: CashRequest) => owner.username

type Act =
  | { readonly kind: 'approve' | 'reject' | 'remove' | 'details'; readonly seen: CashRequest }
  | { readonly kind: 'bulk'; readonly verdict: 'approved' | 'rejected'; readonly requests: readonly CashRequest[] }

const Dialogs = lazy(() => import('./request-dialogs.tsx').then((module) => ({ default: module.RequestDialogs })))
export type { Act as RequestAct }

/** Everybody's requests: the queue that waits, and what was decided (spec §2, §4). */
export function RequestsTable({ meId }: { readonly meId: string }) {
  const navigate = useNavigate()
  const address = useTableSearch(spec)
  const { view, change } = address
  const { q, status, kind } = view.filters
  const query = {
    page: view.page,
    limit: view.limit,
    sort: view.sort,
    ...(q !== '' && { username: q }),
    ...(status !== 'all' && { status }),
    ...(kind !== 'all' && { type: kind }),
  }
  const page = useQuery({ ...requestsQuery(query), placeholderData: keepPreviousData })
  const paged = usePagedList({
    query,
    page,
    load: listRequests,
    rowId,
    createdAtMs,
    askFor: requestsByIds,
  })
  const [openedAtMs] = useState(serverNowMs)
  const [act, setAct] = useState<Act>()

  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  const canDecide = (request: CashRequest) => request.status === 'pending' && !isOwn(request)
  const canReject = (request: CashRequest) => request.status !== 'approved' && !isOwn(request)
  /** Somebody else decided it while this list was open. */
  const overtaker = ({ decidedBy, decidedAtMs }: CashRequest) =>
    decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null

  const actions = (request: CashRequest) => {
    const other = overtaker(request)
    return (
      <>
        {other !== null && (
          <span className="max-w-32 truncate px-1 text-xs font-medium text-warn max-md:text-sm">
            {texts.justDecided(other)}
          </span>
        )}
        {canDecide(request) && (
          <>
            <RowButton onClick={() => setAct({ kind: 'reject', seen: request })}>{texts.reject}</RowButton>
            <RowButton variant="up" onClick={() => setAct({ kind: 'approve', seen: request })}>
              {texts.approve}
            </RowButton>
          </>
        )}
        {request.status === 'rejected' && other === null && (
          <RowButton onClick={() => setAct({ kind: 'reject', seen: request })}>{texts.editReason}</RowButton>
        )}
        <RowMenuButton
          label={adminTableTexts.moreActions(request.owner.username)}
          icon={Ellipsis}
          groups={[
            {
              id: 'see',
              items: [
                {
                  id: 'details',
                  label: texts.details,
                  icon: Eye,
                  onSelect: () => setAct({ kind: 'details', seen: request }),
                },
                {
                  id: 'user',
                  label: texts.openUser,
                  icon: UserRound,
                  onSelect: () => void navigate({ to: '/admin/user', search: { userId: request.owner.id } }),
                },
                ...(request.status === 'rejected' && other !== null
                  ? [
                      {
                        id: 'edit',
                        label: texts.editReason,
                        icon: PencilLine,
                        onSelect: () => setAct({ kind: 'reject', seen: request }),
                      },
                    ]
                  : []),
              ],
            },
            {
              id: 'remove',
              items: [
                {
                  id: 'remove',
                  label: texts.remove,
                  icon: Trash2,
                  tone: 'danger',
                  isDisabled: isOwn(request),
                  hint: isOwn(request) ? texts.ownRequest : undefined,
                  onSelect: () => setAct({ kind: 'remove', seen: request }),
                },
              ],
            },
          ]}
        />
      </>
    )
  }

  return (
    <>
      <DataTable
        tableId="giao-dich"
        label={texts.title}
        columns={requestColumns}
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
              className="w-full md:w-44"
            />
            <ChoiceBar
              label={texts.statusFilter}
              value={status}
              onChange={(value) => change({ filters: { status: value } })}
              choices={[
                ...REQUEST_STATUSES.map((value) => ({ value, label: texts[value] })),
                { value: 'all', label: texts.all },
              ]}
            />
            <Picker
              label={texts.kindFilter}
              value={kind}
              onChange={(value) => change({ filters: { kind: value } })}
              choices={[
                { value: 'all', label: texts.everyKind },
                ...REQUEST_KINDS.map((value) => ({ value, label: texts[value] })),
              ]}
              className="max-md:min-w-32 max-md:flex-1"
            />
          </>
        }
        actions={actions}
        isFaded={(request) => status === 'pending' && request.status !== 'pending'}
        bulk={(rows) => {
          const pending = rows.filter(canDecide)
          if (pending.length === 0) return null
          const count = formatCount(pending.length)
          return (
            <>
              <Button
                variant="outline"
                size="sm"
                className="max-md:min-h-target"
                onClick={() => setAct({ kind: 'bulk', verdict: 'rejected', requests: pending })}
              >
                {texts.bulkReject(count)}
              </Button>
              <Button
                size="sm"
                className="max-md:min-h-target"
                onClick={() => setAct({ kind: 'bulk', verdict: 'approved', requests: pending })}
              >
                {texts.bulkApprove(count)}
              </Button>
            </>
          )
        }}
        onOpen={{ label: texts.details, run: (request) => setAct({ kind: 'details', seen: request }) }}
        shortcuts={[
          {
            key: 'a',
            label: texts.approve,
            run: (request) => canDecide(request) && setAct({ kind: 'approve', seen: request }),
          },
          {
            key: 'r',
            label: texts.rejectOrEdit,
            run: (request) => canReject(request) && setAct({ kind: 'reject', seen: request }),
          },
        ]}
      />
      {act !== undefined && (
        <Suspense fallback={null}>
          <Dialogs
            act={act}
            rows={paged.held.rows ?? []}
            isOwn={isOwn}
            onAct={setAct}
            onClose={() => setAct(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
