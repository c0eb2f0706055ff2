import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { requestList } from '#contract/cashier.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { AskedBy } from '#contract/lists.ts'
import type { RequestTotals } from '#contract/staff-requests.ts'
import { REQUEST_KINDS, REQUEST_STATUSES } from '#domain/cashier/request.ts'
import { formatCount, formatWholeAmount } from '#web/platform/formats.ts'
import { amountBoxes } from '#web/lists/amount-box.tsx'
import { columnsOfOwner } from '#web/lists/columns.tsx'
import { DataTable } from '#web/lists/data-table.tsx'
import { choiceBar, dayBoxes, ListFilters, picker, searchBox, wordsOf } from '#web/lists/list-filters.tsx'
import { BulkButton } from '#web/lists/selection-bar.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { useFolding } from '#web/lists/use-folding.ts'
import { toast } from '#web/ui/toast.tsx'
import { TotalsLine } from '#web/lists/totals-line.tsx'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { useOpenUser } from '#web/lists/use-open-user.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { type CashRequest, requestsByIds, requestsPage, requestTotalsQuery } from './api.ts'
import { approvalOf, type ProposalDialog, type RequestAct } from './request-act.ts'
import { RequestButtons, requestMenu } from './request-acts.tsx'
import { sayFirst } from './request-words.ts'
import { requestColumns } from './request-columns.tsx'
import { type RequestRights, useRights } from './use-rights.ts'
import { useWalk } from './use-walk.ts'
import { Walk } from './walk.tsx'

/** @param userId the customer on whose page the list is, or null for the list of all players */
const requestsOf = (userId: string | null) =>
  adminList({
    id: userId === null ? 'giao-dich' : 'giao-dich-khach',
    ...declared(requestList, userId === null ? { first: { status: 'pending' } } : { fixed: { userId } }),
    // A list of pending requests begins with the longest wait, any other list with the newest request (spec §2.7).
    firstSort: ({ status }) => (status === 'pending' ? 'createdAt' : '-createdAt'),
    hiddenAtFirst: ['number', 'holder', 'reason', 'decidedBy', 'decidedAt'],
    rowId: ({ id }: CashRequest) => id,
    rowName: ({ owner }) => owner.username,
    ...(userId === null && { besideRem: 20.125 }),
    pageQuery: requestsPage,
    hold: { createdAtMs: ({ createdAtMs }) => createdAtMs, arrivedText: texts.arrived, askFor: requestsByIds },
  })

const controlsOfUser = {
  status: choiceBar(
    texts.status,
    wordsOf([...REQUEST_STATUSES, 'all'], (value) => texts[value]),
  ),
  kind: picker(texts.kind, { all: texts.everyKind, ...wordsOf(REQUEST_KINDS, (value) => texts[value]) }),
}
const controls = { q: searchBox(adminTableTexts.search, 'w-full md:w-44'), ...controlsOfUser }
const folded = {
  ...dayBoxes,
  ...amountBoxes,
  bank: searchBox(texts.bankSearch, 'w-full md:w-56'),
  by: searchBox(adminTableTexts.decidedBySearch, 'w-full md:w-52'),
}

const Dialogs = lazyComponent(() => import('./request-dialogs.tsx'), 'RequestDialogs')

export type RequestsTableProps = {
  readonly meId: string
  readonly userId?: string
  readonly proposalDialog: ProposalDialog
}

/** The requests of all players, or with `userId` those of one customer on the customer's page. */
export function RequestsTable({ meId, userId, proposalDialog }: RequestsTableProps) {
  const openUser = useOpenUser()
  const list = useAdminList(
    useMemo(() => requestsOf(userId ?? null), [userId]),
    {
      isOwnAct: ({ decidedBy }) => decidedBy?.id === meId,
    },
  )
  const rights = useRights(meId)
  const { canDecide, canReject } = rights
  const { act, setAct, walk, offerNext } = useWalk(list, (row) => canDecide(row) && row.proposal?.by.id !== meId)
  const isDecided = ({ status }: CashRequest) => list.filters.status === 'pending' && status !== 'pending'
  // A decided row stays while its dialog is open, because the dialog's buttons lead to the row's neighbours.
  const isShown = ({ id }: CashRequest) => act !== undefined && act.kind !== 'bulk' && act.seen.id === id
  useFolding({ held: list.held, rowId: list.rowId, isDone: (row) => isDecided(row) && !isShown(row) })
  const approve = (seen: CashRequest) => (canDecide(seen) ? setAct(approvalOf(seen)) : sayWhyNot(seen, rights))
  const reject = (seen: CashRequest) => (canReject(seen) ? setAct({ kind: 'reject', seen }) : sayWhyNot(seen, rights))
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={userId === undefined ? requestColumns : columnsOfUser}
      filters={<ListFilters list={list} shown={userId === undefined ? controls : controlsOfUser} folded={folded} />}
      totals={<RequestSums asked={list.asked} />}
      acts={(request) => <RequestButtons request={request} rights={rights} onAct={setAct} />}
      menu={(request) => requestMenu({ request, rights, onAct: setAct, openUser })}
      isFaded={isDecided}
      {...(rights.may && {
        // Requests that wait for a second person are left out, since that person has to read each of them.
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
            <Walk {...walk} />,
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

/** Explains why a shortcut did nothing: the request is this admin's own, or is decided already. */
function sayWhyNot(request: CashRequest, { isOwn }: RequestRights): void {
  if (isOwn(request)) toast.info(texts.ownRequest)
  else if (request.status !== 'pending') toast.info(sayFirst({ name: request.decidedBy?.username ?? null }))
}

const columnsOfUser = columnsOfOwner(requestColumns, 'kind')

function RequestSums({ asked }: { readonly asked: AskedBy<typeof requestList.filters> }) {
  const totals = REQUEST_KINDS.filter((kind) => (asked.type ?? kind) === kind).flatMap((kind) =>
    REQUEST_STATUSES.filter((status) => (asked.status ?? status) === status).map((status) => ({
      label: asked.status === undefined ? texts.kindAndStatus(texts[kind], texts[status]) : texts[kind],
      value: ({ groups }: RequestTotals) => {
        const group = groups.find((one) => one.kind === kind && one.status === status)
        return texts.sum(formatWholeAmount(group?.amountMinor ?? 0n), formatCount(group?.requests ?? 0))
      },
    })),
  )
  const query = useQuery(requestTotalsQuery(asked))
  return <TotalsLine query={query} totals={totals} summedTo={TOTAL_COUNTED_TO} />
}

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
