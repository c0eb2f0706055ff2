import { useState } from 'react'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useMay } from '#web/platform/use-may.ts'
import type { CashRequest } from './api.ts'

export type RequestRights = ReturnType<typeof useRights>

/** Returns what the admin `meId` may do with requests. Nobody may decide a request of their own. */
export function useRights(meId: string) {
  const [openedAtMs] = useState(serverNowMs)
  const may = useMay('money')
  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  return {
    /** Whether the admin has the capability `money`, which decisions, edits and removals need. */
    may,
    isOwn,
    canDecide: (request: CashRequest) => may && request.status === 'pending' && !isOwn(request),
    /** Also true for a rejected request, whose reason can still be edited. */
    canReject: (request: CashRequest) => may && request.status !== 'approved' && !isOwn(request),
    /** Returns the name of the colleague who decided the request while this list was open, or null. */
    overtakenBy: ({ decidedBy, decidedAtMs }: CashRequest) =>
      decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null,
  }
}
