import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { BankAccount } from '#contract/banks.ts'
import type { RequestKind } from '#domain/cashier/request.ts'
import { banksQuery } from '#web/features/banks/api.ts'
import { RecentRequests } from '#web/features/cashier/recent-requests.tsx'
import { RequestForm } from '#web/features/cashier/request-form.tsx'
import { useFileRequest } from '#web/features/cashier/use-file-request.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { useFreshBalance } from '#web/features/wallet/balance.ts'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { useCloseStep } from '#web/layout/use-close-step.ts'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { cashRequestTexts } from '#web/features/cashier/cashier-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { HelpLink } from '#web/parts/help-link.tsx'
import { ArrowDownToLine } from '#web/ui/icons/arrow-down-to-line.tsx'
import { ArrowUpFromLine } from '#web/ui/icons/arrow-up-from-line.tsx'
import { Landmark } from '#web/ui/icons/landmark.tsx'
import { Pending } from '#web/ui/pending.tsx'

const loadOffer = () => import('#web/features/push/push-offer.tsx')

export function TransactionScreen() {
  const me = useMe()
  useConnection(me)
  useFreshBalance()
  const banks = useQuery(banksQuery(me.id))
  const { file, isFiling } = useFileRequest(me.id)
  const { form, request: requestId } = useSearch({ from: '/guarded/shell/transaction' })
  const navigate = useNavigate()
  // Opening the form adds a history entry, so that the device's back button closes the form but not the screen.
  const openForm = (kind: RequestKind) =>
    void navigate({ to: '/transaction', search: { form: kind }, resetScroll: false })
  const closeForm = useCloseStep(() => void navigate({ to: '/transaction', replace: true, resetScroll: false }))

  const [hasFiled, setHasFiled] = useState(false)
  const { part: offer } = useLazyPart(loadOffer, hasFiled)

  return (
    <SubScreen title={screenTitles.transaction} back="/account">
      <Card className="flex flex-col gap-4">
        <p className="flex flex-col">
          <span className="text-sm text-ink-2">{cashRequestTexts.balance}</span>
          <AmountText amountMinor={me.balanceMinor} hasUnit className="text-xl font-semibold tracking-tight" />
        </p>
        {me.role === 'admin' ? (
          <Banner tone="info">{cashRequestTexts.staff}</Banner>
        ) : (
          <RequestActions banks={banks} onOpen={openForm} />
        )}
      </Card>
      {offer !== undefined && <offer.PushOffer about="request-decided" />}
      <RequestsCard userId={me.id} requestId={requestId} />
      <p className="text-center text-sm">
        <HelpLink question="nap-rut">{cashRequestTexts.help}</HelpLink>
      </p>
      {banks.data !== undefined && banks.data.length > 0 && (
        <Sheet
          isOpen={form !== undefined}
          isOfAddress
          // While the request is being sent, ✕ and Escape do not close the form, so that its text remains after a failure.
          onClose={() => !isFiling.current && closeForm()}
          title={form === 'withdrawal' ? cashRequestTexts.withdraw : cashRequestTexts.deposit}
        >
          {form !== undefined && (
            <RequestForm
              kind={form}
              balanceMinor={me.balanceMinor}
              banks={banks.data}
              onFile={file}
              onFiled={() => {
                setHasFiled(true)
                closeForm()
              }}
            />
          )}
        </Sheet>
      )}
    </SubScreen>
  )
}

function RequestsCard({ userId, requestId }: { readonly userId: string; readonly requestId: string | undefined }) {
  return (
    <Card isPadded={false} aria-labelledby="recent-requests">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 px-4 pt-1">
        <h2 id="recent-requests" className="text-base font-semibold">
          {requestId === undefined ? cashRequestTexts.recent : cashRequestTexts.one}
        </h2>
        {requestId !== undefined && (
          <Link
            to="/transaction"
            className="grid min-h-target items-center text-sm font-medium text-gold underline-offset-4 hover:underline"
          >
            {cashRequestTexts.showAll}
          </Link>
        )}
      </div>
      {/* A new key resets filter and page, which could otherwise hide the request that the address names. */}
      <RecentRequests key={requestId} userId={userId} requestId={requestId ?? null} />
    </Card>
  )
}

type RequestActionsProps = {
  readonly banks: UseQueryResult<readonly BankAccount[]>
  readonly onOpen: (kind: RequestKind) => void
}

function RequestActions({ banks, onOpen }: RequestActionsProps) {
  if (banks.data === undefined) {
    return <Pending query={banks} shapes={['h-target']} />
  }
  if (banks.data.length === 0) {
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">{cashRequestTexts.linkFirst}</p>
        <Link to="/bank" className={buttonClass({ isWide: true })}>
          <Landmark aria-hidden size={18} strokeWidth={1.8} />
          {cashRequestTexts.linkAction}
        </Link>
      </div>
    )
  }
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button onClick={() => onOpen('deposit')}>
        <ArrowDownToLine aria-hidden size={18} strokeWidth={1.8} />
        {cashRequestTexts.deposit}
      </Button>
      <Button variant="outline" onClick={() => onOpen('withdrawal')}>
        <ArrowUpFromLine aria-hidden size={18} strokeWidth={1.8} />
        {cashRequestTexts.withdraw}
      </Button>
    </div>
  )
}
