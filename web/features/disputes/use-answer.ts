import { useAdminRefresh, useShowRow } from '#web/ui/data-table/use-admin-refresh.ts'
import { type Dispute, showDispute } from './api.ts'
import { type Answer, answerDispute } from './staff-api.ts'

/** Answers a dispute. The state in the server's answer is shown at once; every list is refetched. */
export function useAnswer(): (id: string, answer: Answer) => Promise<void> {
  const refresh = useAdminRefresh('disputes', 'audit')
  const showRow = useShowRow<Dispute>('disputes')
  return async (id, answer) => {
    try {
      const dispute = await answerDispute(id, answer)
      showRow(dispute)
      showDispute(dispute)
    } finally {
      // Also after a conflict or a lost answer: the list then shows the current state.
      refresh()
    }
  }
}
