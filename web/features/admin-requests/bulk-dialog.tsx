import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { REASON_MAX } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount, formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { secondPersonTexts } from '#web/ui/second-person-texts.ts'
import type { CashRequest } from './api.ts'
import { ReasonInput } from './reason-input.tsx'
import { signedMinor, sumUp } from './request-words.ts'
import { firstDecider, useRequestActs } from './use-acts.ts'

/** At most this many names are listed; the rest are only counted. */
const namesShown = 8

type Outcome = { readonly request: CashRequest; readonly isDone: boolean; readonly text: string }

export type BulkDialogProps = {
  readonly verdict: 'approved' | 'rejected'
  /** Pending requests. */
  readonly requests: readonly CashRequest[]
  readonly onClose: () => void
}

/** Decides the requests one after the other; `reason` applies only to rejections. */
function useBulk({ verdict, requests }: Omit<BulkDialogProps, 'onClose'>) {
  const acts = useRequestActs()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [phase, setPhase] = useState<'asking' | 'running' | 'done'>('asking')
  const isApproval = verdict === 'approved'
  const decide = async (request: CashRequest, reason: string): Promise<Outcome> => {
    try {
      if (!isApproval) {
        await acts.reject(request, reason)
        return { request, isDone: true, text: texts.bulkRejected }
      }
      const { status } = await acts.approve(request)
      return { request, isDone: true, text: status === 'pending' ? secondPersonTexts.waiting : texts.bulkApproved }
    } catch (error) {
      return { request, isDone: false, text: refusalText(error, isApproval) }
    }
  }
  const run = async (reason: string) => {
    setPhase('running')
    for (const request of requests) {
      const outcome = await decide(request, reason)
      setOutcomes((done) => [...done, outcome])
    }
    setPhase('done')
  }
  return { outcomes, phase, run }
}

function refusalText(error: unknown, isApproval: boolean): string {
  const first = firstDecider(error)
  if (first === undefined) return failureText(error, isApproval ? texts.approveFailed : texts.rejectFailed)
  return first.name === null ? texts.someoneDecided : texts.justDecided(first.name)
}

/** Decides many requests one after the other, and shows the outcome of each. */
export function BulkDialog({ verdict, requests, onClose }: BulkDialogProps) {
  const { outcomes, phase, run } = useBulk({ verdict, requests })
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const isApproval = verdict === 'approved'
  const title = (isApproval ? texts.bulkApprove : texts.bulkRejectTitle)(formatCount(requests.length))
  const confirm = () => {
    if (!isApproval && reason.trim() === '') setError(texts.reasonRequired)
    else void run(reason.trim())
  }
  return (
    <ConfirmDialog
      isOpen
      title={title}
      description={phase === 'asking' ? <Plan requests={requests} isApproval={isApproval} /> : texts.bulkDone}
      confirmLabel={title}
      cancelLabel={commonTexts.back}
      tone={isApproval ? 'primary' : 'danger'}
      isBusy={phase === 'running'}
      hasFooter={phase !== 'done'}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {phase === 'asking' && !isApproval && (
        <ReasonInput
          value={reason}
          maxLength={REASON_MAX}
          error={error}
          onChange={(text) => {
            setReason(text)
            setError(undefined)
          }}
        />
      )}
      {phase !== 'asking' && <Outcomes outcomes={outcomes} total={requests.length} isRunning={phase === 'running'} />}
      {phase === 'done' && (
        <Button isWide onClick={onClose}>
          {texts.close}
        </Button>
      )}
    </ConfirmDialog>
  )
}

type OutcomesProps = { readonly outcomes: readonly Outcome[]; readonly total: number; readonly isRunning: boolean }

/** The progress, and the outcome of each request so far. */
function Outcomes({ outcomes, total, isRunning }: OutcomesProps) {
  const all = formatCount(total)
  const doneCount = outcomes.filter(({ isDone }) => isDone).length
  return (
    <>
      <p role="status" className="text-sm font-medium text-ink">
        {isRunning
          ? texts.bulkProgress(formatCount(outcomes.length), all)
          : texts.bulkSummary(formatCount(doneCount), all)}
      </p>
      <ul className="flex flex-col divide-y divide-line rounded-s border border-line text-sm">
        {outcomes.map(({ request, isDone, text }) => (
          <li key={request.id} className="flex items-center gap-2 px-3 py-2">
            {isDone ? (
              <CircleCheck aria-hidden size={16} className="shrink-0 text-up" />
            ) : (
              <CircleAlert aria-hidden size={16} className="shrink-0 text-down" />
            )}
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{request.owner.username}</span>
              <span className={isDone ? 'block text-xs text-ink-3' : 'block text-xs text-down'}>{text}</span>
            </span>
            <AmountText kind="signed" amountMinor={signedMinor(request)} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The summary before the act: how many of each kind, how much, and whose. */
function Plan({ requests, isApproval }: { readonly requests: readonly CashRequest[]; readonly isApproval: boolean }) {
  const { deposits, depositMinor, withdrawals, withdrawalMinor } = sumUp(requests)
  const sayDeposits = isApproval ? texts.bulkDeposits : texts.bulkRejectDeposits
  const sayWithdrawals = isApproval ? texts.bulkWithdrawals : texts.bulkRejectWithdrawals
  const names = requests.slice(0, namesShown).map(({ owner }) => owner.username)
  const more = requests.length - names.length
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex list-disc flex-col gap-1 pl-4 font-medium text-ink tabular-nums">
        {deposits > 0 && <li>{sayDeposits(formatCount(deposits), formatAmount(depositMinor))}</li>}
        {withdrawals > 0 && <li>{sayWithdrawals(formatCount(withdrawals), formatAmount(withdrawalMinor))}</li>}
      </ul>
      <p>
        {texts.bulkWhom}: {names.join(', ')}
        {more > 0 && ` ${texts.bulkMore(formatCount(more))}`}.
      </p>
      <p className="text-ink-3">
        {texts.bulkApproveText}
        {isApproval && ` ${texts.bulkMayWait}`}
      </p>
    </div>
  )
}
