import { type ReactNode, useId, useState } from 'react'
import { REASON_MAX } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { useSecondPerson } from '#web/ui/second-person.tsx'
import { secondPersonTexts } from '#web/ui/second-person-texts.ts'
import { toast } from '#web/ui/toast.tsx'
import type { CashRequest } from './api.ts'
import { DossierOf } from './dossier.tsx'
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

/** Of a dialog that decides: the way to its neighbours, and what follows the decision. */
export type WalkedDialogProps = DecideDialogProps & { readonly walk?: ReactNode; readonly onDecided?: () => void }

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

const approval = ['approved'] as const
const rejection = ['rejected'] as const

export function ApproveDialog({ seen, request, walk, onDecided, onClose }: WalkedDialogProps) {
  const { approve } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertaken(seen, request)
  const amount = formatAmount(seen.amountMinor)
  const second = useSecondPerson(seen.owner, seen.amountMinor)
  const label = seen.kind === 'deposit' ? texts.approveDepositButton : texts.approveWithdrawalButton
  return (
    <ActDialog
      title={texts.approveTitle}
      description={approveText(seen, second.isNeeded)}
      confirmLabel={second.isNeeded ? secondPersonTexts.button : label(amount)}
      isBlocked={isOvertaken}
      run={async () => {
        const { status } = await approve(seen)
        const { username } = seen.owner
        toast.success(status === 'pending' ? secondPersonTexts.proposed(username) : texts.approved1(username, amount))
      }}
      failText={texts.approveFailed}
      onFailure={onFailure}
      aside={walk}
      isWide
      {...(onDecided !== undefined && { onDone: onDecided })}
      onClose={onClose}
    >
      {banner}
      {!isOvertaken && second.banner}
      <DossierOf request={request} verdicts={approval} onLeave={onClose} />
    </ActDialog>
  )
}

/** Rejects a pending request, or edits the reason of a rejected one (spec §4). */
export function RejectDialog({ seen, request, walk, onDecided, onClose }: WalkedDialogProps) {
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
      aside={walk}
      isWide
      {...(onDecided !== undefined && !isEdit && { onDone: onDecided })}
      onClose={onClose}
    >
      {banner}
      <DossierOf request={request} verdicts={rejection} onLeave={onClose} />
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
