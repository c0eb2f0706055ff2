import { CARE_DESK, type ChatUser } from '#domain/chat/conversation.ts'
import { isDraft } from '#domain/chat/thread.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'
import type { Loading } from './loading.ts'
import type { Drafts } from './drafts.ts'

/** Customer care as a chat partner, which stands for any free admin, and whether an admin is on duty. */
export const deskOf = ({ presence }: ChatState): ChatUser => ({
  ...CARE_DESK,
  ...(presence[CARE_DESK.id] ?? { isOnline: false, lastSeenAtMs: null }),
})

export function createOpening(
  { socket }: Pick<ChatDeps, 'socket'>,
  { snapshot, update, dispatch, dismissProblem }: ChatStore,
  drafts: Pick<Drafts, 'place' | 'move'>,
  stopTyping: () => void,
  { loadPage, loadThrough }: Pick<Loading, 'loadPage' | 'loadThrough'>,
) {
  let openKey: string | null = null
  let leaveRoom = (): void => {}

  let carried = ''
  /** Puts the waiting case into the field of the thread that was just opened, unless something stands there. */
  function placeCarried(): void {
    const key = snapshot().chat.openKey
    if (carried === '' || key === null) return
    drafts.place(key, carried)
    carried = ''
  }

  return {
    /** When another thread is opened: leaves the previous room, joins the new one, loads the newest page (spec §4). */
    followOpen: (): void => {
      if (snapshot().chat.openKey === openKey) return
      openKey = snapshot().chat.openKey
      stopTyping()
      // The problem was about the thread that was open.
      dismissProblem()
      leaveRoom()
      leaveRoom = () => {}
      if (snapshot().sought?.key !== openKey) update({ sought: null })
      if (snapshot().picked?.key !== openKey) update({ picked: null })
      const thread = openKey === null ? undefined : snapshot().chat.threads[openKey]
      if (thread === undefined || isDraft(thread)) return
      leaveRoom = socket.stayJoined('join_room', 'leave_room', { conversationId: thread.key })
      if (!thread.isLoaded) void loadPage(thread.key)
    },
    leaveRoom: (): void => leaveRoom(),

    openThread: (key: string): void => {
      dispatch({ is: 'opened', key })
      placeCarried()
    },

    openAt: (key: string, seq: number): void => {
      update({ sought: { key, seq } })
      dispatch({ is: 'opened', key })
      void loadThrough(key, seq)
    },

    openWith: (peer: ChatUser): void => {
      dispatch({ is: 'draft-opened', peer })
      placeCarried()
    },
    /** Keeps a case for the field of the next thread that is opened; '' forgets it. */
    carryCase: (text: string): void => {
      carried = text
    },
    closeThread: (): void => dispatch({ is: 'closed' }),

    /** Opens the conversation with another admin, with the unanswered text in the field (rules §7.1). */
    takeElsewhere: (admin: ChatUser): void => {
      const from = snapshot().chat.openKey
      update({ unanswered: null })
      dispatch({ is: 'draft-opened', peer: admin })
      const to = snapshot().chat.openKey
      if (from !== null && to !== null) drafts.move(from, to)
    },
  }
}
