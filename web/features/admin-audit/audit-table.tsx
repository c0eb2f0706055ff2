import { lazy, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import { given } from '#web/ui/data-table/table-search.ts'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminActTexts, adminAuditTexts as texts } from './admin-audit-texts.ts'
import { type AuditRow, auditPage } from './api.ts'
import { auditColumns } from './audit-columns.tsx'
import { actText } from './audit-words.ts'

const acts = Object.keys(adminActTexts)

const audit = adminList({
  id: 'nhat-ky',
  filters: { actor: 'text', target: 'text', act: ['all', ...acts] },
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['reason', 'hash'],
  rowId: ({ seq }: AuditRow) => String(seq),
  rowName: ({ seq }) => texts.detailsTitle(formatCount(seq)),
  asked: given,
  pageQuery: auditPage,
  hold: { createdAtMs: ({ atMs }) => atMs, arrivedText: texts.arrived },
})

const AuditDialog = lazy(() => import('./audit-dialog.tsx').then((module) => ({ default: module.AuditDialog })))

/** The audit log of staff actions, searched by actor, act and target (rules §1.3). */
export function AuditTable() {
  const list = useAdminList(audit)
  const [open, setOpen] = useState<AuditRow>()
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={auditColumns}
      filters={
        <>
          <SearchBox label={texts.actorSearch} {...list.search('actor')} className="w-full md:w-44" />
          <SearchBox label={texts.targetSearch} {...list.search('target')} className="w-full md:w-44" />
          <Picker
            label={texts.actFilter}
            {...list.choice('act')}
            choices={[
              { value: 'all', label: texts.everyAct },
              ...acts.map((value) => ({ value, label: actText(value) })),
            ]}
            className="max-md:flex-1 md:w-44"
          />
        </>
      }
      acts={(row) => <RowButton onClick={() => setOpen(row)}>{texts.details}</RowButton>}
      onOpen={{ label: texts.details, run: setOpen }}
      dialog={open && <AuditDialog row={open} onClose={() => setOpen(undefined)} />}
    />
  )
}
