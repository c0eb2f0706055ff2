import type { ChatPerson, ImageFacts, MessageKind, Quote } from '#domain/chat/conversation.ts'
import type { FileFacts } from '#domain/chat/file.ts'
import { formatDate, formatDay, formatMinute } from '#web/platform/formats.ts'

/** The state shown beneath an own message (spec §4.7). Messages of other people are 'received'. */
export type Delivery = 'received' | 'sending' | 'sent' | 'seen' | 'failed'

export type ShownMessage = {
  /** Does not change when the server stores the message, so that the message's row is not remounted then. */
  readonly key: string
  /** `id` and `seq` are null until the server has stored the message. */
  readonly id: string | null
  readonly seq: number | null
  readonly clientMessageId: string
  readonly sender: ChatPerson
  readonly isOwn: boolean
  readonly kind: MessageKind
  /** The shown text, or the address of an image. Empty for an image that is not stored yet. */
  readonly content: string
  readonly isRetracted: boolean
  readonly isEdited: boolean
  readonly quoted: Quote | null
  readonly image: ImageFacts | null
  readonly file: FileFacts | null
  readonly disputeId: string | null
  readonly sentAtMs: number
  readonly delivery: Delivery
  readonly failure: string | null
}

export type Row = {
  readonly key: string
  readonly message: ShownMessage
  readonly divider: string | null
  readonly startsUnread: boolean
  /** `isFirst` and `isLast` mark the ends of a run of messages by one person. */
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** If the gap between two messages is longer than this, a divider stands between them (spec §9.4). */
const dividerGapMs = 3_600_000
/** The longest gap between two messages of one run. */
const runGapMs = 5 * 60_000

/**
 * Returns the rows of a conversation, one per message. A divider stands above the first row, between two days, and
 * after more than an hour without messages. A line stands above the first message of others that was unread at opening.
 * @param messages oldest first
 * @param unreadAfterSeq the read marker at opening, or null if nothing was unread
 */
export function rowsOf(messages: readonly ShownMessage[], nowMs: number, unreadAfterSeq: number | null): Row[] {
  let isUnreadShown = unreadAfterSeq === null
  return messages.map((message, at) => {
    const [earlier, later] = [messages[at - 1], messages[at + 1]]
    const divider = dividerBefore(message, earlier, nowMs)
    const isUnread = !message.isOwn && message.seq !== null && message.seq > (unreadAfterSeq ?? 0)
    const startsUnread = !isUnreadShown && isUnread
    isUnreadShown ||= startsUnread
    return {
      key: message.key,
      message,
      divider,
      startsUnread,
      isFirst: divider !== null || startsUnread || !isOneRun(earlier, message),
      isLast: later === undefined || !isOneRun(message, later) || dividerBefore(later, message, nowMs) !== null,
    }
  })
}

function isOneRun(earlier: ShownMessage | undefined, later: ShownMessage): boolean {
  return earlier !== undefined && earlier.sender.id === later.sender.id && later.sentAtMs - earlier.sentAtMs <= runGapMs
}

function dividerBefore(message: ShownMessage, earlier: ShownMessage | undefined, nowMs: number): string | null {
  const isNewDay = earlier === undefined || formatDate(earlier.sentAtMs) !== formatDate(message.sentAtMs)
  if (!isNewDay && message.sentAtMs - earlier.sentAtMs <= dividerGapMs) return null
  return `${formatDay(message.sentAtMs, nowMs)} ${formatMinute(message.sentAtMs)}`
}
