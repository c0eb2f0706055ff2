import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { type Dispute, disputeQuery, useDisputeHints } from './api.ts'
import { Correction, DisputeCard } from './dispute-card.tsx'
import { disputeTexts as texts } from './dispute-texts.ts'
import { statusWords } from './dispute-words.ts'

const AnswerDialog = lazyComponent(() => import('./answer-dialog.tsx'), 'AnswerDialog')

export type CaseInChatProps = {
  readonly disputeId: string
  /** The sender of the message above the card: the bet's owner opened the dispute, anybody else answered it. */
  readonly senderId: string
  readonly self: { readonly id: string; readonly role: 'player' | 'admin' }
}

/** The dispute under a message that opened or answered it, read from the server (rules §9). */
export function CaseInChat({ disputeId, senderId, self }: CaseInChatProps) {
  useDisputeHints()
  const query = useQuery(disputeQuery(disputeId))
  /** The dispute as it was when the staff member began to answer. */
  const [answering, setAnswering] = useState<Dispute | null>(null)
  const dispute = query.data
  if (dispute === undefined) return <Pending query={query} className="mt-1 w-full max-w-sm" shapes={['h-44']} />
  const isOwn = dispute.owner.id === self.id
  if (senderId !== dispute.owner.id) {
    const { label, tone } = statusWords[dispute.status]
    return (
      <div className="mt-1 flex w-full max-w-sm flex-col gap-2 rounded-m border border-line bg-surface p-3 text-sm">
        <p className="flex items-center justify-between gap-3">
          <span className="font-medium">{texts.title}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <Correction dispute={dispute} />
      </div>
    )
  }
  return (
    <DisputeCard dispute={dispute} hasSentences={false} isOwn={isOwn} className="mt-1 w-full max-w-sm text-left">
      {isOwn && self.role === 'player' && (
        <Link
          to="/account/bets"
          search={{ bet: dispute.bet.id }}
          className={buttonClass({ variant: 'outline', size: 'sm' })}
        >
          {texts.toBet}
        </Link>
      )}
      {!isOwn && self.role === 'admin' && dispute.status === 'open' && (
        <Button variant="outline" size="sm" onClick={() => setAnswering(dispute)}>
          {texts.answer}
        </Button>
      )}
      {answering !== null && (
        <Suspense>
          <AnswerDialog seen={answering} dispute={dispute} onClose={() => setAnswering(null)} />
        </Suspense>
      )}
    </DisputeCard>
  )
}
