import { useMemo, useState } from 'react'
import { auditList } from '#contract/back-office.ts'
import { formatCount } from '#web/platform/formats.ts'
import { DataTable } from '#web/lists/data-table.tsx'
import { RowButton } from '#web/lists/row-button.tsx'
import { dayBoxes, ListFilters, picker, searchBox, wordsOf } from '#web/lists/list-filters.tsx'
import { declared } from '#web/lists/table-search.ts'
import { adminList, useAdminList } from '#web/lists/use-admin-list.ts'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminActTexts, adminAuditTexts as texts } from './admin-audit-texts.ts'
import { type AuditRow, auditPage } from './api.ts'
import { actText, actorText, summaryOf, targetText, targetUserId } from './audit-words.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { CutText, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'

/** Returns the change, followed by the act's reason unless the change contains it; a dash if there is neither. */
function changeText(row: AuditRow): string {
  const summary = summaryOf(row)
  const reason = row.reason === null || summary.includes(row.reason) ? '' : `${texts.reason}: ${row.reason}`
  return [summary, reason].filter((text) => text !== '').join(' · ') || texts.none
}

const auditColumns: ReadonlyArray<TableColumn<AuditRow>> = [
  textColumn('act', texts.act, ({ act }) => act, {
    card: 'title',
    canHide: false,
    cell: ({ act }) => <span className="font-medium">{actText(act)}</span>,
  }),
  {
    id: 'number',
    label: texts.number,
    align: 'end',
    card: 'aside',
    cell: ({ seq }) => <span className="text-ink-3">{formatCount(seq)}</span>,
    csv: ({ seq }) => seq,
  },
  timeColumn('time', texts.time, ({ atMs }) => atMs, { sort: 'createdAt', card: 'line' }),
  textColumn('actor', texts.actor, ({ actor }) => actorText(actor), {
    card: 'line',
    cell: ({ actor }) => <span className="block max-w-32 truncate">{actorText(actor)}</span>,
  }),
  textColumn('target', texts.target, targetText, {
    cell: (row) => {
      const userId = targetUserId(row)
      const text = targetText(row)
      return userId === null ? (
        <CutText text={text} className="max-w-48 max-md:max-w-full" />
      ) : (
        <CustomerLink id={userId} name={text} className="block max-w-48 max-md:max-w-full" />
      )
    },
  }),
  textColumn('change', texts.change, changeText, {
    takesRest: 'cut',
    cell: (row) => <CutText text={changeText(row)} className="min-w-24 text-ink-2 max-md:whitespace-normal" />,
  }),
  textColumn('reason', texts.reason, ({ reason }) => reason ?? '', {
    cell: ({ reason }) => <span className="block max-w-40 truncate text-ink-2">{reason ?? ''}</span>,
  }),
  textColumn('hash', texts.hash, ({ hash }) => hash, {
    cell: ({ hash }) => <span className="text-ink-3">{hash.slice(0, 12)}…</span>,
  }),
]

const acts = Object.keys(adminActTexts)

/** @param userId the user whose page shows the list; null for the whole log */
const auditOf = (userId: string | null) => {
  const { filters, ...others } = declared(auditList, userId === null ? {} : { fixed: { target: `user:${userId}` } })
  return adminList({
    id: userId === null ? 'nhat-ky' : 'nhat-ky-khach',
    ...others,
    // The server accepts any text as `act`. The filter offers the acts for which this version has a label.
    filters: { ...filters, act: ['all', ...acts] },
    hiddenAtFirst: ['reason', 'hash'],
    rowId: ({ seq }: AuditRow) => String(seq),
    rowName: ({ seq }) => texts.detailsTitle(formatCount(seq)),
    onlyGrows: true,
    ...(userId === null && { besideRem: 18.25 }),
    pageQuery: auditPage,
    hold: { createdAtMs: ({ atMs }) => atMs, arrivedText: texts.arrived },
  })
}

const by = searchBox(texts.actorSearch, 'w-full md:w-44')
const target = searchBox(texts.targetSearch, 'w-full md:w-44')
const act = picker<string>(
  texts.actFilter,
  { all: texts.everyAct, ...wordsOf(acts, actText) },
  'max-md:min-w-32 max-md:flex-1 md:w-44',
)

const AuditDialog = lazyComponent(() => import('./audit-dialog.tsx'), 'AuditDialog')

/** The audit log, filtered by actor, act, target and days (rules §1.3). With `userId`, only the acts on that user. */
export function AuditTable({ userId }: { readonly userId?: string }) {
  const list = useAdminList(useMemo(() => auditOf(userId ?? null), [userId]))
  const [open, setOpen] = useState<AuditRow>()
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={auditColumns}
      filters={
        <ListFilters list={list} shown={userId === undefined ? { by, target, act } : { by, act }} folded={dayBoxes} />
      }
      acts={(row) => <RowButton onClick={() => setOpen(row)}>{texts.details}</RowButton>}
      onOpen={{ label: texts.details, run: setOpen }}
      dialog={open && <AuditDialog row={open} onClose={() => setOpen(undefined)} />}
    />
  )
}
