import { useQuery } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatWait } from '#web/platform/formats.ts'
import { chatTexts } from './chat-texts.ts'

const replyTimeQuery = {
  ...endpointQuery(['chat'], chatEndpoints.readReplyTime, {}),
  staleTime: 10 * 60_000,
}

/** How long customer care usually takes; an empty line while that is unknown, so that nothing moves. */
export function UsualWait() {
  const { data } = useQuery(replyTimeQuery)
  return (
    <p className="min-h-[1.5em] text-xs text-ink-3">
      {data?.usualMs != null && chatTexts.usualWait(formatWait(data.usualMs))}
    </p>
  )
}
