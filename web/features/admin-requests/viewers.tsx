import { Badge } from '#web/ui/badge.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { useViewers } from './viewing.ts'

export type ViewersProps = {
  readonly requestId: string
  /** Shown here while nobody else has the request open. */
  readonly otherwise?: React.ReactNode
}

/** The other admins who have a request open: "lan đang xem". It blocks nothing. */
export function Viewers({ requestId, otherwise = null }: ViewersProps) {
  const names = useViewers(requestId)
  const [first, ...others] = names
  if (first === undefined) return otherwise
  const text = others.length === 0 ? texts.viewing(first) : texts.viewingMore(first, String(others.length))
  return (
    <span title={texts.viewing(names.join(', '))} className="inline-flex max-w-44 min-w-0">
      <Badge tone="info">
        <span className="truncate">{text}</span>
      </Badge>
    </span>
  )
}
