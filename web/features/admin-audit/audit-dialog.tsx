import { adminAuditTexts as texts } from './admin-audit-texts.ts'
import { formatCount, formatDateTime } from '#web/platform/formats.ts'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { FactList, type Facts } from '#web/ui/fact-list.tsx'
import { DetailsSheet } from '#web/lists/details-sheet.tsx'
import type { AuditRow } from './api.ts'
import { actorText, actText, changesOf, targetText, targetUserId } from './audit-words.ts'

export function AuditDialog({ row, onClose }: { readonly row: AuditRow; readonly onClose: () => void }) {
  const changes = changesOf(row)
  const userId = targetUserId(row)
  const facts: Facts = [
    [texts.act, actText(row.act)],
    [texts.actor, actorText(row.actor)],
    [texts.time, formatDateTime(row.atMs)],
    [texts.reason, row.reason ?? texts.noReason],
    [
      texts.target,
      userId === null ? (
        targetText(row)
      ) : (
        <CustomerLink key="target" id={userId} name={targetText(row)} onClick={onClose} />
      ),
    ],
  ]
  return (
    <DetailsSheet rowId={String(row.seq)} onClose={onClose} title={texts.detailsTitle(formatCount(row.seq))}>
      <FactList facts={facts} className="gap-y-2! text-sm" valueClassName="text-right" />
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
