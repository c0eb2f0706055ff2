import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, useMemo, useState } from 'react'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { RequestTotals } from '#contract/staff-requests.ts'
import { REQUEST_KINDS, REQUEST_STATUSES, type RequestStatus } from '#domain/cashier/request.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatCount, formatWholeAmount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountBox } from '#web/ui/data-table/amount-box.tsx'
import { ChoiceBar, DayBox, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { MoreFilters } from '#web/ui/data-table/more-filters.tsx'
import { BulkButton } from '#web/ui/data-table/selection-bar.tsx'
import { amountsAsked, daysAsked, type FilterValues, given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { TotalsLine } from '#web/ui/data-table/totals-line.tsx'
import { type AdminList, adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { type CashRequest, type RequestFilters, requestsByIds, requestsPage, requestTotalsQuery } from './api.ts'
import { approvalOf, type RequestAct } from './request-act.ts'
import { RequestButtons, type RequestRights, requestMenu } from './request-acts.tsx'
import { requestColumns } from './request-columns.tsx'
import { useWalk } from './use-walk.ts'

type Statuses = readonly [RequestStatus | 'all', ...ReadonlyArray<RequestStatus | 'all'>]

/** The queue shows what waits; a customer's page shows all that they filed. */
const filtersOf = (userId: string | null) =>
  ({
    q: 'text',
    status: (userId === null ? [...REQUEST_STATUSES, 'all'] : ['all', ...REQUEST_STATUSES]) as Statuses,
    kind: ['all', ...REQUEST_KINDS],
    from: 'day',
    to: 'day',
    min: 'points',
    max: 'points',
    bank: 'text',
    by: 'text',
  }) as const
const folded = ['from', 'to', 'min', 'max', 'bank', 'by'] as const
type Filters = ReturnType<typeof filtersOf>

const askedOf = (userId: string | null, filters: FilterValues<Filters>): RequestFilters => {
  const { q, status, kind, bank, by } = filters
  return {
    ...given({ username: q, status, type: kind, bank, by }),
    ...daysAsked(filters),
    ...amountsAsked(filters),
    ...(userId !== null && { userId }),
  }
}

/** @param userId whose page the list stands on; null for the list of everybody's */
const requestsOf = (userId: string | null) =>
  adminList({
    id: userId === null ? 'giao-dich' : 'giao-dich-khach',
    filters: filtersOf(userId),
    sorts: ['createdAt', 'money'],
    // Who waits longest is first; what is decided is read from its end.
    firstSort: ({ status }) => (status === 'pending' ? 'createdAt' : '-createdAt'),
    hiddenAtFirst: ['number', 'holder', 'reason', 'decidedBy', 'decidedAt'],
    rowId: ({ id }: CashRequest) => id,
    rowName: ({ owner }) => owner.username,
    asked: (filters) => askedOf(userId, filters),
    pageQuery: requestsPage,
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived, askFor: requestsByIds },
  })

const Dialogs = lazy(() => import('./request-dialogs.tsx').then((module) => ({ default: module.RequestDialogs })))

/** The acts that `meId` may take on a request; an admin never decides an own request. */
function useRights(meId: string): RequestRights {
  const [openedAtMs] = useState(serverNowMs)
  const may = useMay('money')
  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  return {
    may,
    isOwn,
    canDecide: (request) => may && request.status === 'pending' && !isOwn(request),
    canReject: (request) => may && request.status !== 'approved' && !isOwn(request),
    overtakenBy: ({ decidedBy, decidedAtMs }) =>
      decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null,
  }
}

export type RequestsTableProps = {
  readonly meId: string
  /** Only this user's, on their page. */
  readonly userId?: string
  /** The dialog of the proposal that a request waits for. */
  readonly proposalDialog: (proposalId: string, onClose: () => void, onDone: () => void) => ReactNode
}

/** All players' requests: the pending queue and the decided ones (spec §2, §4). */
export function RequestsTable({ meId, userId, proposalDialog }: RequestsTableProps) {
  const navigate = useNavigate()
  const list = useAdminList(
    useMemo(() => requestsOf(userId ?? null), [userId]),
    {
      isOwnAct: ({ decidedBy }) => decidedBy?.id === meId,
    },
  )
  const rights = useRights(meId)
  const { canDecide, canReject } = rights
  const { act, setAct, walk, offerNext } = useWalk(list, (row) => canDecide(row) && row.proposal?.by.id !== meId)
  const openUser = ({ owner }: CashRequest) => void navigate({ to: '/admin/user/$id', params: { id: owner.id } })
  const approve = (seen: CashRequest) => canDecide(seen) && setAct(approvalOf(seen))
  const reject = (seen: CashRequest) => canReject(seen) && setAct({ kind: 'reject', seen })
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={userId === undefined ? requestColumns : columnsOfUser}
      filters={<ListFilters list={list} hasSearch={userId === undefined} />}
      totals={<RequestSums filters={list.filters} userId={userId ?? null} />}
      acts={(request) => <RequestButtons request={request} rights={rights} onAct={setAct} />}
      menu={(request) => requestMenu({ request, rights, onAct: setAct, openUser })}
      isFaded={(request) => list.filters.status === 'pending' && request.status !== 'pending'}
      {...(rights.may && {
        // What waits for a second person is confirmed one by one, by who has read it.
        bulk: (rows: readonly CashRequest[]) =>
          bulkButtons(
            rows.filter((row) => canDecide(row) && row.proposal == null),
            setAct,
          ),
      })}
      onOpen={{ label: texts.details, run: (seen) => setAct({ kind: 'details', seen }) }}
      shortcuts={
        rights.may
          ? [
              { key: 'a', label: texts.approve, run: approve },
              { key: 'r', label: texts.rejectOrEdit, run: reject },
            ]
          : []
      }
      dialog={
        act &&
        (act.kind === 'proposal' ? (
          proposalDialog(
            act.proposalId,
            () => setAct(undefined),
            () => offerNext(act.seen),
          )
        ) : (
          <Dialogs
            act={act}
            rows={list.held.rows ?? []}
            isOwn={rights.isOwn}
            walk={walk}
            onAct={setAct}
            onDecided={offerNext}
            onClose={() => setAct(undefined)}
          />
        ))
      }
    />
  )
}

/** Without the name; the kind leads a phone's card in its place. */
const columnsOfUser = requestColumns.flatMap((column) =>
  column.id === 'account'
    ? []
    : [column.id === 'kind' ? { ...column, card: 'title' as const, canHide: false } : column],
)

type ListFiltersProps = { readonly list: AdminList<CashRequest, Filters>; readonly hasSearch: boolean }

function ListFilters({ list, hasSearch }: ListFiltersProps) {
  return (
    <>
      {hasSearch && <SearchBox label={adminTableTexts.search} {...list.search('q')} className="w-full md:w-44" />}
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
      <MoreFilters {...list.fold(folded)}>
        <DayBox label={adminTableTexts.fromDay} {...list.search('from')} />
        <DayBox label={adminTableTexts.toDay} {...list.search('to')} />
        <AmountBox label={adminTableTexts.fromPoints} {...list.search('min')} />
        <AmountBox label={adminTableTexts.toPoints} {...list.search('max')} />
        <SearchBox label={texts.bankSearch} {...list.search('bank')} className="w-full md:w-56" />
        <SearchBox label={adminTableTexts.decidedBySearch} {...list.search('by')} className="w-full md:w-52" />
      </MoreFilters>
    </>
  )
}

type RequestSumsProps = { readonly filters: FilterValues<Filters>; readonly userId: string | null }

/** Points and number by kind, and by status where the filter takes every one. */
function RequestSums({ filters, userId }: RequestSumsProps) {
  const { kind: askedKind, status: askedStatus } = filters
  const totals = REQUEST_KINDS.filter((kind) => askedKind === 'all' || askedKind === kind).flatMap((kind) =>
    REQUEST_STATUSES.filter((status) => askedStatus === 'all' || askedStatus === status).map((status) => ({
      label: askedStatus === 'all' ? texts.kindAndStatus(texts[kind], texts[status]) : texts[kind],
      value: ({ groups }: RequestTotals) => {
        const group = groups.find((one) => one.kind === kind && one.status === status)
        return texts.sum(formatWholeAmount(group?.amountMinor ?? 0n), formatCount(group?.requests ?? 0))
      },
    })),
  )
  const query = useQuery(requestTotalsQuery(askedOf(userId, filters)))
  return <TotalsLine query={query} totals={totals} summedTo={TOTAL_COUNTED_TO} />
}

/** The acts on the selected requests that can be decided; null without any. */
function bulkButtons(requests: readonly CashRequest[], onAct: (act: RequestAct) => void) {
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
