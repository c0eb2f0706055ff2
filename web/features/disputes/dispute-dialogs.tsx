import { useQuery } from '@tanstack/react-query'
import { useMay } from '#web/platform/use-may.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { adminDisputeTexts as texts } from './admin-dispute-texts.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { type Dispute, disputeQuery } from './api.ts'
import { DisputeCard, DisputeProof } from './dispute-card.tsx'
import { disputeTexts } from './dispute-texts.ts'

/** The open dialog's act, with the dispute as it was when the dialog opened. */
export type DisputeAct = { readonly kind: 'answer' | 'details'; readonly seen: Dispute }

export type DisputeDialogsProps = {
  readonly act: DisputeAct
  /** The rows on screen. They are refetched, so they may be newer than `act.seen`. */
  readonly rows: readonly Dispute[]
  readonly meId: string
  readonly onAct: (act: DisputeAct) => void
  readonly onClose: () => void
}

export function DisputeDialogs({ act: { kind, seen }, rows, meId, onAct, onClose }: DisputeDialogsProps) {
  const may = [useMay('money'), useMay('care')].includes(true)
  const row = rows.find(({ id }) => id === seen.id)
  // Once a colleague has answered the dispute, the list of open disputes lacks it. This query then fetches it.
  const elsewhere = useQuery({ ...disputeQuery(seen.id), enabled: row === undefined, staleTime: 0 })
  const dispute = row ?? elsewhere.data ?? seen
  if (kind === 'answer') return <AnswerDialog key={seen.id} seen={seen} dispute={dispute} onClose={onClose} />
  const isOwn = dispute.owner.id === meId
  return (
    <Sheet
      onClose={onClose}
      title={texts.detailsTitle}
      footer={
        may && dispute.status === 'open' && !isOwn ? (
          <Button onClick={() => onAct({ kind: 'answer', seen: dispute })}>{disputeTexts.answer}</Button>
        ) : undefined
      }
    >
      <DisputeCard dispute={dispute} isOwn={isOwn}>
        <DisputeProof dispute={dispute} />
      </DisputeCard>
      {isOwn && dispute.status === 'open' && <p className="text-sm text-ink-3">{texts.ownDispute}</p>}
    </Sheet>
  )
}
