import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { PanelPart, panelLinkClass } from '#web/parts/panel-part.tsx'
import { dayMinuteText } from '#web/platform/day-minute.ts'
import { formatWholeAmount } from '#web/platform/formats.ts'
import { Pending } from '#web/ui/pending.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { type CashRequest, requestsPage } from './api.ts'
import type { ProposalDialog, RequestAct } from './request-act.ts'
import { RequestButtons } from './request-acts.tsx'
import { RequestStatusMarks } from './request-status.tsx'
import { kindWords } from './request-words.ts'
import { useRights } from './use-rights.ts'
import { Walk, type WalkProps } from './walk.tsx'

const Dialogs = lazyComponent(() => import('./request-dialogs.tsx'), 'RequestDialogs')

/** All pending requests of a user (at most 20, rules §3.6), the longest wait first. */
const pendingOf = (userId: string) => requestsPage({ userId, status: 'pending', page: 1, limit: 20, sort: 'createdAt' })
const newestOf = (userId: string) => requestsPage({ userId, page: 1, limit: 5, sort: '-createdAt' })

export type RequestsBesideProps = {
  readonly userId: string
  readonly meId: string
  /** Called after a decision, because it may have changed the customer's balances. */
  readonly onDecided: () => void
  readonly proposalDialog: ProposalDialog
}

/** A customer's pending and newest requests, with the dialogs of the list of requests (docs/rules.md §7.18). */
export function RequestsBeside({ userId, meId, onDecided, proposalDialog }: RequestsBesideProps) {
  const pending = useQuery(pendingOf(userId))
  const newest = useQuery(newestOf(userId))
  const rights = useRights(meId)
  const [act, setAct] = useState<RequestAct>()
  const waiting = pending.data?.rows ?? []
  const ids = new Set(waiting.map(({ id }) => id))
  const rows = [...waiting, ...(newest.data?.rows ?? []).filter(({ id }) => !ids.has(id))]
  const close = () => setAct(undefined)
  const done = () => {
    close()
    onDecided()
  }
  const at = act === undefined || act.kind === 'bulk' ? -1 : rows.findIndex(({ id }) => id === act.seen.id)
  const stepTo = (row: CashRequest | undefined) =>
    at === -1 || row === undefined ? undefined : () => setAct({ kind: 'details', seen: row })
  const walk: WalkProps = {
    place: at + 1,
    total: rows.length,
    isMoving: at === -1,
    onPrevious: stepTo(rows[at - 1]),
    onNext: stepTo(rows[at + 1]),
  }
  return (
    <PanelPart title={texts.title}>
      {pending.data === undefined || newest.data === undefined ? (
        <Pending query={pending.data === undefined ? pending : newest} shapes={['h-10']} />
      ) : rows.length === 0 ? (
        <p className="text-ink-2">{texts.noneOfCustomer}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {rows.map((request) => (
            <li key={request.id} data-row-id={request.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="min-w-0 flex-1">
                <button
                  type="button"
                  onClick={() => setAct({ kind: 'details', seen: request })}
                  className={`${panelLinkClass} block text-left tabular-nums`}
                >
                  {kindWords[request.kind]} {formatWholeAmount(request.amountMinor)}
                </button>
                <span className="block text-xs text-ink-3 tabular-nums">{dayMinuteText(request.createdAtMs)}</span>
              </span>
              <RequestStatusMarks request={request} />
              <span className="flex basis-full flex-wrap items-center justify-end gap-1 empty:hidden">
                {request.status === 'pending' && <RequestButtons request={request} rights={rights} onAct={setAct} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {act !== undefined &&
          (act.kind === 'proposal' ? (
            proposalDialog(act.proposalId, close, done, <Walk {...walk} />)
          ) : (
            <Dialogs
              act={act}
              rows={rows}
              isOwn={rights.isOwn}
              walk={walk}
              onAct={setAct}
              onDecided={done}
              onClose={close}
            />
          ))}
      </Suspense>
    </PanelPart>
  )
}
