import { useQuery } from '@tanstack/react-query'
import type { EndpointQuery } from '#web/platform/endpoint-query.ts'
import { AgeText } from '#web/ui/ticking-text.tsx'
import type { Waiting } from './list-pages.ts'
import { countText } from './pager.tsx'

export type WaitingLineProps = {
  readonly query: EndpointQuery<Waiting>
  readonly texts: {
    readonly waiting: (count: string) => string
    readonly nothingWaits: string
    readonly oldest?: string
  }
}

export function WaitingLine({ query, texts: { waiting, nothingWaits, oldest } }: WaitingLineProps) {
  const { data } = useQuery(query)
  if (data === undefined) return <span>&nbsp;</span>
  if (data.count === 0) return <span>{nothingWaits}</span>
  const text = waiting(countText(data.count, data.isCapped))
  if (oldest === undefined || data.oldestAtMs === null) return <span>{text}</span>
  return (
    <span>
      <span>{`${text} · ${oldest} `}</span>
      <AgeText atMs={data.oldestAtMs} />
    </span>
  )
}
