import { CARE_DESK, type ChatMessage, type Conversation } from '#domain/chat/conversation.ts'
import { isDraft, isOutdated, standingOf, type Thread } from '#domain/chat/thread.ts'
import { createCatchingUp } from './catching-up.ts'
import { type ChatClock, type ChatDeps, pause } from './chat-deps.ts'
import { failureText } from '#web/platform/http.ts'
import { changedTexts } from './changed-texts.ts'
import { createChatStore, type Picked } from './chat-store.ts'
import { createDrafts, noteDraft } from './drafts.ts'
import { createLoading } from './loading.ts'
import { createOpening } from './opening.ts'
import { createReading } from './reading.ts'
import { createSending } from './sending.ts'
import { createTyping } from './typing.ts'

/** Maximum wait for this device's unsent messages and drafts, in case the browser's database does not answer. */
const restoreMs = 2_000

const loadFitting = () => import('./fit-file.ts')

export type ChatSession = ReturnType<typeof createChatSession>

function withCancel(clock: ChatClock): ChatClock & { cancelAll(): void } {
  const cancels = new Set<() => void>()
  return {
    nowMs: clock.nowMs,
    after(ms, act) {
      const cancel = (): void => {
        cancels.delete(cancel)
        stop()
      }
      const stop = clock.after(ms, () => {
        cancels.delete(cancel)
        act()
      })
      cancels.add(cancel)
      return cancel
    },
    cancelAll() {
      for (const cancel of cancels) cancel()
    },
  }
}

