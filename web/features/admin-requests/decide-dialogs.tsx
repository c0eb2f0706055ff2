import { useId, useState } from 'react'
import { REASON_MAX } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { CashRequest } from './api.ts'
import { ReasonInput } from './reason-input.tsx'
import { approveText, rejectText, removeText } from './request-words.ts'
import { firstDecider, useRequestActs } from './use-acts.ts'

export type DecideDialogProps = {
  /** The request when the dialog opened: the state on which the decision is based. */
  readonly seen: CashRequest
  /** The request's current state. */
  readonly request: CashRequest
  readonly onClose: () => void
}

/** A colleague decided first: shows their name and disables confirming. */
function useOvertaken(seen: CashRequest, request: CashRequest) {
  const [refused, setRefused] = useState<{ readonly name: string | null }>()
  const other = request.status === seen.status ? refused : { name: request.decidedBy?.username ?? null }
  return {
    isOvertaken: other !== undefined,
    banner: other !== undefined && (
      <Banner tone="warn" isLive>
        {other.name === null ? texts.someoneDecided : texts.justDecided(other.name)}
      </Banner>
    ),
    onFailure: (error: unknown) => {
      const first = firstDecider(error)
      if (first !== undefined) setRefused(first)
      return first !== undefined
    },
  }
}

export function ApproveDialog({ seen, request, onClose }: DecideDialogProps) {
  const { approve } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertaken(seen, request)
  const amount = formatAmount(seen.amountMinor)
  const label = seen.kind === 'deposit' ? texts.approveDepositButton : texts.approveWithdrawalButton
  return (
    <ActDialog
      title={texts.approveTitle}
      description={approveText(seen)}
      confirmLabel={label(amount)}
      isBlocked={isOvertaken}
      run={async () => {
        await approve(seen)
        toast.success(texts.approved1(seen.owner.username, amount))
      }}
      failText={texts.approveFailed}
      onFailure={onFailure}
      onClose={onClose}
    >
      {banner}
    </ActDialog>
  )
}

/** Rejects a pending request, or edits the reason of a rejected one (spec §4). */
export function RejectDialog({ seen, request, onClose }: DecideDialogProps) {
  const { reject } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertaken(seen, request)
  const isEdit = seen.status === 'rejected'
  const [reason, setReason] = useState(seen.rejectionReason ?? '')
  const [error, setError] = useState<string>()
  const id = useId()
  const amount = formatAmount(seen.amountMinor)
  const { username } = seen.owner
  return (
    <ActDialog
      title={isEdit ? texts.editTitle : texts.rejectTitle}
      description={isEdit ? texts.editText(username, amount) : rejectText(seen)}
      confirmLabel={isEdit ? texts.editButton : texts.rejectButton}
      tone={isEdit ? 'primary' : 'danger'}
      isBlocked={isOvertaken}
      run={async () => {
        await reject(seen, reason.trim())
        toast.success(isEdit ? texts.reasonSaved : texts.rejected1(username, amount))
      }}
      canRun={() => {
        const isMissing = reason.trim() === ''
        setError(isMissing ? texts.reasonRequired : undefined)
        if (isMissing) document.getElementById(id)?.querySelector('textarea')?.focus()
        return !isMissing
      }}
      failText={isEdit ? texts.editFailed : texts.rejectFailed}
      onFailure={onFailure}
      onClose={onClose}
    >
      {banner}
      <div id={id}>
        <ReasonInput
          value={reason}
          maxLength={REASON_MAX}
          error={error}
          onChange={(text) => {
            setReason(text)
            setError(undefined)
          }}
        />
      </div>
    </ActDialog>
  )
}

export function RemoveDialog({ seen, request, onClose }: DecideDialogProps) {
  const { remove } = useRequestActs()
  const { isOvertaken, banner } = useOvertaken(seen, request)
  return (
    <ActDialog
      title={texts.removeTitle}
      // A request that was decided meanwhile is only hidden: the sentence follows its current state.
      description={removeText(request)}
      confirmLabel={texts.removeButton}
      tone="danger"
      run={async () => {
        await remove(request)
        toast.success(texts.removed)
      }}
      failText={texts.removeFailed}
      onClose={onClose}
    >
      {isOvertaken && banner}
    </ActDialog>
  )
}
