import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '#web/platform/formats.ts'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { adminAuditTexts as texts } from './admin-audit-texts.ts'
import { auditPage } from './api.ts'
import { actorText, actText, summaryOf } from './audit-words.ts'

/** Lists the first 50 acts on `target`, oldest first. `target` is spelled as in the log: `user:{id}`, `round:{id}`. */
export function ActsOn({ target, title }: { readonly target: string; readonly title: string }) {
  const query = useQuery(auditPage({ page: 1, limit: 50, sort: 'createdAt', target }))
  return (
    <TitledCard title={title} gap="gap-2">
      {query.data === undefined ? (
        <Pending query={query} fallback={texts.actsFailed} shapes={['h-5 w-2/3']} />
      ) : query.data.rows.length === 0 ? (
        <p className="text-sm text-ink-2">{texts.noActs}</p>
      ) : (
        <ol className="flex flex-col gap-1.5 text-sm">
          {query.data.rows.map((row) => (
            <li key={row.seq} className="flex flex-wrap gap-x-3">
              <span className="text-ink-3 tabular-nums">{formatDateTime(row.atMs)}</span>
              <span>
                <span className="font-medium">{actorText(row.actor)}</span> · {actText(row.act)}
                {summaryOf(row) !== '' && <span className="text-ink-2"> · {summaryOf(row)}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </TitledCard>
  )
}
