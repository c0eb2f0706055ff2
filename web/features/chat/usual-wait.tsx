import { useQuery } from '@tanstack/react-query'
import { type Away, replyTimeEndpoints } from '#contract/reply-time.ts'
import { topicOf } from '#domain/chat/case.ts'
import { dayOf } from '#domain/day.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { formatDate, formatMinute, formatWait } from '#web/platform/formats.ts'
import { Banner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { awayTexts } from './away-texts.ts'
import { chatTexts } from './chat-texts.ts'

/** The reply time is fetched again at this interval, since the answer also says whether customer care is open. */
const askAgainMs = 60_000

const replyTimeQuery = {
  ...endpointQuery(['chat'], replyTimeEndpoints.readReplyTime, {}),
  staleTime: askAgainMs,
  refetchInterval: askAgainMs,
}

export const useReplyTime = () => useQuery(replyTimeQuery).data

/** Returns the usual wait in ms for the text's topic, else for all topics. Null if both are unknown. */
export function usualWaitFor(times: ReturnType<typeof useReplyTime>, text: string): number | null {
  const topic = topicOf({ kind: 'text', content: text })
  return times?.byTopic?.find((one) => one.topic === topic)?.usualMs ?? times?.usualMs ?? null
}

/** Shows how long a reply usually takes. While this is unknown, the line is empty but keeps its height. */
export function UsualWait({ usualMs }: { readonly usualMs: number | null }) {
  return (
    <p className="min-h-[1.5em] text-xs text-ink-3">{usualMs !== null && chatTexts.usualWait(formatWait(usualMs))}</p>
  )
}

type AwayBannerProps = {
  /** Undefined while customer care is open, or before this is known. */
  readonly away: Away | undefined
  readonly className?: string
  readonly isShort?: boolean
}

export function AwayBanner({ away, className, isShort = false }: AwayBannerProps) {
  if (away === undefined) return null
  const { text, opensAtMs } = away
  return (
    <Banner tone="info" isLive {...(className !== undefined && { className })}>
      <p className={classNames('[overflow-wrap:anywhere]', isShort && 'line-clamp-3')}>{text}</p>
      {opensAtMs !== null && (
        <p className="font-semibold tabular-nums">
          {awayTexts.opensAt(
            formatMinute(opensAtMs),
            awayTexts.onWeekday[new Date(dayOf(opensAtMs)).getUTCDay()] ?? '',
            formatDate(opensAtMs).slice(0, 5),
          )}
        </p>
      )}
    </Banner>
  )
}
