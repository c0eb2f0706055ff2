import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { type Dispute, showDispute } from './api.ts'
import { type Answer, answerDispute } from './staff-api.ts'

/** Answers a dispute, which stays open where its correction waits for a second person. The state in the server's answer is shown at once; every list is refetched. */
export function useAnswer(): (id: string, answer: Answer) => Promise<Dispute> {
  const refresh = useAdminRefresh('disputes', 'proposals', 'audit')
  const showRow = useShowRow<Dispute>('disputes')
  return async (id, answer) => {
    try {
      const dispute = await answerDispute(id, answer)
      showRow(dispute)
      showDispute(dispute)
      return dispute
    } finally {
      // Also after a conflict or a lost answer: the list then shows the current state.
      refresh()
    }
  }
}
