import { BulkDialog } from './bulk-dialog.tsx'
import { ApproveDialog, RejectDialog, RemoveDialog } from './decide-dialogs.tsx'
import { approvalOf, type RequestAct } from './request-act.ts'
import { DetailsDialog } from './details-dialog.tsx'
import type { CashRequest } from './api.ts'
import { Walk, type WalkProps } from './walk.tsx'

export type RequestDialogsProps = {
  readonly act: Exclude<RequestAct, { kind: 'proposal' }>
  /** The rows on screen, in their current state. */
  readonly rows: readonly CashRequest[]
  readonly isOwn: (request: CashRequest) => boolean
  /** The place of the act's request among the rows, and the steps to its neighbours. */
  readonly walk: WalkProps
  readonly onAct: (act: RequestAct) => void
  /** Called instead of `onClose` after an approval or a rejection of one request. */
  readonly onDecided: (request: CashRequest) => void
  readonly onClose: () => void
}

/** The dialog of the current act, in a file that loads when the first dialog opens. */
export function RequestDialogs({ act, rows, isOwn, walk, onAct, onDecided, onClose }: RequestDialogsProps) {
  if (act.kind === 'bulk') return <BulkDialog verdict={act.verdict} requests={act.requests} onClose={onClose} />
  const { seen } = act
  const request = rows.find(({ id }) => id === seen.id) ?? seen
  const walked = { seen, request, walk: <Walk {...walk} />, onDecided: () => onDecided(seen), onClose }
  switch (act.kind) {
    case 'approve':
      return <ApproveDialog key={seen.id} {...walked} />
    case 'reject':
      return <RejectDialog key={seen.id} {...walked} />
    case 'remove':
      return <RemoveDialog key={seen.id} seen={seen} request={request} onClose={onClose} />
    case 'details':
      return (
        <DetailsDialog
          request={request}
          isOwn={isOwn(request)}
          walk={walked.walk}
          onApprove={() => onAct(approvalOf(request))}
          onReject={() => onAct({ kind: 'reject', seen: request })}
          onClose={onClose}
        />
      )
  }
}
