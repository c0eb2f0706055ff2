import { useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { LoadingBets } from './loading-bets.tsx'

const loadList = () => import('./bet-history-list.tsx')

export function BetHistory() {
  const { part, hasFailed, retry } = useLazyPart(loadList)
  if (part !== undefined) return <part.BetHistoryList />
  return hasFailed ? <ErrorState message={commonTexts.screenFailed} onRetry={retry} /> : <LoadingBets />
}
