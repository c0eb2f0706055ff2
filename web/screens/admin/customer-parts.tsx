import { LimitsBeside, NotesBeside } from '#web/features/admin-customer/beside.tsx'
import { RequestsBeside } from '#web/features/admin-requests/requests-beside.tsx'
import { DisputesBeside } from '#web/features/disputes/disputes-beside.tsx'
import { proposalDialogOf } from './proposal-dialog.tsx'

type CustomerPartsProps = {
  readonly id: string
  readonly username: string
  readonly meId: string
  readonly onActed: () => void
}

export function CustomerParts({ id, username, meId, onActed }: CustomerPartsProps) {
  return (
    <>
      <RequestsBeside userId={id} meId={meId} onDecided={onActed} proposalDialog={proposalDialogOf(meId)} />
      <DisputesBeside userId={id} username={username} />
      <LimitsBeside userId={id} />
      <NotesBeside userId={id} />
    </>
  )
}
