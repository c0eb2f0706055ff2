import { type Desk, deskStateAt, waitingSinceMs } from '#domain/chat/desk.ts'
import { standingOf, type Thread } from '#domain/chat/thread.ts'
import { listThreads } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'

/** The tab `others` has conversations that the admin does not hold. `FoundElsewhere` lists them. */
export const deskTabs = ['waiting', 'mine', 'others', 'snoozed', 'done'] as const
export type DeskTab = (typeof deskTabs)[number]

const desk = ({ conversation }: Thread): Desk | undefined => conversation?.desk

/**
 * Returns the threads of a tab that match the filter (`tag:…`, `topic:…`, or '' for all). `waiting` has own and
 * unclaimed conversations, the longest wait first. `snoozed` begins with the conversation that reopens next; `mine` and
 * `done` begin with the latest activity. `others` is always empty here.
 */
export function threadsOf(chat: ChatState, tab: DeskTab, nowMs: number, filter = ''): readonly Thread[] {
  const all = listThreads(chat).filter((thread) => {
    const { tags = [], topic } = desk(thread) ?? {}
    return filter === '' || filter === `topic:${topic}` || tags.some((tag) => filter === `tag:${tag}`)
  })
  const own = all.filter((thread) => standingOf(thread, chat.selfId) === 'own')
  const stateOf = (thread: Thread) => {
    const known = desk(thread)
    // A draft has no `desk`, and neither has a thread whose conversation is not loaded yet.
    return known === undefined ? 'open' : deskStateAt(known, nowMs)
  }
  const since = (thread: Thread) => waitingSinceMs(desk(thread), nowMs) ?? Number.POSITIVE_INFINITY
  switch (tab) {
    case 'waiting':
      return all
        .filter((thread) => since(thread) < Number.POSITIVE_INFINITY && standingOf(thread, chat.selfId) !== 'taken')
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

export const openingsOf = (chat: ChatState): readonly number[] =>
  Object.values(chat.threads)
    .flatMap((thread) => desk(thread)?.snoozedUntilMs ?? [])
    .toSorted((a, b) => a - b)

/** Returns the thread after (`step` 1) or before (`step` -1) the thread `key`, or the first if `shown` lacks `key`. */
export function neighbour(shown: readonly Thread[], key: string | null, step: 1 | -1): Thread | undefined {
  const at = shown.findIndex((thread) => thread.key === key)
  return shown[at === -1 ? 0 : at + step]
}
