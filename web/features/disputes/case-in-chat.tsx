import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '#web/ui/badge.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { type Dispute, disputeQuery, useDisputeHints } from './api.ts'
import { Correction, DisputeCard } from './dispute-card.tsx'
import { disputeTexts as texts } from './dispute-texts.ts'
import { statusWords } from './dispute-words.ts'

export type CaseInChatProps = {
  readonly disputeId: string
  /** The sender of the message above the card: the bet's owner, who opened the dispute, or the admin who answered. */
  readonly senderId: string
  readonly self: { readonly id: string; readonly role: 'player' | 'admin' }
  /** Opens the answer dialog outside the list of messages, which unmounts rows out of sight. Absent for players. */
  readonly onAnswer?: (dispute: Dispute) => void
}

/** The dispute under a message that opened or answered it, read from the server (rules §9.1). */
export function CaseInChat({ disputeId, senderId, self, onAnswer }: CaseInChatProps) {
  useDisputeHints()
  const query = useQuery(disputeQuery(disputeId))
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
      {!isOwn && onAnswer !== undefined && dispute.status === 'open' && (
        <Button variant="outline" size="sm" onClick={() => onAnswer(dispute)}>
          {texts.answer}
        </Button>
      )}
    </DisputeCard>
  )
}
