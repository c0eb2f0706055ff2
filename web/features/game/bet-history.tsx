import { useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { LoadingBets } from './loading-bets.tsx'

const loadList = () => import('./bet-history-list.tsx')

/** The History tab (spec §2); its code is fetched when the tab is opened. */
export function BetHistory() {
  const { part, hasFailed, retry } = useLazyPart(loadList)
  if (part !== undefined) return <part.BetHistoryList />
  return hasFailed ? <ErrorState message={commonTexts.screenFailed} onRetry={retry} /> : <LoadingBets />
}
