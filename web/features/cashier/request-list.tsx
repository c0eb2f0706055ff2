import { useState } from 'react'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import type { RequestStatus } from '#domain/cashier/request.ts'
import { cashRequestTexts } from './cashier-texts.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { formatAmount, formatDay, formatMinute } from '#web/platform/formats.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { AccountNumber, maskAccountNumber } from '#web/parts/account-number.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { ArrowDownToLine } from '#web/ui/icons/arrow-down-to-line.tsx'
import { ArrowUpFromLine } from '#web/ui/icons/arrow-up-from-line.tsx'
import { requestsKey } from './api.ts'

const statusWords: Readonly<Record<RequestStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  pending: { label: cashRequestTexts.pending, tone: 'warn' },
  approved: { label: cashRequestTexts.approved, tone: 'up' },
  rejected: { label: cashRequestTexts.rejected, tone: 'down' },
}

export function RequestList({ requests }: { readonly requests: readonly CashRequest[] }) {
  const [asked, setAsked] = useState<CashRequest | null>(null)
  return (
    <>
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} onCancel={() => setAsked(request)} />
        ))}
      </ul>
      {asked !== null && (
        <ActDialog
          title={cashRequestTexts.cancelRequest}
          description={cancelWords(asked)}
          confirmLabel={cashRequestTexts.cancelRequest}
          cancelLabel={cashRequestTexts.keepRequest}
          tone="danger"
          run={() => callEndpoint(cashierEndpoints.deleteRequest, { params: { id: asked.id }, query: {} })}
          doneText={cashRequestTexts.cancelled}
          failText={cashRequestTexts.cancelFailed}
          // The refetch also runs after a failure: staff may have decided the request meanwhile.
          onSettled={() => void refresh(requestsKey, sharedKeys.config, sharedKeys.me)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function cancelWords({ kind, amountMinor, bank }: CashRequest): string {
  const amount = formatAmount(amountMinor)
  return kind === 'deposit'
    ? cashRequestTexts.cancelDeposit(amount)
    : cashRequestTexts.cancelWithdrawal(amount, `${bank.bankName} ${maskAccountNumber(bank.accountNumber)}`)
}

function RequestRow({ request, onCancel }: { readonly request: CashRequest; readonly onCancel: () => void }) {
  const todayMs = useTodayMs()
  const { kind, status, bank, createdAtMs } = request
  const isDeposit = kind === 'deposit'
  const Icon = isDeposit ? ArrowDownToLine : ArrowUpFromLine
  const { label, tone } = statusWords[status]
  const words = isDeposit ? request.depositMemo : request.withdrawalNote
  return (
    <li className="flex gap-3 px-4 py-3">
      <span
        className={classNames(
          'grid size-10 shrink-0 place-items-center rounded-pill',
          isDeposit ? 'bg-up-soft text-up' : 'bg-surface-press text-ink-2',
        )}
      >
        <Icon aria-hidden size={18} strokeWidth={1.8} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{isDeposit ? cashRequestTexts.deposit : cashRequestTexts.withdraw}</span>
          <span translate="no" className="text-base font-semibold whitespace-nowrap tabular-nums">
            {isDeposit ? '+' : '−'}
            {formatAmount(request.amountMinor)}
          </span>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-ink-2">
          <span className="[overflow-wrap:anywhere]">
            {bank.bankName} <AccountNumber accountNumber={bank.accountNumber} />
          </span>
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="text-xs text-ink-3 tabular-nums">
          <span>{`${formatDay(createdAtMs, todayMs)} ${formatMinute(createdAtMs)}`}</span>
          {status === 'pending' && !isDeposit && <span>{` · ${cashRequestTexts.held}`}</span>}
        </p>
        {words !== null && words !== '' && <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">{words}</p>}
        {request.rejectionReason !== null && (
          <p className="rounded-s bg-down-soft px-2.5 py-1.5 text-sm text-down [overflow-wrap:anywhere]">
            {cashRequestTexts.reason}: {request.rejectionReason}
          </p>
        )}
        {status === 'pending' && (
          <Button variant="outline" className="mt-1 self-start" onClick={onCancel}>
            {cashRequestTexts.cancelRequest}
          </Button>
        )}
      </div>
    </li>
  )
}
