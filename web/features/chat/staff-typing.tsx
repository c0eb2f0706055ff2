import { useEffect, useSyncExternalStore } from 'react'
import type { PersonInConversation } from '#contract/events.ts'
import { askServer, connectionState, onConnectionChanged, onServerEvent } from '#web/platform/socket.ts'
import { refresh } from '#web/platform/query-client.ts'
import { gathered } from '#web/platform/refresh-after.ts'
import { createSignal, together } from '#web/platform/signal.ts'
import { everyConversationKey } from './staff-api.ts'
import { refreshElsewhere, showInSheet } from './tags-api.ts'
import { useChatSession } from './use-chat.ts'

/** Typing or viewing ends this long after a colleague's last event, since the event that ends it may be lost. */
const forgottenAfterMs = { types: 16_000, views: 45_000 }
const saidEveryMs = 20_000

type Does = keyof typeof forgottenAfterMs
type Seen = { readonly name: string; readonly timer: ReturnType<typeof setTimeout> }

const seen = new Map<string, Seen>()
const changed = createSignal()

const beginning = (does: Does, conversationId: string) => `${does} ${conversationId} `

/** Begins or ends a colleague's typing or viewing. Returns whether it had already begun. */
function show(does: Does, { userId, username, conversationId }: PersonInConversation, isDoing: boolean): boolean {
  const key = beginning(does, conversationId) + userId
  const before = seen.get(key)
  clearTimeout(before?.timer)
  seen.delete(key)
  if (isDoing) seen.set(key, { name: username, timer: setTimeout(forget, forgottenAfterMs[does], key) })
  changed.tell()
  return before !== undefined
}

function forget(key: string): void {
  clearTimeout(seen.get(key)?.timer)
  seen.delete(key)
  changed.tell()
}

/** Returns the names of colleagues who type in or view the conversation, as one text. Undefined if there are none. */
const useColleagues = (does: Does, conversationId: string): string | undefined =>
  useSyncExternalStore(changed.listen, () => {
    const names = [...seen]
      .filter(([key]) => key.startsWith(beginning(does, conversationId)))
      .map(([, { name }]) => name)
    return names.length === 0 ? undefined : names.toSorted().join(', ')
  })

export const useStaffTyping = (conversationId: string) => useColleagues('types', conversationId)

/** The ids of the mounted conversations. The last one is in view, since a sheet covers the conversation below it. */
const shown: string[] = []
const sayShown = () => void askServer('view_conversation', { conversationId: shown.at(-1) ?? null })

/** While mounted, reports to colleagues that this admin has the conversation open. Returns who else has it open. */
export function useStaffViewing(conversationId: string): string | undefined {
  useEffect(() => {
    shown.push(conversationId)
    sayShown()
    const timer = setInterval(sayShown, saidEveryMs)
    return () => {
      clearInterval(timer)
      shown.splice(shown.lastIndexOf(conversationId), 1)
      sayShown()
    }
  }, [conversationId])
  return useColleagues('views', conversationId)
}

export function FollowColleagues({ selfId }: { readonly selfId: string }) {
  const { loadUsersAnew } = useChatSession()
  useEffect(() => {
    // Assigning many conversations sends one event for each.
    const elsewhere = gathered(refreshElsewhere)
    // While another screen was open, events about the presence of users may have been missed. Without a connection the
    // list waits for it, since events tell what changes from then on.
    if (connectionState() === 'connected') void loadUsersAnew()
    return together(
      onServerEvent('staff_typing', ({ isTyping, ...who }) => {
        if (who.userId !== selfId) show('types', who, isTyping)
      }),
      onServerEvent('staff_viewing', ({ isViewing, ...who }) => {
        if (who.userId === selfId) return
        const isKnown = show('views', who, isViewing)
        // A colleague who has just opened the conversation may not know that this admin has it open.
        if (isViewing && !isKnown && shown.at(-1) === who.conversationId) sayShown()
      }),
      onServerEvent('conversation_changed', (conversation) => {
        showInSheet(conversation)
        elsewhere.hear()
      }),
      elsewhere.stop,
      onConnectionChanged(() => {
        if (connectionState() !== 'connected') return [...seen.keys()].forEach(forget)
        if (shown.length > 0) sayShown()
        void refresh(everyConversationKey)
        void loadUsersAnew()
      }),
    )
  }, [selfId, loadUsersAnew])
  return null
}
