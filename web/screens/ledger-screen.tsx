import { betTitle } from '#web/features/game/bet-title.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Ledger } from '#web/features/wallet/ledger.tsx'
import { useFreshBalance } from '#web/features/wallet/balance.ts'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Card } from '#web/ui/card.tsx'

export function LedgerScreen() {
  const me = useMe()
  useConnection(me)
  useFreshBalance()
  return (
    <SubScreen title={screenTitles.ledger} back="/account">
      <Card>
        <p className="flex flex-col">
          <span className="text-sm text-ink-2">{ledgerTexts.balance}</span>
          <AmountText amountMinor={me.balanceMinor} hasUnit className="text-xl font-semibold tracking-tight" />
        </p>
      </Card>
      <Ledger betTitle={betTitle} />
    </SubScreen>
  )
}
