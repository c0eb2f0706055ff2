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
import { auditColumns } from './audit-columns.tsx'
import { actText } from './audit-words.ts'

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
