import { QueryClientProvider } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { OwnResult } from '#web/features/game/own-result.tsx'
import { EndedRound } from '#web/features/market/ended-round.tsx'
import { Receipt } from '#web/features/receipt/receipt.tsx'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { queryClient } from '#web/platform/query-client.ts'
import { screenTitles } from '#web/platform/texts.ts'

export function RoundScreen() {
  const { id } = useParams({ from: '/vong/$id' })
  return (
    <QueryClientProvider client={queryClient}>
      <SubScreen title={screenTitles.round} back="/">
        <Receipt
          key={id}
          roundId={id}
          picture={(props) => <EndedRound {...props} />}
          own={(bet) => <OwnResult bet={bet} />}
        />
      </SubScreen>
    </QueryClientProvider>
  )
}
