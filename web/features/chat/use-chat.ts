import { createContext, type ReactNode, use, useMemo, useState, useSyncExternalStore } from 'react'
import { quoteOf } from '#domain/chat/change.ts'
import type { ChatMessage, ChatPerson, Quote } from '#domain/chat/conversation.ts'
import { isSeen, type PendingMessage, type Thread } from '#domain/chat/thread.ts'
import { totalUnread } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import * as socket from '#web/platform/socket.ts'
import { readChatSound } from '#web/platform/storage.ts'
import * as entries from '#web/platform/user-entries.ts'
import { chatApi } from './api.ts'
import type { ChatClock, ChatSelf } from './chat-deps.ts'
import { type ChatSession, createChatSession } from './chat-session.ts'
import { changedTexts } from './changed-texts.ts'
import { chatTexts } from './chat-texts.ts'
import type { ChatSnapshot } from './chat-store.ts'
import type { Delivery, ShownMessage } from './rows.ts'
import { playChime } from './sound.ts'
import { showInTitle } from './title-counter.ts'

/** The session ends this long after its last component unmounts, so that a change of screen does not end it. */
const lingerMs = 1_000

const clock: ChatClock = {
  nowMs: serverNowMs,
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

function chimeWhenHidden(): void {
  if (document.visibilityState === 'hidden' && readChatSound()) playChime()
}

type PageSession = { readonly session: ChatSession; readonly subscribe: (listener: () => void) => () => void }

let page: PageSession | undefined

/** Returns the page's session. It starts with its first subscriber and ends `lingerMs` after the last one has left. */
function pageSession(self: ChatSelf): PageSession {
  if (page?.session.self.id === self.id && !page.session.isEnded()) return page
  page?.session.end()
  const session = createChatSession({ self, socket, api: chatApi, entries, clock, onReceived: chimeWhenHidden })
  session.subscribe(() => showInTitle(totalUnread(session.snapshot().chat)))
  let holders = 0
  const letGo = (): void => {
    if (holders > 0) return
    session.end()
    showInTitle(0)
  }
  const subscribe = (listener: () => void) => {
    const stop = session.subscribe(listener)
    holders += 1
    session.start()
    return () => {
      stop()
      holders -= 1
      setTimeout(letGo, lingerMs)
    }
  }
  page = { session, subscribe }
  return page
}

export function useChat(self: ChatSelf): { readonly session: ChatSession; readonly snapshot: ChatSnapshot } {
  const { session, subscribe } = pageSession(self)
  return { session, snapshot: useSyncExternalStore(subscribe, session.snapshot) }
}

/** Subscribes to one value of the chat, so that the component renders only when this value changes. */
function useOfChat<Value>(self: ChatSelf, read: (chat: ChatState) => Value): Value {
  const { session, subscribe } = pageSession(self)
  return useSyncExternalStore(subscribe, () => read(session.snapshot().chat))
}

export const useUnreadCount = (self: ChatSelf): number => useOfChat(self, totalUnread)

/** Returns whether the user has had an unsent message at any time since the component was mounted. */
export function useHasWritten(self: ChatSelf): boolean {
  const isSending = useOfChat(self, ({ threads }) => Object.values(threads).some(({ pending }) => pending.length > 0))
  const [hasWritten, setHasWritten] = useState(false)
  if (isSending && !hasWritten) setHasWritten(true)
  return hasWritten
}

export const ChatSessionContext = createContext<ChatSession | null>(null)

export function useChatSession(): ChatSession {
  const session = use(ChatSessionContext)
  if (session === null) throw new Error('This is drawn outside a chat')
  return session
}

/** Draws the facts of a dispute below its message. The screen around the chat supplies this function. */
export type DrawCase = (of: { readonly disputeId: string; readonly senderId: string }) => ReactNode
export const DrawCaseContext = createContext<DrawCase>(() => null)

/** Returns the text that stands for a message in a list. A text message without content was retracted. */
export const textOfLast = ({ kind, content }: Pick<ChatMessage, 'kind' | 'content'>): string =>
  kind === 'image' ? chatTexts.image : content || changedTexts.retracted

/** The last `ShownMessage` of each message. It is reused until something in it changes. */
const shownBefore = new WeakMap<ChatMessage, ShownMessage>()

export function useShownMessages(thread: Thread, self: ChatPerson): readonly ShownMessage[] {
  return useMemo(
    () => [
      ...thread.messages.map((message) => {
        const shown = stored(message, thread, self.id)
        const before = shownBefore.get(message)
        const isSame = before?.delivery === shown.delivery && before.isOwn === shown.isOwn
        if (isSame && isSameQuote(before.quoted, shown.quoted)) return before
        shownBefore.set(message, shown)
        return shown
      }),
      ...thread.pending.map((message) => pending(message, self)),
    ],
    [thread, self],
  )
}

function stored(message: ChatMessage, thread: Thread, selfId: string): ShownMessage {
  const {
    sender,
    clientMessageId,
    content,
    file = null,
    disputeId = null,
    isRetracted = false,
    quoted = null,
  } = message
  const isOwn = sender.id === selfId
  const delivery: Delivery = isOwn ? (isSeen(thread, message) ? 'seen' : 'sent') : 'received'
  // The loaded copy of the quoted message is preferred, since that message may have changed after it was quoted.
  const answered = quoted && thread.messages.find((one) => one.seq === quoted.seq)
  return {
    ...message,
    key: `${sender.id}/${clientMessageId}`,
    isOwn,
    content: isRetracted ? changedTexts.retracted : content,
    isRetracted,
    isEdited: message.editedAtMs !== undefined,
    quoted: answered ? quoteOf(answered) : quoted,
    file,
    disputeId,
    delivery,
    failure: null,
  }
}

const isSameQuote = (one: Quote | null, other: Quote | null): boolean =>
  one?.kind === other?.kind && one?.text === other?.text

function pending(message: PendingMessage, sender: ChatPerson): ShownMessage {
  const { clientMessageId, fileFacts = null, quoted = null, writtenAtMs, state, reason } = message
  return {
    ...message,
    key: `${sender.id}/${clientMessageId}`,
    id: null,
    seq: null,
    sender,
    isOwn: true,
    isRetracted: false,
    isEdited: false,
    quoted,
    image: null,
    file: fileFacts,
    disputeId: null,
    sentAtMs: writtenAtMs,
    delivery: state,
    failure: reason,
  }
}
