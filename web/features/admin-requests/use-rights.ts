import { useState } from 'react'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useMay } from '#web/platform/use-may.ts'
import type { CashRequest } from './api.ts'

export type RequestRights = ReturnType<typeof useRights>

/** The acts that `meId` may take on a request; an admin never decides an own request. */
export function useRights(meId: string) {
  const [openedAtMs] = useState(serverNowMs)
  const may = useMay('money')
  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  return {
    /** False without the capability `money`: nothing is decided, edited or removed. */
    may,
    isOwn,
    canDecide: (request: CashRequest) => may && request.status === 'pending' && !isOwn(request),
    /** True also where only the reason of a rejected request can be edited. */
    canReject: (request: CashRequest) => may && request.status !== 'approved' && !isOwn(request),
    /** The name of the colleague who decided the request while this list was open. */
    overtakenBy: ({ decidedBy, decidedAtMs }: CashRequest) =>
      decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null,
  }
}
