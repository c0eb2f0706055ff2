import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { adminActTexts, adminAuditTexts as texts } from './admin-audit-texts.ts'
import { formatCount, formatDateTime, formatDay, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import { usePagedList } from '#web/ui/data-table/use-paged-list.ts'
import { useTableSearch } from '#web/ui/data-table/use-table-search.ts'
import { type AuditRow, auditQuery, listAudit } from './api.ts'
import { actorText, actText, summaryOf, targetText } from './audit-words.ts'

const acts = Object.keys(adminActTexts)

/** The change, and why where the change does not tell already. */
function changeText(row: AuditRow): string {
  const summary = summaryOf(row)
  const reason = row.reason === null || summary.includes(row.reason) ? '' : `${texts.reason}: ${row.reason}`
  return [summary, reason].filter((text) => text !== '').join(' · ') || texts.none
}

const spec = {
  filters: { actor: 'text', target: 'text', act: ['all', ...acts] },
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['reason', 'hash'],
} as const

const rowId = ({ seq }: AuditRow) => String(seq)
const rowName = ({ seq }: AuditRow) => texts.detailsTitle(formatCount(seq))
const createdAtMs = ({ atMs }: AuditRow) => atMs

const columns: ReadonlyArray<TableColumn<AuditRow>> = [
  {
    id: 'act',
    label: texts.act,
    card: 'title',
    canHide: false,
    cell: ({ act }) => <span className="font-medium">{actText(act)}</span>,
    csv: ({ act }) => act,
  },
  {
    id: 'number',
    label: texts.number,
    align: 'end',
    card: 'aside',
    cell: ({ seq }) => <span className="text-ink-3">{formatCount(seq)}</span>,
    csv: ({ seq }) => seq,
  },
  {
    id: 'time',
    label: texts.time,
    sort: 'createdAt',
    cell: ({ atMs }) => `${formatDay(atMs, serverNowMs())} ${formatTime(atMs)}`,
    csv: ({ atMs }) => formatDateTime(atMs),
  },
  {
    id: 'actor',
    label: texts.actor,
    cell: ({ actor }) => <span className="block max-w-32 truncate">{actorText(actor)}</span>,
    csv: ({ actor }) => actorText(actor),
  },
  {
    id: 'target',
    label: texts.target,
    cell: (row) => <span className="block max-w-36 truncate">{targetText(row)}</span>,
    csv: (row) => row.targetName ?? row.target,
  },
  {
    id: 'change',
    label: texts.change,
    takesRest: true,
    cell: (row) => (
      <span title={changeText(row)} className="block min-w-24 truncate text-ink-2 max-md:whitespace-normal">
        {changeText(row)}
      </span>
    ),
    csv: changeText,
  },
  {
    id: 'reason',
    label: texts.reason,
    cell: ({ reason }) => <span className="block max-w-40 truncate text-ink-2">{reason ?? ''}</span>,
    csv: ({ reason }) => reason ?? '',
  },
  {
    id: 'hash',
    label: texts.hash,
    cell: ({ hash }) => <span className="text-ink-3">{hash.slice(0, 12)}…</span>,
    csv: ({ hash }) => hash,
  },
]

const AuditDialog = lazy(() => import('./audit-dialog.tsx').then((module) => ({ default: module.AuditDialog })))

/** What staff did: searched by who, what and whom (rules §1.3). */
export function AuditTable() {
  const address = useTableSearch(spec)
  const { view, change } = address
  const { actor, target, act } = view.filters
  const query = {
    page: view.page,
    limit: view.limit,
    sort: view.sort,
    ...(actor !== '' && { actor }),
    ...(target !== '' && { target }),
    ...(act !== 'all' && { act }),
  }
  const page = useQuery({ ...auditQuery(query), placeholderData: keepPreviousData })
  const paged = usePagedList({
    query,
    page,
    load: listAudit,
    rowId,
    createdAtMs,
  })
  const [open, setOpen] = useState<AuditRow>()
  return (
    <>
      <DataTable
        tableId="nhat-ky"
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
              label={texts.actorSearch}
              text={actor}
              onChange={(text) => change({ filters: { actor: text } }, { isTyping: true })}
              className="w-full md:w-44"
            />
            <SearchBox
              label={texts.targetSearch}
              text={target}
              onChange={(text) => change({ filters: { target: text } }, { isTyping: true })}
              className="w-full md:w-44"
            />
            <Picker
              label={texts.actFilter}
              value={act}
              onChange={(value) => change({ filters: { act: value } })}
              choices={[
                { value: 'all', label: texts.everyAct },
                ...acts.map((value) => ({ value, label: actText(value) })),
              ]}
              className="max-md:flex-1 md:w-44"
            />
          </>
        }
        actions={(row) => <RowButton onClick={() => setOpen(row)}>{texts.details}</RowButton>}
        onOpen={{ label: texts.details, run: setOpen }}
      />
      {open !== undefined && (
        <Suspense fallback={null}>
          <AuditDialog row={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
