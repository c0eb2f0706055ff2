import type { ReactNode } from 'react'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import { type Facts, FactList } from '#web/ui/fact-list.tsx'
import { DetailsSheet } from '#web/lists/details-sheet.tsx'
import { useShortcuts } from '#web/lists/shortcuts.ts'
import { waitingText } from '#web/parts/second-person.tsx'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import type { CashRequest } from './api.ts'
import { Dossier } from './dossier.tsx'
import { approveLabel } from './request-act.ts'
import { kindWords, requestFacts, signedMinor, statusWords } from './request-words.ts'

export type DetailsDialogProps = {
  readonly request: CashRequest
  readonly isOwn: boolean
  /** The buttons that lead to the neighbouring requests. */
  readonly walk: ReactNode
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly onClose: () => void
}

const bothWays = ['approved', 'rejected'] as const

export function DetailsDialog({ request, isOwn, walk, onApprove, onReject, onClose }: DetailsDialogProps) {
  const { decidedBy, decidedAtMs, status, rejectionReason } = request
  const { label, tone } = statusWords[status]
  const facts: Facts = [
    [texts.account, <CustomerLink key="user" id={request.owner.id} name={request.owner.username} onClick={onClose} />],
    [texts.kind, kindWords[request.kind]],
    [texts.amount, <AmountText key="amount" kind="signed" hasUnit amountMinor={signedMinor(request)} />],
    ...requestFacts(request),
    [
      texts.status,
      <Badge key="status" tone={tone}>
        {label}
      </Badge>,
    ],
    request.secondPerson != null && [secondPersonTexts.mark, secondPersonTexts.marks[request.secondPerson]],
    request.proposal != null && [secondPersonTexts.waiting, waitingText(request.proposal)],
    rejectionReason !== null && [texts.reason, rejectionReason],
    decidedBy !== null && [texts.decidedBy, decidedBy.username],
    decidedAtMs !== null && [texts.decidedAt, formatDateTime(decidedAtMs)],
  ]
  const canDecide = useMay('money') && status === 'pending' && !isOwn
  useShortcuts({ a: () => canDecide && onApprove(), r: () => canDecide && onReject() }, { isInDialog: true })
  return (
    <DetailsSheet
      rowId={request.id}
      onClose={onClose}
      title={texts.detailsTitle}
      aside={walk}
      isWide
      footer={
        canDecide ? (
          <>
            <Button variant="outline" onClick={onReject}>
              {texts.reject}
            </Button>
            <Button variant="up" onClick={onApprove}>
              {approveLabel(request)}
            </Button>
          </>
        ) : undefined
      }
    >
      <FactList
        facts={facts}
        className="text-dense @min-[40rem]:grid-cols-[auto_1fr_auto_1fr]"
        valueClassName="text-right"
      />
      <Dossier request={request} isRequestTold verdicts={bothWays} onLeave={onClose} />
      {isOwn && status === 'pending' && <p className="text-sm text-ink-3">{texts.ownRequest}</p>}
    </DetailsSheet>
  )
}
