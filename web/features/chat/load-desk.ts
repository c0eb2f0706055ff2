import { refusalOf } from '#web/platform/http.ts'
import { pause } from '#web/platform/pause.ts'
import { retryDelayMs } from '#web/platform/query-client.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { conversationsPerPage } from './api.ts'
import type { ChatSession } from './chat-session.ts'
import type * as desk from './desk.ts'
import { askedIn, type ListTab, readConversations } from './staff-api.ts'

/** For one tab no more are loaded, since the list redraws all its rows every minute. */
const mostShown = 1_000

type Session = Pick<ChatSession, 'snapshot' | 'subscribe' | 'receiveConversations' | 'noteMoreWaiting'>
/** Handed in, because a module that both the list and this part import would be a file of its own in the build. */
export type ThreadsOf = typeof desk.threadsOf

/**
 * Loads the waiting conversations and the admin's own open and snoozed ones. They may be too old to be in the list of
 * newest conversations. Further ones are loaded once their tab has room for them. A page that fails is tried again
 * unless it is refused.
 */
export function loadDesk(session: Session, threadsOf: ThreadsOf, signal: AbortSignal): void {
  const { snapshot, subscribe, receiveConversations, noteMoreWaiting } = session
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
  const load = async (tab: ListTab): Promise<void> => {
    // Only what this call has read counts: a tab that an earlier call has filled is read again as far, so that it is
    // known whether there are more.
    const read = new Set<string>()
    const hasRoom = () => {
      const shown = threadsOf(snapshot().chat, tab, serverNowMs()).filter(({ key }) => read.has(key))
      return shown.length <= mostShown - conversationsPerPage
    }
    const loadFrom = async (after: string | undefined, failures: number): Promise<void> => {
      const page = await readConversations(askedIn(tab), after, signal).catch(async (error: unknown) => {
        // Whoever is no admin any more would be refused each time.
        if (refusalOf(error)?.status === 403) return null
        await pause(retryDelayMs(failures, error))
        return undefined
      })
      if (signal.aborted || page === null) return
      if (page === undefined) return loadFrom(after, failures + 1)
      const { rows, meta } = page
      if (tab === 'waiting') noteMoreWaiting(meta.next !== undefined)
      for (const { id } of rows) read.add(id)
      receiveConversations(rows)
      if (meta.next === undefined) return
      await untilRoom(hasRoom)
      return loadFrom(meta.next, 0)
    }
    return loadFrom(undefined, 0)
  }
  for (const tab of ['waiting', 'mine', 'snoozed'] as const) void load(tab)
}
