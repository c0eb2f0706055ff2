import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { REQUEST_KINDS, REQUEST_STATUSES } from '#domain/cashier/request.ts'
import { formatCount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { ChoiceBar, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { BulkButton } from '#web/ui/data-table/selection-bar.tsx'
import { given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { type AdminList, adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { type CashRequest, requestsByIds, requestsPage } from './api.ts'
import { RequestButtons, type RequestRights, requestMenu } from './request-acts.tsx'
import { requestColumns } from './request-columns.tsx'
import type { RequestAct } from './request-dialogs.tsx'

const filters = {
  q: 'text',
  status: ['pending', 'approved', 'rejected', 'all'],
  kind: ['all', ...REQUEST_KINDS],
} as const

const requests = adminList({
  id: 'giao-dich',
  filters,
  sorts: ['createdAt', 'money'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['number', 'holder', 'reason', 'decidedBy', 'decidedAt'],
  rowId: ({ id }: CashRequest) => id,
  rowName: ({ owner }) => owner.username,
  asked: ({ q, status, kind }) => given({ username: q, status, type: kind }),
  pageQuery: requestsPage,
  hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived, askFor: requestsByIds },
})

const Dialogs = lazy(() => import('./request-dialogs.tsx').then((module) => ({ default: module.RequestDialogs })))

/** The acts that `meId` may take on a request; an admin never decides an own request. */
function useRights(meId: string): RequestRights {
  const [openedAtMs] = useState(serverNowMs)
  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  return {
    isOwn,
    canDecide: (request) => request.status === 'pending' && !isOwn(request),
    canReject: (request) => request.status !== 'approved' && !isOwn(request),
    overtakenBy: ({ decidedBy, decidedAtMs }) =>
      decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null,
  }
}

/** All players' requests: the pending queue and the decided ones (spec §2, §4). */
export function RequestsTable({ meId }: { readonly meId: string }) {
  const navigate = useNavigate()
  const list = useAdminList(requests)
  const rights = useRights(meId)
  const { canDecide, canReject } = rights
  const [act, setAct] = useState<RequestAct>()
  const openUser = ({ owner }: CashRequest) => void navigate({ to: '/admin/user', search: { userId: owner.id } })
  const approve = (seen: CashRequest) => canDecide(seen) && setAct({ kind: 'approve', seen })
  const reject = (seen: CashRequest) => canReject(seen) && setAct({ kind: 'reject', seen })
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={requestColumns}
      filters={<Filters list={list} />}
      acts={(request) => <RequestButtons request={request} rights={rights} onAct={setAct} />}
      menu={(request) => requestMenu({ request, rights, onAct: setAct, openUser })}
      isFaded={(request) => list.filters.status === 'pending' && request.status !== 'pending'}
      bulk={(rows) => <BulkButtons requests={rows.filter(canDecide)} onAct={setAct} />}
      onOpen={{ label: texts.details, run: (seen) => setAct({ kind: 'details', seen }) }}
      shortcuts={[
        { key: 'a', label: texts.approve, run: approve },
        { key: 'r', label: texts.rejectOrEdit, run: reject },
      ]}
      dialog={
        act && (
          <Dialogs
            act={act}
            rows={list.held.rows ?? []}
            isOwn={rights.isOwn}
            onAct={setAct}
            onClose={() => setAct(undefined)}
          />
        )
      }
    />
  )
}

function Filters({ list }: { readonly list: AdminList<CashRequest, typeof filters> }) {
  return (
    <>
      <SearchBox label={adminTableTexts.search} {...list.search('q')} className="w-full md:w-44" />
      <ChoiceBar
        label={texts.statusFilter}
        {...list.choice('status')}
        choices={[
          ...REQUEST_STATUSES.map((value) => ({ value, label: texts[value] })),
          { value: 'all', label: texts.all },
        ]}
      />
      <Picker
        label={texts.kindFilter}
        {...list.choice('kind')}
        choices={[
          { value: 'all', label: texts.everyKind },
          ...REQUEST_KINDS.map((value) => ({ value, label: texts[value] })),
        ]}
        className="max-md:min-w-32 max-md:flex-1"
      />
    </>
  )
}

type BulkButtonsProps = {
  /** The selected requests that can be decided. */
  readonly requests: readonly CashRequest[]
  readonly onAct: (act: RequestAct) => void
}

function BulkButtons({ requests, onAct }: BulkButtonsProps) {
  if (requests.length === 0) return null
  const count = formatCount(requests.length)
  return (
    <>
      <BulkButton variant="outline" onClick={() => onAct({ kind: 'bulk', verdict: 'rejected', requests })}>
        {texts.bulkReject(count)}
      </BulkButton>
      <BulkButton onClick={() => onAct({ kind: 'bulk', verdict: 'approved', requests })}>
        {texts.bulkApprove(count)}
      </BulkButton>
    </>
  )
}
