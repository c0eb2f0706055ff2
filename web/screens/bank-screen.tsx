import { useQuery } from '@tanstack/react-query'
import { BANKS_PER_USER } from '#domain/banks/bank.ts'
import { banksQuery } from '#web/features/banks/api.ts'
import { BankForm } from '#web/features/banks/bank-form.tsx'
import { BankList } from '#web/features/banks/bank-list.tsx'
import { useSupportContact } from '#web/features/identity/public-config.ts'
import { useMe } from '#web/features/identity/use-me.ts'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { bankTexts } from '#web/features/banks/bank-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { TitledCard } from '#web/ui/titled-card.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Pending } from '#web/ui/pending.tsx'

export function BankScreen() {
  const me = useMe()
  const supportContact = useSupportContact()
  const banks = useQuery(banksQuery(me.id))
  const isFull = banks.data !== undefined && banks.data.length >= BANKS_PER_USER
  return (
    <SubScreen title={screenTitles.bank} back="/account">
      {me.role === 'admin' && <Banner tone="info">{bankTexts.staff}</Banner>}
      <Card isPadded={false} aria-labelledby="linked-banks">
        <div className="flex items-baseline justify-between gap-3 px-4 pt-4 pb-2">
          <h2 id="linked-banks" className="text-base font-semibold">
            {bankTexts.listTitle}
          </h2>
          {banks.data !== undefined && (
            <span className="text-sm text-ink-3 tabular-nums">
              {bankTexts.count(banks.data.length, BANKS_PER_USER)}
            </span>
          )}
        </div>
        {banks.data !== undefined ? (
          banks.data.length === 0 ? (
            <EmptyState text={bankTexts.empty} />
          ) : (
            <BankList banks={banks.data} supportContact={supportContact} />
          )
        ) : (
          <Pending
            query={banks}
            className="flex items-center gap-3 px-4 py-2"
            shapes={['size-10 rounded-pill!', 'h-10 flex-1']}
          />
        )}
        {isFull && <p className="border-t border-line px-4 py-3 text-sm text-ink-2">{bankTexts.full}</p>}
      </Card>
      {banks.data !== undefined && !isFull && me.role === 'player' && (
        <TitledCard title={bankTexts.formTitle} gap="gap-4">
          <BankForm userId={me.id} />
        </TitledCard>
      )}
    </SubScreen>
  )
}
