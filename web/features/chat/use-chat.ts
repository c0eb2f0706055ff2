import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ChatMessage, ChatPerson } from '#domain/chat/conversation.ts'
import { isSeen, type PendingMessage, type Thread, totalUnread } from '#domain/chat/timeline.ts'
import { chatSnapshot, type ChatSelf, type ChatSnapshot, holdChat, onChatChanged } from './chat-session.ts'
import type { Delivery, ShownMessage } from './rows.ts'

/** The chat as it is now; the component keeps it going while it is shown. */
export function useChat(self: ChatSelf): ChatSnapshot {
  useHeldChat(self)
  return useSyncExternalStore(onChatChanged, chatSnapshot)
}

/** How many messages are unread. Whoever shows no more than that is not drawn again for anything else. */
export function useUnreadCount(self: ChatSelf): number {
  useHeldChat(self)
  return useSyncExternalStore(onChatChanged, () => totalUnread(chatSnapshot().chat))
}

function useHeldChat({ id, username, role }: ChatSelf): void {
  useEffect(() => holdChat({ id, username, role }), [id, username, role])
}

/** A message that did not change is the same object again, so that its row is not drawn again. */
const shownBefore = new WeakMap<ChatMessage, ShownMessage>()

/** Messages of a thread as they are drawn, oldest first: the stored ones, then those on their way. */
export function useShownMessages(thread: Thread, self: ChatPerson): readonly ShownMessage[] {
  return useMemo(
    () => [
      ...thread.messages.map((message) => {
        const shown = stored(message, thread, self.id)
        const before = shownBefore.get(message)
        if (before?.delivery === shown.delivery && before.isOwn === shown.isOwn) return before
        shownBefore.set(message, shown)
        return shown
      }),
      ...thread.pending.map((message) => pending(message, self)),
    ],
    [thread, self],
  )
}

function stored(message: ChatMessage, thread: Thread, selfId: string): ShownMessage {
  const { id, seq, sender, clientMessageId, kind, content, image, sentAtMs } = message
  const isOwn = sender.id === selfId
  const delivery: Delivery = isOwn ? (isSeen(thread, message) ? 'seen' : 'sent') : 'received'
  const key = `${sender.id}/${clientMessageId}`
  return { key, id, seq, clientMessageId, sender, isOwn, kind, content, image, sentAtMs, delivery, failure: null }
}

function pending(message: PendingMessage, sender: ChatPerson): ShownMessage {
  const { clientMessageId, kind, content, writtenAtMs, state, reason } = message
  return {
    key: `${sender.id}/${clientMessageId}`,
    id: null,
    seq: null,
    clientMessageId,
    sender,
    isOwn: true,
    kind,
    content,
    image: null,
    sentAtMs: writtenAtMs,
    delivery: state,
    failure: reason,
  }
}
