import { BulkDialog } from './bulk-dialog.tsx'
import { ApproveDialog, RejectDialog, RemoveDialog } from './decide-dialogs.tsx'
import { DetailsDialog } from './details-dialog.tsx'
import type { CashRequest } from './api.ts'

/** The open dialog's act, with each request as it was when the dialog opened. */
export type RequestAct =
  | { readonly kind: 'approve' | 'reject' | 'remove' | 'details'; readonly seen: CashRequest }
  | { readonly kind: 'bulk'; readonly verdict: 'approved' | 'rejected'; readonly requests: readonly CashRequest[] }

export type RequestDialogsProps = {
  readonly act: RequestAct
  /** The rows on screen, in their current state. */
  readonly rows: readonly CashRequest[]
  readonly isOwn: (request: CashRequest) => boolean
  readonly onAct: (act: RequestAct) => void
  readonly onClose: () => void
}

/** The dialog of the current act; its code is fetched on first use. */
export function RequestDialogs({ act, rows, isOwn, onAct, onClose }: RequestDialogsProps) {
  if (act.kind === 'bulk') return <BulkDialog verdict={act.verdict} requests={act.requests} onClose={onClose} />
  const { seen } = act
  const request = rows.find(({ id }) => id === seen.id) ?? seen
  switch (act.kind) {
    case 'approve':
      return <ApproveDialog seen={seen} request={request} onClose={onClose} />
    case 'reject':
      return <RejectDialog seen={seen} request={request} onClose={onClose} />
    case 'remove':
      return <RemoveDialog seen={seen} request={request} onClose={onClose} />
    case 'details':
      return (
        <DetailsDialog
          request={request}
          isOwn={isOwn(request)}
          onApprove={() => onAct({ kind: 'approve', seen: request })}
          onReject={() => onAct({ kind: 'reject', seen: request })}
          onClose={onClose}
        />
      )
  }
}
