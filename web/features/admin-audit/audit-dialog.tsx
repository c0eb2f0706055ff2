import { Fragment } from 'react'
import { adminAuditTexts as texts } from './admin-audit-texts.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { DetailsSheet } from '#web/lists/details-sheet.tsx'
import type { AuditRow } from './api.ts'
import { actorText, actText, changesOf, targetText, targetUserId } from './audit-words.ts'

export type AuditDialogProps = { readonly row: AuditRow; readonly onClose: () => void }

/** One act: actor, time, target, reason, and every field before and after. */
export function AuditDialog({ row, onClose }: AuditDialogProps) {
  const changes = changesOf(row)
  const userId = targetUserId(row)
  const facts = [
    [texts.act, actText(row.act)],
    [texts.actor, actorText(row.actor)],
    [texts.time, formatDateTime(row.atMs)],
    [texts.reason, row.reason ?? texts.noReason],
  ] as const
  return (
    <DetailsSheet rowId={String(row.seq)} onClose={onClose} title={texts.detailsTitle(formatCount(row.seq))}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(([label, text]) => (
          <Fragment key={label}>
            <dt className="text-ink-3">{label}</dt>
            <dd className="min-w-0 text-right break-words">{text}</dd>
          </Fragment>
        ))}
        <dt className="text-ink-3">{texts.target}</dt>
        <dd className="min-w-0 text-right [overflow-wrap:anywhere]">
          {userId === null ? targetText(row) : <CustomerLink id={userId} name={targetText(row)} onClick={onClose} />}
        </dd>
      </dl>
      {changes.length === 0 ? (
        <p className="text-sm text-ink-3">{texts.noFields}</p>
      ) : (
        <table className="w-full border-separate border-spacing-0 overflow-hidden rounded-s border border-line text-sm tabular-nums">
          <thead className="bg-surface-2 text-left text-xs text-ink-3">
            <tr>
              {[texts.field, texts.before, texts.after].map((head) => (
                <th key={head} scope="col" className="px-3 py-2 font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, label, before, after, isChanged }) => (
              <tr key={field}>
                <th scope="row" className="border-t border-line px-3 py-2 text-left font-medium">
                  {label}
                </th>
                <td className="border-t border-line px-3 py-2 break-all text-ink-2">{before ?? texts.none}</td>
                <td
                  className={`border-t border-line px-3 py-2 break-all ${isChanged ? 'font-semibold' : 'text-ink-2'}`}
                >
                  {after ?? texts.none}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="text-xs break-all text-ink-3">
        {texts.hash}: {row.hash}
      </p>
    </DetailsSheet>
  )
}
