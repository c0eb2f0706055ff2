import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { entrySecondsQuery } from '#web/features/admin-bets/api.ts'
import { BetsOfRound } from '#web/features/admin-bets/bets-of-round.tsx'
import { adminRoundTexts as texts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { RoundPage } from '#web/features/admin-rounds/round-page.tsx'
import { EndedRound } from '#web/features/market/ended-round.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'
import { formatDateTime } from '#web/platform/formats.ts'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { adminAuditTexts } from '#web/features/admin-audit/admin-audit-texts.ts'
import { auditPage } from '#web/features/admin-audit/api.ts'
import { actorText, actText, summaryOf } from '#web/features/admin-audit/audit-words.ts'

export function AdminRoundScreen() {
  const { id } = useParams({ from: '/guarded/admin/round/$id' })
  const { data: entrySeconds = [] } = useQuery(entrySecondsQuery(id))
  return (
    <AdminPage title={texts.round}>
      <RoundPage
        key={id}
        roundId={id}
        picture={(ticks, isOver) => <EndedRound ticks={ticks} entrySeconds={entrySeconds} isOver={isOver} />}
      >
        <ActsOn target={`round:${id}`} title={texts.acts} />
        <h2 className="text-base font-semibold">{texts.betsOfRound}</h2>
        <BetsOfRound roundId={id} label={texts.betsOfRound} />
      </RoundPage>
      <PlayMoneyLine />
    </AdminPage>
  )
}

/** Lists the first 50 acts on `target`, oldest first. `target` is spelled as in the log: `user:{id}`, `round:{id}`. */
function ActsOn({ target, title }: { readonly target: string; readonly title: string }) {
  const query = useQuery(auditPage({ page: 1, limit: 50, sort: 'createdAt', target }))
  return (
    <TitledCard title={title} gap="gap-2">
      {query.data === undefined ? (
        <Pending query={query} fallback={adminAuditTexts.actsFailed} shapes={['h-5 w-2/3']} />
      ) : query.data.rows.length === 0 ? (
        <p className="text-sm text-ink-2">{adminAuditTexts.noActs}</p>
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
