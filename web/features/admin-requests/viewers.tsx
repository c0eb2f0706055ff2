import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { newIdempotencyKey } from '#web/platform/http.ts'
import { Badge } from '#web/ui/badge.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { reportLeft, reportViewing, viewsQuery } from './review-api.ts'

/** The interval of reports. The server forgets a request two minutes after the last one, so three may get lost. */
const renewMs = 25_000

/** After a dialog has closed, the page waits this long for the next dialog before it reports the request as closed. */
const leaveAfterMs = 300

/** Identifies this page to the server until a reload. A page has at most one request open at a time. */
const pageId = newIdempotencyKey()
let shown: string | null = null
let isReported = false

/** The promise of the last call. The next call waits for it, so that calls arrive in order. */
let inTurn: Promise<unknown> = Promise.resolve()
const send = (call: () => Promise<unknown>) => {
  inTurn = inTurn.then(call).catch(() => {})
}

function report(): void {
  const requestId = shown
  if (requestId === null) return
  isReported = true
  send(() => reportViewing(pageId, requestId))
}

function leave(): void {
  if (!isReported) return
  isReported = false
  send(() => reportLeft(pageId))
}

/** While the component is mounted, shows the other admins that this admin has the request open (rules §3.11). */
export function useViewing(requestId: string): void {
  useEffect(() => {
    shown = requestId
    report()
    const timer = setInterval(report, renewMs)
    // This call does not wait for `inTurn`, since a closing page can't wait for earlier calls. If the browser restores
    // the page, the timer reports the request again.
    const go = () => void reportLeft(pageId).catch(() => {})
    addEventListener('pagehide', go)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', go)
      shown = null
      setTimeout(() => {
        if (shown === null) leave()
      }, leaveAfterMs)
    }
  }, [requestId])
}

export type ViewersProps = {
  readonly requestId: string
  /** Shown while no other admin has the request open. */
  readonly otherwise?: ReactNode
}

/** Names the other admins who have a request open, as in "lan đang xem". They do not block decisions. */
export function Viewers({ requestId, otherwise = null }: ViewersProps) {
  const { data = [] } = useQuery(viewsQuery)
  const names = data.filter((view) => view.requestId === requestId).map(({ admin }) => admin.username)
  const [first, ...others] = names
  if (first === undefined) return otherwise
  const text = others.length === 0 ? texts.viewing(first) : texts.viewingMore(first, String(others.length))
  return (
    <span title={texts.viewing(names.join(', '))} className="inline-flex max-w-44 min-w-0 *:min-w-0">
      <Badge tone="info">
        <span className="truncate">{text}</span>
      </Badge>
    </span>
  )
}
