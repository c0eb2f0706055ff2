import { noop } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import { waitingSinceMs } from '#domain/chat/desk.ts'
import { standingOf } from '#domain/chat/thread.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { formatCount } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { conversationsPerPage } from './api.ts'
import type { ChatSession } from './chat-session.ts'
import { chatTexts } from './chat-texts.ts'
import { deskTexts } from './desk-texts.ts'

const lists = [{ waiting: 'true' }, { state: 'open' }, { state: 'snoozed' }] as const
type Asked = (typeof lists)[number]

/** Of those who wait and of own ones no more are loaded, since the list redraws all its rows every minute. */
const mostShown = 1_000

let isMoreWaiting = false

/** Labels the tab of those who wait. If the server has more than are loaded, the number gets a plus sign: `1,000+`. */
export const waitingTab = (loaded: number): string =>
  deskTexts.tabWithCount(chatTexts.tabs.waiting, formatCount(loaded) + (isMoreWaiting ? '+' : ''))

type Session = Pick<ChatSession, 'snapshot' | 'subscribe' | 'receiveConversations'>

/**
 * Loads the waiting conversations and the admin's own open and snoozed ones. They may be too old to be in the list of
 * newest conversations. Further ones are loaded once there is room for them. If one call fails, the answers to the
 * other calls are still used.
 */
export function loadDesk({ snapshot, subscribe, receiveConversations }: Session, signal: AbortSignal): void {
  const untilRoom = (asked: Asked): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        const { threads, selfId } = snapshot().chat
        const shown = Object.values(threads).filter((thread) =>
          'waiting' in asked
            ? waitingSinceMs(thread.conversation?.desk, serverNowMs()) !== null
            : standingOf(thread, selfId) === 'own',
        )
        if (shown.length > mostShown - conversationsPerPage && !signal.aborted) return
        stop()
        resolve()
      }
      const stop = subscribe(check)
      signal.addEventListener('abort', check)
      check()
    })
  const load = async (asked: Asked, after?: string): Promise<void> => {
    const query = { ...asked, limit: conversationsPerPage, ...(after !== undefined && { after }) }
    const { rows, meta } = await callEndpoint(chatEndpoints.listConversations, { query, signal })
    if ('waiting' in asked) isMoreWaiting = meta.next !== undefined
    receiveConversations(rows)
    if (meta.next === undefined) return
    await untilRoom(asked)
    await load(asked, meta.next)
  }
  for (const asked of lists) load(asked).catch(noop)
}
