import { formatCount } from '#web/platform/formats.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { CutText, textColumn, timeColumn } from '#web/lists/columns.tsx'
import type { TableColumn } from '#web/lists/table-model.ts'
import { adminAuditTexts as texts } from './admin-audit-texts.ts'
import type { AuditRow } from './api.ts'
import { actorText, actText, summaryOf, targetText, targetUserId } from './audit-words.ts'

/** Returns the change, followed by the act's reason unless the change contains it; a dash if there is neither. */
function changeText(row: AuditRow): string {
  const summary = summaryOf(row)
  const reason = row.reason === null || summary.includes(row.reason) ? '' : `${texts.reason}: ${row.reason}`
  return [summary, reason].filter((text) => text !== '').join(' · ') || texts.none
}

export const auditColumns: ReadonlyArray<TableColumn<AuditRow>> = [
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
