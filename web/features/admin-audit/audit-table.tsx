import { lazy, useMemo, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { DayBox, Picker, SearchBox } from '#web/ui/data-table/controls.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { RowButton } from '#web/ui/data-table/row-button.tsx'
import { MoreFilters } from '#web/ui/data-table/more-filters.tsx'
import { daysAsked, given } from '#web/ui/data-table/table-search.ts'
import { adminTableTexts } from '#web/ui/data-table/table-texts.ts'
import { adminList, useAdminList } from '#web/ui/data-table/use-admin-list.ts'
import { adminActTexts, adminAuditTexts as texts } from './admin-audit-texts.ts'
import { type AuditRow, auditPage } from './api.ts'
import { auditColumns } from './audit-columns.tsx'
import { actText } from './audit-words.ts'

const acts = Object.keys(adminActTexts)

/** @param userId whose page the list stands on; null for the whole log */
const auditOf = (userId: string | null) =>
  adminList({
    id: userId === null ? 'nhat-ky' : 'nhat-ky-khach',
    filters: { by: 'text', target: 'text', act: ['all', ...acts], from: 'day', to: 'day' },
    sorts: ['createdAt'],
    firstSort: '-createdAt',
    hiddenAtFirst: ['reason', 'hash'],
    rowId: ({ seq }: AuditRow) => String(seq),
    rowName: ({ seq }) => texts.detailsTitle(formatCount(seq)),
    asked: ({ by, target, act, ...days }) => ({
      ...given({ actor: by, target, act }),
      ...daysAsked(days),
      ...(userId !== null && { target: `user:${userId}` }),
    }),
    pageQuery: auditPage,
    hold: { createdAtMs: ({ atMs }) => atMs, arrivedText: texts.arrived },
  })

const AuditDialog = lazy(() => import('./audit-dialog.tsx').then((module) => ({ default: module.AuditDialog })))

/** The audit log of staff actions, searched by actor, act and target (rules §1.3), or with `userId` what it has on one user. */
export function AuditTable({ userId }: { readonly userId?: string }) {
  const list = useAdminList(useMemo(() => auditOf(userId ?? null), [userId]))
  const [open, setOpen] = useState<AuditRow>()
  return (
    <DataTable
      label={texts.title}
      list={list}
      columns={auditColumns}
      filters={
        <>
          <SearchBox label={texts.actorSearch} {...list.search('by')} className="w-full md:w-44" />
          {userId === undefined && (
            <SearchBox label={texts.targetSearch} {...list.search('target')} className="w-full md:w-44" />
          )}
          <Picker
            label={texts.actFilter}
            {...list.choice('act')}
            choices={[
              { value: 'all', label: texts.everyAct },
              ...acts.map((value) => ({ value, label: actText(value) })),
            ]}
            className="max-md:min-w-32 max-md:flex-1 md:w-44"
          />
          <MoreFilters {...list.fold(['from', 'to'])}>
            <DayBox label={adminTableTexts.fromDay} {...list.search('from')} />
            <DayBox label={adminTableTexts.toDay} {...list.search('to')} />
          </MoreFilters>
        </>
      }
      acts={(row) => <RowButton onClick={() => setOpen(row)}>{texts.details}</RowButton>}
      onOpen={{ label: texts.details, run: setOpen }}
      dialog={open && <AuditDialog row={open} onClose={() => setOpen(undefined)} />}
    />
  )
}
