import { CARE_DESK, type ChatUser } from '#domain/chat/conversation.ts'
import { isDraft } from '#domain/chat/thread.ts'
import { threadAt } from '#domain/chat/timeline.ts'
import type { ChatState } from '#domain/chat/chat-state.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'
import type { Loading } from './loading.ts'
import type { Drafts } from './drafts.ts'

/** Returns customer care (`CARE_DESK`) as a user to write to, with the latest known presence. */
export const deskOf = ({ presence }: ChatState): ChatUser => ({
  ...CARE_DESK,
  ...(presence[CARE_DESK.id] ?? { isOnline: false, lastSeenAtMs: null }),
})

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createOpening(
  { socket }: Pick<ChatDeps, 'socket'>,
  { snapshot, update, dispatch, dismissProblem, edits }: ChatStore,
  drafts: Pick<Drafts, 'place' | 'move' | 'textIn'>,
  stopTyping: () => void,
  { loadPage, loadThrough }: Pick<Loading, 'loadPage' | 'loadThrough'>,
) {
  let openKey: string | null = null
  /** The key of the thread into whose field the last `carried` text was filled. */
  let filledKey: string | null = null
  let leaveRoom = (): void => {}

  /** Fills the carried text into the field of the thread just opened, unless the user has typed there. */
  function placeCarried(): void {
    const { carried, chat } = snapshot()
    if (carried === '' || chat.openKey === null) return
    drafts.place(chat.openKey, carried)
    filledKey = chat.openKey
    update({ carried: '' })
  }

  /** Moves what was picked, and edits of other threads, to the conversation into which theirs was merged. */
  function followMerges(): void {
    const keyNow = (key: string) => threadAt(snapshot().chat, key)?.key ?? key
    const { picked } = snapshot()
    for (const [key, edit] of edits) {
      const now = keyNow(key)
      if (now === key) continue
      edits.delete(key)
      // The field must not show the text of another edit for the message that is picked.
      if (!edits.has(now) || edit.id === picked?.id) edits.set(now, { ...edit, key: now })
    }
    if (picked !== null && keyNow(picked.key) !== picked.key) update({ picked: { ...picked, key: keyNow(picked.key) } })
  }

  return {
    /** Follows a change of the open thread: changes the room that is joined, and loads the first page (spec §4.8). */
    followOpen: (): void => {
      followMerges()
      if (snapshot().chat.openKey === openKey) return
      openKey = snapshot().chat.openKey
      stopTyping()
      // A shown problem may belong to the thread that was open before.
      dismissProblem()
      leaveRoom()
      leaveRoom = () => {}
      if (snapshot().sought?.key !== openKey) update({ sought: null })
      // If this thread has an unfinished edit, the field shows the edit's text, as it would a draft (rules §7.15).
      if (snapshot().picked?.key !== openKey) update({ picked: edits.get(openKey ?? '') ?? null })
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
    /** Keeps a text for the message field of the thread that is opened next. An empty text removes the kept one. */
    carryCase: (carried: string): void => {
      filledKey = null
      update({ carried, carriedFrom: carried, isCaseSent: false })
    },
    /** Called before the field is emptied. Only a text that equals the field's text was sent from the field. */
    noteSent: (key: string, text: string): void => {
      if (key === filledKey && text === drafts.textIn(key)) update({ isCaseSent: true })
    },
    closeThread: (): void => dispatch({ is: 'closed' }),

    /** Opens a thread with another admin or CSKH, and moves the unsent text and file into its field (rules §7.1). */
    takeElsewhere: (admin: ChatUser): void => {
      const from = snapshot().chat.openKey
      update({ unanswered: null })
      dispatch({ is: 'draft-opened', peer: admin })
      const to = snapshot().chat.openKey
      if (from !== null && to !== null) drafts.move(from, to)
    },
  }
}
