import type { ReactNode } from 'react'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { useOvertaken } from '#web/parts/overtaken.tsx'
import { useSecondPerson } from '#web/parts/second-person.tsx'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { toast } from '#web/ui/toast.tsx'
import type { CashRequest } from './api.ts'
import { Dossier } from './dossier.tsx'
import { ReasonInput, reasonProblem } from './reason-input.tsx'
import { approveText, rejectText, removeText, sayFirst } from './request-words.ts'
import { useRequestActs } from './use-acts.ts'

export type DecideDialogProps = {
  /** The request as it was when the dialog opened, on which an approval or a rejection is based. */
  readonly seen: CashRequest
  /** The request's current state. */
  readonly request: CashRequest
  readonly onClose: () => void
}

/** `walk` has the buttons that lead to the neighbouring requests. `onDecided` is called after approval or rejection. */
export type WalkedDialogProps = DecideDialogProps & { readonly walk: ReactNode; readonly onDecided: () => void }

const useOvertakenRequest = (seen: CashRequest, request: CashRequest) =>
  useOvertaken({
    known: request.status === seen.status ? undefined : { name: request.decidedBy?.username ?? null },
    sentence: sayFirst,
  })

const approval = ['approved'] as const
const rejection = ['rejected'] as const

export function ApproveDialog({ seen, request, walk, onDecided, onClose }: WalkedDialogProps) {
  const { approve } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertakenRequest(seen, request)
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
      onDone={onDecided}
      onClose={onClose}
    >
      {banner}
      {!isOvertaken && second.banner}
      <Dossier request={request} verdicts={approval} onLeave={onClose} />
    </ActDialog>
  )
}

/** Rejects a pending request, or edits the reason of a rejected one (spec §4.2). */
export function RejectDialog({ seen, request, walk, onDecided, onClose }: WalkedDialogProps) {
  const { reject } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertakenRequest(seen, request)
  const isEdit = seen.status === 'rejected'
  const reason = usePrompt(reasonProblem, seen.rejectionReason ?? '')
  const amount = formatAmount(seen.amountMinor)
  const { username } = seen.owner
  return (
    <ActDialog
      title={isEdit ? texts.editTitle : texts.rejectTitle}
      description={isEdit ? texts.editText(username, amount) : rejectText(seen)}
      confirmLabel={isEdit ? texts.editButton : texts.rejectButton}
      tone={isEdit ? 'primary' : 'danger'}
      isBlocked={isOvertaken}
      run={() => reject(seen, reason.text.trim())}
      doneText={isEdit ? texts.reasonSaved : texts.rejected1(username, amount)}
      canRun={reason.check}
      failText={isEdit ? texts.editFailed : texts.rejectFailed}
      onFailure={onFailure}
      aside={walk}
      isWide
      onDone={isEdit ? onClose : onDecided}
      onClose={onClose}
    >
      {banner}
      <Dossier request={request} verdicts={rejection} onLeave={onClose} />
      <ReasonInput {...reason.field} />
    </ActDialog>
  )
}

export function RemoveDialog({ seen, request, onClose }: DecideDialogProps) {
  const { remove } = useRequestActs()
  const { isOvertaken, banner, onFailure } = useOvertakenRequest(seen, request)
  return (
    <ActDialog
      title={texts.remove}
      // The text depends on the current state: a pending request is rejected and hidden, a decided one only hidden.
      description={removeText(request)}
      confirmLabel={texts.remove}
      tone="danger"
      run={() => remove(request)}
      doneText={texts.removed}
      failText={texts.removeFailed}
      onFailure={onFailure}
      onClose={onClose}
    >
      {isOvertaken && banner}
    </ActDialog>
  )
}
