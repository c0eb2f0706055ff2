import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import type { CashRequest } from './api.ts'
import { groupedNumber, kindWords, memoOf, signedMinor, statusWords } from './request-words.ts'

export type DetailsDialogProps = {
  readonly request: CashRequest
  readonly isOwn: boolean
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly onClose: () => void
}

/** All details of one request, and the acts on it. */
export function DetailsDialog({ request, isOwn, onApprove, onReject, onClose }: DetailsDialogProps) {
  const { bank, decidedBy, decidedAtMs, status, rejectionReason } = request
  const { label, tone } = statusWords[status]
  const facts: ReadonlyArray<readonly [label: string, value: ReactNode]> = [
    [
      texts.account,
      <Link
        key="user"
        to="/admin/user"
        search={{ userId: request.owner.id }}
        onClick={onClose}
        className="font-semibold underline underline-offset-2"
      >
        {request.owner.username}
      </Link>,
    ],
    [texts.kind, kindWords[request.kind]],
    [texts.amount, <AmountText key="amount" kind="signed" hasUnit amountMinor={signedMinor(request)} />],
    [texts.time, formatDateTime(request.createdAtMs)],
    [texts.bank, bank.bankName],
    [texts.number, groupedNumber(bank.accountNumber)],
    [texts.holder, bank.accountHolder],
    [texts.memo, memoOf(request) || texts.none],
    [
      texts.status,
      <Badge key="status" tone={tone}>
        {label}
      </Badge>,
    ],
    ...(rejectionReason === null ? [] : ([[texts.reason, rejectionReason]] as const)),
    ...(decidedBy === null ? [] : ([[texts.decidedBy, decidedBy.username]] as const)),
    ...(decidedAtMs === null ? [] : ([[texts.decidedAt, formatDateTime(decidedAtMs)]] as const)),
  ]
  const canDecide = status === 'pending' && !isOwn
  return (
    <Sheet
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.detailsTitle}
      footer={
        canDecide ? (
          <>
            <Button variant="outline" onClick={onReject}>
              {texts.reject}
            </Button>
            <Button variant="up" onClick={onApprove}>
              {texts.approve}
            </Button>
          </>
        ) : undefined
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm tabular-nums">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 text-right break-words">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {isOwn && status === 'pending' && <p className="text-sm text-ink-3">{texts.ownRequest}</p>}
    </Sheet>
  )
}
