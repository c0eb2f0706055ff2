import { useState } from 'react'
import { serverNowMs } from '#web/platform/server-time.ts'
import { useMay } from '#web/platform/use-may.ts'
import type { CashRequest } from './api.ts'
import type { RequestRights } from './request-acts.tsx'

/** The acts that `meId` may take on a request; an admin never decides an own request. */
export function useRights(meId: string): RequestRights {
  const [openedAtMs] = useState(serverNowMs)
  const may = useMay('money')
  const isOwn = ({ owner }: CashRequest) => owner.id === meId
  return {
    may,
    isOwn,
    canDecide: (request) => may && request.status === 'pending' && !isOwn(request),
    canReject: (request) => may && request.status !== 'approved' && !isOwn(request),
    overtakenBy: ({ decidedBy, decidedAtMs }) =>
      decidedBy !== null && decidedBy.id !== meId && (decidedAtMs ?? 0) > openedAtMs ? decidedBy.username : null,
  }
}
