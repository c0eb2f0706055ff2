import { betTitle } from '#web/features/game/bet-title.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { Ledger } from '#web/features/wallet/ledger.tsx'
import { useFreshBalance } from '#web/features/wallet/balance.ts'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function LedgerScreen() {
  const me = useMe()
  useConnection(me)
  useFreshBalance()
  return (
    <Screen title={screenTitles.ledger} before={<BackLink fallback="/account" />}>
      <Card>
        <p className="flex flex-col">
          <span className="text-sm text-ink-2">{ledgerTexts.balance}</span>
          <AmountText amountMinor={me.balanceMinor} hasUnit className="text-xl font-semibold tracking-tight" />
        </p>
      </Card>
      <Ledger betTitle={betTitle} />
      <PlayMoneyLine />
    </Screen>
  )
}
