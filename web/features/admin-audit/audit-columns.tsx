import { formatCount, formatDateTime, formatDay, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { CustomerLink } from '#web/ui/customer-link.tsx'
import type { TableColumn } from '#web/ui/data-table/table-model.ts'
import { adminAuditTexts as texts } from './admin-audit-texts.ts'
import type { AuditRow } from './api.ts'
import { actorText, actText, summaryOf, targetText, targetUserId } from './audit-words.ts'

/** The change, followed by its reason unless the change already contains the reason. */
function changeText(row: AuditRow): string {
  const summary = summaryOf(row)
  const reason = row.reason === null || summary.includes(row.reason) ? '' : `${texts.reason}: ${row.reason}`
  return [summary, reason].filter((text) => text !== '').join(' · ') || texts.none
}

export const auditColumns: ReadonlyArray<TableColumn<AuditRow>> = [
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
    cell: (row) => {
      const userId = targetUserId(row)
      const text = targetText(row)
      return userId === null ? (
        <span title={text} className="block max-w-48 truncate max-md:max-w-full">
          {text}
        </span>
      ) : (
        <CustomerLink id={userId} name={text} className="block max-w-48 max-md:max-w-full" />
      )
    },
    csv: targetText,
  },
  {
    id: 'change',
    label: texts.change,
    takesRest: 'cut',
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
