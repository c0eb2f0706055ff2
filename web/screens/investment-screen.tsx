import { noop } from '@tanstack/react-query'
import { marketQuery } from '#web/features/market/api.ts'
import { MarketList } from '#web/features/market/market-list.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { marketListTexts } from '#web/features/market/market-list-texts.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { playMoneyTexts, screenTitles } from '#web/platform/texts.ts'

export function prefetch(): void {
  queryClient.query(marketQuery).catch(noop)
}

export function InvestmentScreen() {
  return (
    <Screen title={screenTitles.marketList} endsAtTabBar>
      <div className="flex flex-col gap-1">
        <p className="text-sm text-ink-2">{marketListTexts.lead}</p>
        <p className="text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
      </div>
      <MarketList />
    </Screen>
  )
}
