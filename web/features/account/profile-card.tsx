import type { Me } from '#contract/identity.ts'
import { accountTexts } from './account-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Card } from '#web/ui/card.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { CreditScore } from './credit-score.tsx'

export function ProfileCard({ me }: { readonly me: Me }) {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-3">
        <Monogram name={me.username} tone="gold" size="lg" />
        <dl className="min-w-0 flex-1">
          <dt className="sr-only">{accountTexts.username}</dt>
          <dd className="text-lg font-semibold [overflow-wrap:anywhere]">{me.username}</dd>
          <dt className="sr-only">{accountTexts.role}</dt>
          <dd className="text-sm text-ink-2">
            {me.role === 'admin' ? accountTexts.roleAdmin : accountTexts.rolePlayer}
          </dd>
        </dl>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 border-t border-line pt-3">
        <span className="text-sm text-ink-2">{accountTexts.balance}</span>
        <AmountText amountMinor={me.balanceMinor} hasUnit className="text-xl font-semibold tracking-tight" />
      </div>
      <CreditScore creditScore={me.creditScore} />
    </Card>
  )
}
