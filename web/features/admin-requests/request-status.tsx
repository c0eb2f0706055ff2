import { SecondPersonMark, WaitingBadge } from '#web/parts/second-person.tsx'
import { Badge } from '#web/ui/badge.tsx'
import type { CashRequest } from './api.ts'
import { statusWords } from './request-words.ts'
import { Viewers } from './viewers.tsx'

/** Shows the status, or instead that a pending request needs a second person or that other admins have it open. */
export function RequestStatusMarks({ request }: { readonly request: CashRequest }) {
  const { id, status, proposal, secondPerson } = request
  const { tone, label } = statusWords[status]
  const badge = <Badge tone={tone}>{label}</Badge>
  if (status !== 'pending') return badge
  const mark =
    proposal != null ? (
      <WaitingBadge proposal={proposal} />
    ) : (
      secondPerson != null && <SecondPersonMark because={secondPerson} />
    )
  if (mark === false) return <Viewers requestId={id} otherwise={badge} />
  return (
    <span className="inline-flex max-w-44 flex-wrap items-center gap-1">
      {mark}
      <Viewers requestId={id} />
    </span>
  )
}