/** Creates the chat session of one user. Events and answers become actions of the reducer in domain/chat. */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createChatSession(deps: ChatDeps) {
  const { self, socket, api } = deps
  const clock = withCancel(deps.clock)
  const store = createChatStore(self.id)
  const { snapshot, update, dispatch, edits } = store
  const typing = createTyping({ socket, clock }, store)
  const reading = createReading({ self, socket, clock }, store)
  const drafts = createDrafts(deps, store)
  const sending = createSending({ ...deps, clock }, store, drafts, receiveMessages)
  const catchingUp = createCatchingUp({ api, clock, self, socket }, store, receiveConversations, receiveMessages)
  const loading = createLoading(deps, store, catchingUp, receiveConversations, sending.flush)
  const { followOpen, leaveRoom, noteSent, ...opening } = createOpening(deps, store, drafts, typing.stop, loading)
  let stops: (() => void)[] = []
  /**
   * Resolves when this device's drafts and unsent messages are read, or after `restoreMs`. The lists of users and
   * conversations load only then, because a message field reads its draft when it is mounted.
   */
  let restored: Promise<unknown> = Promise.resolve()
  /**
   * By id: the latest view of each conversation that a colleague holds, and, by an id of before, of each that was merged.
   * A list that was read earlier may still come.
   */
  const elsewhere = new Map<string, Conversation>()
  let choices = 0
  /** By thread key: the attached file's number, from `choices`. The file that is chosen first may be ready last. */
  const attachedBy = new Map<string, number>()

  function receiveConversations(list: readonly Conversation[]): void {
    const conversations = list.filter((received) => {
      const { id, mergedFrom = [], participants } = received
      const known = elsewhere.get(id)
      if (known !== undefined && isOutdated(received, known)) return false
      const isHere =
        [id, ...mergedFrom].some((one) => snapshot().chat.threads[one] !== undefined) ||
        participants.some((one) => one.id === self.id || one.id === CARE_DESK.id)
      if (isHere) elsewhere.delete(id)
      for (const one of isHere ? mergedFrom : [id, ...mergedFrom]) elsewhere.set(one, received)
      return isHere
    })
    dispatch({ is: 'conversations-received', conversations })
    // If the conversation `unanswered` is active, a new holder can answer, or the old one, who has regained the right.
    const { unanswered } = snapshot()
    if (conversations.some(({ id, isActive }) => id === unanswered && isActive)) update({ unanswered: null })
    reading.followHolders()
  }

  /** Takes an event of a conversation, unless the user deleted it: an event would bring it back (rules §7.6). */
  function takeConversationEvent(received: Conversation): void {
    const { id, mergedFrom = [], lastSeq, hiddenThroughSeq } = received
    const isShown = [id, ...mergedFrom].some((one) => snapshot().chat.threads[one] !== undefined)
    const isDeleted = lastSeq > 0 && hiddenThroughSeq >= lastSeq
    if (isShown || !isDeleted) receiveConversations([received])
  }

  /** Drops conversations that a colleague took. The open one stays, with its unsent text, as long as it is open. */
  function dropTaken(): void {
    const { threads, openKey } = snapshot().chat
    for (const thread of Object.values(threads))
      if (thread.key !== openKey && standingOf(thread, self.id) === 'taken') drop(thread)
  }

  function drop({ key, conversation, pending }: Thread): void {
    if (conversation !== null) elsewhere.set(key, conversation)
    dispatch({ is: 'conversation-removed', conversationId: key, throughSeq: null })
    for (const { clientMessageId } of pending) sending.discard(clientMessageId)
    forget(key)
  }

  function forget(key: string): void {
    drafts.forget(key)
    edits.delete(key)
  }

  /** Drops a deleted conversation that only an unsent message kept on screen, unless a draft is in it (rules §7.6). */
  function dropEmptied(key: string): void {
    const { chat, attached } = snapshot()
    const thread = chat.threads[key]
    if (thread === undefined || isDraft(thread) || !thread.isLoaded) return
    if (thread.messages.length + thread.pending.length > 0) return
    // After a reload, no list has brought the deleted conversation, and its page was empty.
    const isDeleted = thread.conversation === null || (chat.removedThrough[key] ?? -1) >= thread.lastSeq
    if (!isDeleted || drafts.textIn(key) !== '' || attached[key] !== undefined) return
    dispatch({ is: 'conversation-removed', conversationId: key, throughSeq: null })
  }

  /** Counts the messages whose new text is not saved yet (rules §7.8). */
  const countEdits = (): number =>
    [...edits].filter(([key, { id, content, typed }]) => {
      const thread = snapshot().chat.threads[key]
      if (thread === undefined || typed === content) return false
      const message = thread.messages.find((one) => one.id === id)
      // After a merge, the message may be in a page that is not loaded.
      return message === undefined ? !thread.isLoaded || thread.hasOlder : message.content !== typed
    }).length

  function receiveMessages(messages: readonly ChatMessage[]): void {
    dispatch({ is: 'messages-received', messages })
    sending.confirm(messages)
  }

  const takeChanged = (message: ChatMessage): void => {
    dispatch({ is: 'messages-changed', messages: [message] })
    catchingUp.checkForHoles()
  }

  function receiveBySocket(message: ChatMessage): void {
    receiveMessages([message])
    catchingUp.checkForHoles()
    if (message.sender.id !== self.id) deps.onReceived()
  }

  const followEvents = (): (() => void)[] => [
    socket.onServerEvent('receive_message', receiveBySocket),
    socket.onServerEvent('message_sent', ({ message }) => receiveBySocket(message)),
    socket.onServerEvent('message_changed', takeChanged),
    socket.onServerEvent('conversation_created', takeConversationEvent),
    socket.onServerEvent('conversation_changed', takeConversationEvent),
    socket.onServerEvent('conversation_removed', (removed) => dispatch({ is: 'conversation-removed', ...removed })),
    socket.onServerEvent('user_typing', typing.show),
    socket.onServerEvent('user_stop_typing', (who) => dispatch({ is: 'typing-ended', ...who })),
    socket.onServerEvent('message_read', ({ conversationId, readerId, readSeq, unreadCount, lastSeq }) => {
      if (readerId === self.id && unreadCount !== undefined && lastSeq !== undefined)
        dispatch({ is: 'read-by-self', conversationId, readSeq, counted: { unreadCount, throughSeq: lastSeq } })
      else dispatch({ is: 'markers-received', markers: [{ conversationId, userId: readerId, readSeq }] })
    }),
    socket.onServerEvent('user_online', (who) => dispatch({ is: 'presence-changed', isOnline: true, ...who })),
    socket.onServerEvent('user_offline', (who) => dispatch({ is: 'presence-changed', isOnline: false, ...who })),
  ]

  const loadLists = async (): Promise<void> => {
    await restored
    if (!store.isEnded()) await loading.load()
  }

  function followConnection(): void {
    const connection = socket.connectionState()
    const before = snapshot()
    const wasConnected = before.wasConnected || connection === 'connected'
    update({ connection, connectionProblem: socket.connectionProblem(), wasConnected })
    if (connection !== 'connected') return typing.forget()
    if (before.connection === 'connected') return
    reading.resume()
    // The first request for the list may have failed without a network, so a missing list is requested again.
    if (snapshot().hasConversations) void catchingUp.sync().then(sending.flush)
    else void loadLists()
  }

  return {
    self,
    snapshot,
    subscribe: store.subscribe,
    isEnded: store.isEnded,
    ...loading,
    ...opening,
    showProblem: store.showProblem,
    dismissProblem: store.dismissProblem,
    markRead: reading.markRead,
    noteTyping: typing.note,
    stopTyping: typing.stop,
    sendFile: sending.sendFile,
    sendAgain: sending.sendAgain,

    discard: (clientMessageId: string): void => {
      const thread = Object.values(snapshot().chat.threads).find(({ pending }) =>
        pending.some((one) => one.clientMessageId === clientMessageId),
      )
      sending.discard(clientMessageId)
      if (thread !== undefined) dropEmptied(thread.key)
    },

    sendText: (key: string, text: string): boolean => {
      const isSent = sending.sendText(key, text)
      if (!isSent) return false
      typing.stop()
      noteSent(key, text)
      return true
    },

    takeChanged,
    noteMoreWaiting: (isMoreWaiting: boolean): void => store.update({ isMoreWaiting }),

    pick: (next: Omit<Picked, 'key'> | null): void => {
      const key = snapshot().chat.openKey
      const picked = next === null || key === null ? null : { ...next, key }
      if (picked?.is === 'edit') edits.set(picked.key, { ...picked, typed: picked.content })
      else edits.delete(key ?? '')
      update({ picked })
    },

    keepEdit: (typed: string): void => {
      const { picked } = snapshot()
      if (picked !== null) edits.set(picked.key, { ...picked, typed })
    },

    editIn: (key: string): string | undefined => edits.get(key)?.typed,

    saveEdit: async (text: string): Promise<void> => {
      const { picked } = snapshot()
      if (picked === null) return
      const isThis = (one: Picked | null | undefined) => one?.is === 'edit' && one.id === picked.id
      try {
        takeChanged(await api.editMessage(picked.id, text))
        typing.stop()
        // Not `picked.key`: the conversation may have been merged during the call.
        for (const [key, edit] of edits) if (isThis(edit)) edits.delete(key)
        if (isThis(snapshot().picked)) update({ picked: null })
      } catch (error) {
        store.showProblem(failureText(error, changedTexts.editFailed), (later) => !isThis(later.picked))
      }
    },

    typedIn: drafts.textIn,
    keepTyped: drafts.write,

    attach: async (key: string, file: File | null): Promise<void> => {
      if (file === null) return drafts.attach(key, null)
      const choice = (choices += 1)
      const fit = await (await loadFitting()).fitFile(file)
      if (typeof fit === 'string') return store.showProblem(fit)
      // Fitting takes a while, so a file that was chosen later may be attached already. The later file stays.
      if ((attachedBy.get(key) ?? 0) > choice) return
      attachedBy.set(key, choice)
      drafts.attach(key, fit)
    },

    /** Hides a thread for this user up to `seenSeq`, and discards its drafts and unsent messages (rules §7.6). */
    removeThread: async (key: string, seenSeq: number): Promise<void> => {
      const thread = snapshot().chat.threads[key]
      if (thread === undefined) return
      const throughSeq = isDraft(thread) ? 0 : (await api.deleteConversation(key, seenSeq)).hiddenThroughSeq
      for (const { clientMessageId } of thread.pending) sending.discard(clientMessageId)
      forget(key)
      drafts.write(noteDraft(key), '')
      dispatch({ is: 'conversation-removed', conversationId: key, throughSeq })
    },

    receiveConversations,

    /** Takes a conversation that a call returned. If this user is no participant, first drops its thread and drafts. */
    takeConversation: (conversation: Conversation): void => {
      const thread = snapshot().chat.threads[conversation.id]
      if (thread !== undefined && !conversation.participants.some(({ id }) => id === self.id)) drop(thread)
      receiveConversations([conversation])
    },

    start: (): void => {
      if (stops.length > 0 || store.isEnded()) return
      restored = Promise.race([
        // Unsent messages that take longer than `restoreMs` to read are still sent afterwards.
        Promise.all([sending.restore().then(sending.flush), drafts.restore()]).catch(() => {}),
        pause(clock, restoreMs),
      ])
      stops = [
        store.subscribe(followOpen),
        store.subscribe(dropTaken),
        store.subscribe(drafts.adopt),
        ...followEvents(),
        deps.entries.countAlso(countEdits),
        socket.onConnectionChanged(followConnection),
        socket.holdConnection({ userId: self.id, username: self.username }),
      ]
      followConnection()
      void loadLists()
    },

    end: (): void => {
      for (const stop of stops) stop()
      stops = []
      leaveRoom()
      sending.end()
      drafts.end()
      store.end()
      clock.cancelAll()
    },
  }
}
