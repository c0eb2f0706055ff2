import { noop } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { conversationsPerPage } from './api.ts'
import type { ChatSession } from './chat-session.ts'
import type * as desk from './desk.ts'

/** The lists that are loaded, each with the tab that shows it. */
const lists = [
  { tab: 'waiting', asked: { waiting: 'true' } },
  { tab: 'mine', asked: { state: 'open' } },
  { tab: 'snoozed', asked: { state: 'snoozed' } },
] as const
type List = (typeof lists)[number]

/** For one tab no more are loaded, since the list redraws all its rows every minute. */
const mostShown = 1_000

let isMoreWaiting = false

/** Follows the number of those who wait: a plus sign if the server has more than are loaded (`1,000+`), else ''. */
export const moreWaiting = (): '+' | '' => (isMoreWaiting ? '+' : '')

type Session = Pick<ChatSession, 'snapshot' | 'subscribe' | 'receiveConversations'>
/** Handed in, because a module that both the list and this part import would be a file of its own in the build. */
export type ThreadsOf = typeof desk.threadsOf

/**
 * Loads the waiting conversations and the admin's own open and snoozed ones. They may be too old to be in the list of
 * newest conversations. Further ones are loaded once their tab has room for them. If one call fails, the answers to the
 * other calls are still used.
 */
export function loadDesk(session: Session, threadsOf: ThreadsOf, signal: AbortSignal): void {
  const { snapshot, subscribe, receiveConversations } = session
  /** Resolves once `hasRoom`, which is asked at each change of the session, or when `signal` aborts. */
  const untilRoom = (hasRoom: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (!signal.aborted && !hasRoom()) return
        stop()
        signal.removeEventListener('abort', check)
        resolve()
      }
      const stop = subscribe(check)
      signal.addEventListener('abort', check)
      check()
    })
  const load = async ({ tab, asked }: List): Promise<void> => {
    // Only what this call has read counts: a tab that an earlier call has filled is read again as far, so that it is
    // known whether there are more.
    const read = new Set<string>()
    const hasRoom = () => {
      const shown = threadsOf(snapshot().chat, tab, serverNowMs()).filter(({ key }) => read.has(key))
      return shown.length <= mostShown - conversationsPerPage
    }
    const loadFrom = async (after?: string): Promise<void> => {
      const query = { ...asked, limit: conversationsPerPage, ...(after !== undefined && { after }) }
      const { rows, meta } = await callEndpoint(chatEndpoints.listConversations, { query, signal })
      if (tab === 'waiting') isMoreWaiting = meta.next !== undefined
      for (const { id } of rows) read.add(id)
      receiveConversations(rows)
      if (meta.next === undefined) return
      await untilRoom(hasRoom)
      await loadFrom(meta.next)
    }
    await loadFrom()
  }
  for (const list of lists) load(list).catch(noop)
}
