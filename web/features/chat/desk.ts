import { type Desk, deskStateAt, waitingSinceMs } from '#domain/chat/desk.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { type ChatState, listThreads } from '#domain/chat/timeline.ts'

/** The tabs of staff's list; `others` holds the conversations of colleagues. */
export const deskTabs = ['waiting', 'mine', 'others', 'snoozed', 'done'] as const
export type DeskTab = (typeof deskTabs)[number]

const desk = ({ conversation }: Thread): Desk | undefined => conversation?.desk

/** The own threads of a tab: who waits longest first, what opens again next first, else the latest first. */
export function threadsOf(chat: ChatState, tab: DeskTab, nowMs: number): readonly Thread[] {
  const own = listThreads(chat)
  const stateOf = (thread: Thread) => {
    const known = desk(thread)
    // A draft, or what a server of the version before sent.
    return known === undefined ? 'open' : deskStateAt(known, nowMs)
  }
  const since = (thread: Thread) => waitingSinceMs(desk(thread), nowMs) ?? Number.POSITIVE_INFINITY
  switch (tab) {
    case 'waiting':
      return own
        .filter((thread) => since(thread) < Number.POSITIVE_INFINITY)
        .toSorted((a, b) => since(a) - since(b) || (a.key < b.key ? -1 : 1))
    case 'mine':
      return own.filter((thread) => stateOf(thread) === 'open')
    case 'snoozed':
      return own
        .filter((thread) => stateOf(thread) === 'snoozed')
        .toSorted((a, b) => (desk(a)?.snoozedUntilMs ?? 0) - (desk(b)?.snoozedUntilMs ?? 0))
    case 'done':
      return own.filter((thread) => stateOf(thread) === 'done')
    case 'others':
      return []
  }
}

/** When a snoozed thread of these opens again, ascending. */
export const openingsOf = (chat: ChatState): readonly number[] =>
  Object.values(chat.threads)
    .flatMap((thread) => desk(thread)?.snoozedUntilMs ?? [])
    .toSorted((a, b) => a - b)
