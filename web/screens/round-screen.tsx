import { QueryClientProvider } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { OwnResult } from '#web/features/game/own-result.tsx'
import { EndedRound } from '#web/features/market/ended-round.tsx'
import { Receipt } from '#web/features/receipt/receipt.tsx'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { queryClient } from '#web/platform/query-client.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function RoundScreen() {
  const { id } = useParams({ from: '/vong/$id' })
  return (
    <QueryClientProvider client={queryClient}>
      <Screen title={screenTitles.round} before={<BackLink fallback="/" />}>
        <Receipt
          key={id}
          roundId={id}
          picture={(props) => <EndedRound {...props} />}
          own={(bet) => <OwnResult bet={bet} />}
        />
        <PlayMoneyLine />
      </Screen>
    </QueryClientProvider>
  )
}
