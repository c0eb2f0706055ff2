import { groupBy } from '#domain/group-by.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount, formatCount } from '#web/platform/formats.ts'
import { BulkFrame } from '#web/lists/bulk-results.tsx'
import { useBulkRun } from '#web/lists/use-bulk-run.ts'
import { failureText } from '#web/platform/http.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { firstDecider } from '#web/parts/overtaken.tsx'
import { usePrompt } from '#web/ui/use-prompt.ts'
import { secondPersonTexts } from '#web/parts/second-person-texts.ts'
import type { CashRequest } from './api.ts'
import { ReasonInput, reasonProblem } from './reason-input.tsx'
import { sayFirst, signedMinor } from './request-words.ts'
import { useRequestActs } from './use-acts.ts'

const namesShown = 8

export type BulkDialogProps = {
  readonly verdict: 'approved' | 'rejected'
  readonly requests: readonly CashRequest[]
  readonly onClose: () => void
}

/** Asks for confirmation, then decides the requests one after the other and shows each outcome. */
export function BulkDialog({ verdict, requests, onClose }: BulkDialogProps) {
  const isApproval = verdict === 'approved'
  const acts = useRequestActs()
  const reason = usePrompt(reasonProblem)
  const run = useBulkRun<CashRequest>({
    rowId,
    atOnce: 1,
    isOver: (error) => firstDecider(error) !== undefined,
    act: async (request) => {
      if (isApproval) {
        const { status } = await acts.approve(request)
        return status === 'pending' ? secondPersonTexts.waiting : texts.approved
      }
      await acts.reject(request, reason.text.trim())
      return texts.bulkRejected
    },
    failText: (error) => {
      const first = firstDecider(error)
      return first === undefined
        ? failureText(error, isApproval ? texts.approveFailed : texts.rejectFailed)
        : sayFirst(first)
    },
  })
  const title = (isApproval ? texts.bulkApprove : texts.bulkRejectTitle)(formatCount(requests.length))
  return (
    <BulkFrame
      run={run}
      rowId={rowId}
      rowName={({ owner }) => owner.username}
      beside={(request) => <AmountText kind="signed" amountMinor={signedMinor(request)} />}
      title={title}
      description={run.phase === 'asking' ? <Plan requests={requests} isApproval={isApproval} /> : texts.bulkDone}
      confirmLabel={title}
      tone={isApproval ? 'primary' : 'danger'}
      onConfirm={() => (isApproval || reason.check()) && run.start(requests)}
      onClose={onClose}
    >
      {!isApproval && <ReasonInput {...reason.field} />}
    </BulkFrame>
  )
}

const rowId = ({ id }: CashRequest) => id

function Plan({ requests, isApproval }: { readonly requests: readonly CashRequest[]; readonly isApproval: boolean }) {
  const summed = (kind: CashRequest['kind'], say: (count: string, amount: string) => string) => {
    const own = requests.filter((request) => request.kind === kind)
    const sumMinor = own.reduce((total, { amountMinor }) => total + amountMinor, 0n)
    return own.length > 0 && <li>{say(formatCount(own.length), formatAmount(sumMinor))}</li>
  }
  const proposals = isApproval ? requests.filter(({ secondPerson }) => secondPerson != null).length : 0
  const byOwner = [...groupBy(requests, ({ owner }) => owner.username)]
  const shown = byOwner.slice(0, namesShown)
  const names = shown.map(([name, own]) => (own.length === 1 ? name : texts.bulkSeveral(name, formatCount(own.length))))
  const more = requests.length - shown.reduce((sum, [, own]) => sum + own.length, 0)
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex list-disc flex-col gap-1 pl-4 font-medium text-ink tabular-nums">
        {summed('deposit', isApproval ? texts.bulkDeposits : texts.bulkRejectDeposits)}
        {summed('withdrawal', isApproval ? texts.bulkWithdrawals : texts.bulkRejectWithdrawals)}
        {proposals > 0 && <li>{texts.bulkProposals(formatCount(proposals))}</li>}
      </ul>
      <p>
        {texts.bulkWhom}: {names.join(', ')}
        <span>{more > 0 ? ` ${texts.bulkMore(formatCount(more))}.` : '.'}</span>
      </p>
      <p className="text-ink-3">
        {texts.bulkApproveText}
        {isApproval && <span>{` ${texts.bulkMayWait}`}</span>}
      </p>
    </div>
  )
}
