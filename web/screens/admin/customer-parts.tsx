import { LimitsBeside, NotesBeside } from '#web/features/admin-customer/beside.tsx'
import { RequestsBeside } from '#web/features/admin-requests/requests-beside.tsx'
import { proposalDialogOf } from './proposal-dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PanelPart, panelLinkClass } from '#web/parts/panel-part.tsx'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { Pending } from '#web/ui/pending.tsx'
import { adminDisputeTexts as texts } from '#web/features/disputes/admin-dispute-texts.ts'
import { disputesPage } from '#web/features/disputes/staff-api.ts'

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

/** A customer's open disputes, each with a link to the customer's disputes in staff's list. */
function DisputesBeside({ userId, username }: { readonly userId: string; readonly username: string }) {
  const query = useQuery(disputesPage({ userId, status: 'open', page: 1, limit: 50, sort: 'openedAt' }))
  const own = query.data?.rows
  return (
    <PanelPart title={texts.openOnes}>
      {own === undefined ? (
        <Pending query={query} shapes={['h-5']} />
      ) : own.length === 0 ? (
        <p className="text-ink-2">{texts.noneOpen}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {own.map(({ id, text, openedAtMs }) => (
            <li key={id}>
              <Link to="/admin/disputes" search={{ q: username }} className={panelLinkClass}>
                <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
                  {text}
                </span>
              </Link>
              <span className="block text-xs text-ink-3 tabular-nums">{dayMinuteText(openedAtMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  )
}
