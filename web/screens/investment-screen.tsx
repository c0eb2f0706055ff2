import { MarketList } from '#web/features/market/market-list.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { marketListTexts } from '#web/platform/market-list-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/ui/play-money-line.tsx'

/** The list of markets of spec §2. */
export function InvestmentScreen() {
  return (
    <Screen title={screenTitles.marketList}>
      <p className="text-sm text-ink-2">{marketListTexts.lead}</p>
      <MarketList />
      <PlayMoneyLine />
    </Screen>
  )
}
