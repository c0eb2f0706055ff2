import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { isDraft } from '#domain/chat/timeline.ts'
import { failureText } from '#web/platform/http.ts'
import { createCatchingUp } from './catching-up.ts'
import type { ChatClock, ChatDeps } from './chat-deps.ts'
import { type ChatSnapshot, createChatStore } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'
import { createReading } from './reading.ts'
import { createSending } from './sending.ts'
import { createTyping } from './typing.ts'

export type ChatSession = ReturnType<typeof createChatSession>

/** The timers of one session, all cancelled at its end. */
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

/**
 * The chat of one user from `start` to `end`. Its state is the reducer of domain/chat, fed by the socket's events and
 * the server's rows. The session keeps no state outside itself, and `end` stops everything.
 */
export function createChatSession(deps: ChatDeps) {
  const { self, socket, api } = deps
  const clock = withCancel(deps.clock)
  const store = createChatStore(self.id)
  const { snapshot, update, dispatch } = store
  const typing = createTyping({ socket, clock }, store)
  const reading = createReading({ self, socket, clock }, store)
  const sending = createSending({ ...deps, clock }, store, receiveMessages)
  const catchingUp = createCatchingUp({ api, clock, socket }, store, {
    conversations: receiveConversations,
    messages: receiveMessages,
  })
  /** Unsent drafts of text, by thread. */
  const typed = new Map<string, string>()
  let stops: (() => void)[] = []
  let leaveRoom = (): void => {}
  let loading: Promise<void> | undefined

  function receiveConversations(list: readonly Conversation[]): void {
    const conversations = list.filter(({ participants }) => participants.some(({ id }) => id === self.id))
    dispatch({ is: 'conversations-received', conversations })
  }

  function receiveMessages(messages: readonly ChatMessage[]): void {
    dispatch({ is: 'messages-received', messages })
    sending.confirm(messages)
  }

  function receiveBySocket(message: ChatMessage): void {
    receiveMessages([message])
    catchingUp.checkForHoles()
    if (message.sender.id !== self.id) deps.onReceived()
  }

  function followConnection(): void {
    const connection = socket.connectionState()
    const isNew = connection === 'connected' && snapshot().connection !== 'connected'
    const wasConnected = snapshot().wasConnected || connection === 'connected'
    update({ connection, connectionProblem: socket.connectionProblem(), wasConnected })
    if (connection !== 'connected') typing.forget()
    if (!isNew) return
    reading.resume()
    // The first list may have been requested without a network.
    if (snapshot().hasConversations) void catchingUp.sync().then(sending.flush)
    else void load()
  }

  /** Loads the first list, and again after a failure. */
  function load(): Promise<void> {
    const wasConnected = socket.connectionState() === 'connected'
    loading ??= (async () => {
      try {
        const [users, conversations] = await Promise.all([api.loadUsers(), api.loadConversations()])
        update({ users, hasConversations: true, loadFailure: null })
        receiveConversations(conversations)
        // Events between the answer and the connection are in neither, so they are fetched.
        if (!wasConnected && socket.connectionState() === 'connected') await catchingUp.sync()
        sending.flush()
      } catch (error) {
        update({ loadFailure: failureText(error, chatTexts.initialLoadFailed) })
      }
    })().finally(() => {
      loading = undefined
    })
    return loading
  }

  /** Loads the newest page, or the page before the loaded ones. */
  async function loadPage(key: string): Promise<void> {
    const thread = snapshot().chat.threads[key]
    if (thread === undefined || snapshot().pages[key] === 'loading') return
    const beforeSeq = thread.isLoaded ? (thread.firstSeq ?? undefined) : undefined
    const setPage = (state: ChatSnapshot['pages'][string]) => update({ pages: { ...snapshot().pages, [key]: state } })
    setPage('loading')
    try {
      const { messages, hasMore } = await api.loadMessages(key, beforeSeq)
      setPage(undefined)
      dispatch({ is: 'page-loaded', conversationId: key, messages, hasOlder: hasMore })
      catchingUp.checkForHoles()
    } catch {
      const failure = beforeSeq === undefined ? chatTexts.messagesLoadFailed : chatTexts.olderLoadFailed
      setPage({ failure })
      // A failure of an empty list is shown in its place. Messages may have arrived by the socket meanwhile.
      const shown = snapshot().chat.threads[key] ?? thread
      if (shown.messages.length + shown.pending.length > 0)
        store.showProblem(failure, ({ pages }) => pages[key] === undefined)
    }
  }

  let openKey: string | null = null
  /** After another thread was opened: leaves the previous room, joins the new one, loads the newest page (spec §4). */
  function followOpen(): void {
    if (snapshot().chat.openKey === openKey) return
    openKey = snapshot().chat.openKey
    typing.stop()
    leaveRoom()
    leaveRoom = () => {}
    const thread = openKey === null ? undefined : snapshot().chat.threads[openKey]
    if (thread === undefined || isDraft(thread)) return
    leaveRoom = socket.stayJoined('join_room', 'leave_room', { conversationId: thread.key })
    if (!thread.isLoaded) void loadPage(thread.key)
  }

  /** The case that waits for the player to choose whom to ask. */
  let carried = ''
  /** Puts the waiting case into the field of the thread that was just opened, unless something stands there. */
  function placeCarried(): void {
    const key = snapshot().chat.openKey
    if (carried === '' || key === null) return
    if (!typed.has(key)) typed.set(key, carried)
    carried = ''
  }

  function openThread(key: string): void {
    dispatch({ is: 'opened', key })
    placeCarried()
  }

  return {
    self,
    snapshot,
    subscribe: store.subscribe,
    isEnded: store.isEnded,
    load,
    loadPage,
    openThread,
    showProblem: store.showProblem,
    dismissProblem: store.dismissProblem,
    markRead: reading.markRead,
    noteTyping: typing.note,
    stopTyping: typing.stop,
    sendImage: sending.sendImage,
    sendAgain: sending.sendAgain,
    discard: sending.discard,

    sendText: (key: string, text: string): boolean => {
      const isSent = sending.sendText(key, text)
      if (isSent) typing.stop()
      return isSent
    },

    /** Opens the conversation with a user, or a draft of one (spec §4). */
    openWith: (peer: ChatUser): void => {
      dispatch({ is: 'draft-opened', peer })
      placeCarried()
    },
    /** Keeps a case for the field of the next thread that is opened; '' forgets it. */
    carryCase: (text: string): void => {
      carried = text
    },
    closeThread: (): void => dispatch({ is: 'closed' }),

    typedIn: (key: string): string => typed.get(key) ?? '',
    keepTyped: (key: string, text: string): void => {
      if (text === '') typed.delete(key)
      else typed.set(key, text)
    },

    /** Opens the conversation with another admin, with the unanswered text in the field (rules §7). */
    takeElsewhere: (admin: ChatUser): void => {
      const text = snapshot().unanswered?.text
      update({ unanswered: null })
      dispatch({ is: 'draft-opened', peer: admin })
      const key = snapshot().chat.openKey
      if (key !== null && text !== undefined) typed.set(key, [typed.get(key), text].filter(Boolean).join('\n'))
    },

    /** Hides a conversation for this user, up to its newest message (rules §7). */
    removeThread: async (key: string): Promise<void> => {
      const thread = snapshot().chat.threads[key]
      if (thread === undefined) return
      try {
        const throughSeq = isDraft(thread) ? 0 : (await api.deleteConversation(key)).hiddenThroughSeq
        for (const { clientMessageId } of thread.pending) sending.discard(clientMessageId)
        dispatch({ is: 'conversation-removed', conversationId: key, throughSeq })
      } catch (error) {
        store.showProblem(failureText(error, chatTexts.deleteFailed))
      }
    },

    /** Applies the server's answer to a claim or a hand-over. */
    takeConversation: (conversation: Conversation): void => {
      const { id: conversationId, lastSeq: throughSeq, participants } = conversation
      if (participants.some(({ id }) => id === self.id)) receiveConversations([conversation])
      else dispatch({ is: 'conversation-removed', conversationId, throughSeq })
    },

    start: (): void => {
      if (stops.length > 0 || store.isEnded()) return
      stops = [
        store.subscribe(followOpen),
        socket.onServerEvent('receive_message', receiveBySocket),
        socket.onServerEvent('message_sent', ({ message }) => receiveBySocket(message)),
        socket.onServerEvent('conversation_created', (conversation) => receiveConversations([conversation])),
        socket.onServerEvent('conversation_changed', (conversation) => receiveConversations([conversation])),
        socket.onServerEvent('conversation_removed', (removed) => dispatch({ is: 'conversation-removed', ...removed })),
        socket.onServerEvent('user_typing', (who) => dispatch({ is: 'typing-started', ...who })),
        socket.onServerEvent('user_stop_typing', (who) => dispatch({ is: 'typing-ended', ...who })),
        socket.onServerEvent('message_read', ({ conversationId, readerId, readSeq, unreadCount, lastSeq }) => {
          const isCounted = unreadCount !== undefined && lastSeq !== undefined
          if (readerId !== self.id)
            dispatch({ is: 'markers-received', markers: [{ conversationId, userId: readerId, readSeq }] })
          else if (isCounted)
            dispatch({
              is: 'read-by-self',
              conversationId,
              readSeq,
              counted: { unreadCount, throughSeq: lastSeq },
            })
          else dispatch({ is: 'read-by-self', conversationId, readSeq })
        }),
        socket.onServerEvent('user_online', (who) => dispatch({ is: 'presence-changed', isOnline: true, ...who })),
        socket.onServerEvent('user_offline', (who) => dispatch({ is: 'presence-changed', isOnline: false, ...who })),
        socket.onConnectionChanged(followConnection),
        socket.holdConnection({ userId: self.id, username: self.username }),
      ]
      followConnection()
      void sending.restore().then(() => (store.isEnded() ? undefined : load()))
    },

    end: (): void => {
      for (const stop of stops) stop()
      stops = []
      leaveRoom()
      sending.end()
      typed.clear()
      store.end()
      clock.cancelAll()
    },
  }
}
