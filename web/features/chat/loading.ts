import type { Conversation } from '#domain/chat/conversation.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { failureText } from '#web/platform/http.ts'
import type { createCatchingUp } from './catching-up.ts'
import { type ChatDeps, isConnected } from './chat-deps.ts'
import type { ChatSnapshot, ChatStore } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'

/** The number of messages per page when old pages are loaded until they contain a sought message. */
const soughtPerPage = 100

export type Loading = ReturnType<typeof createLoading>

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createLoading(
  { api, socket }: Pick<ChatDeps, 'api' | 'socket'>,
  { snapshot, update, dispatch, showProblem }: ChatStore,
  catchingUp: ReturnType<typeof createCatchingUp>,
  receiveConversations: (list: readonly Conversation[]) => void,
  flush: () => void,
) {
  let loading: Promise<void> | undefined
  const pagesUnderWay = new Map<string, Promise<void>>()

  async function loadLists(): Promise<void> {
    const wasConnected = isConnected(socket)
    try {
      const [users, conversations] = await Promise.all([api.loadUsers(), api.loadConversations()])
      update({ users, hasConversations: true, loadFailure: null })
      receiveConversations(conversations)
      // Messages stored between the server's answer and the socket's connection have not arrived: fetch them.
      if (!wasConnected && isConnected(socket)) await catchingUp.sync()
      flush()
    } catch (error) {
      update({ loadFailure: failureText(error, chatTexts.initialLoadFailed) })
    }
  }

  /** Loads the list of staff and their presence again, since presence events may have been missed. */
  async function loadUsersAnew(): Promise<void> {
    const { presence: before } = snapshot().chat
    try {
      const users = await api.loadUsers()
      update({ users })
      const { presence } = snapshot().chat
      // A presence that an event changed meanwhile is kept, since the event may be newer than the answer.
      for (const { id: userId, isOnline, lastSeenAtMs } of users)
        if (presence[userId] === before[userId]) dispatch({ is: 'presence-changed', userId, isOnline, lastSeenAtMs })
    } catch {
      // The list stays as it was.
    }
  }

  /** Loads the newest page, or the page before the loaded ones. A call while a page loads only awaits that page. */
  function loadPage(key: string, limit?: number): Promise<void> {
    const known = pagesUnderWay.get(key)
    if (known !== undefined) return known
    const page = readPage(key, limit).finally(() => pagesUnderWay.delete(key))
    pagesUnderWay.set(key, page)
    return page
  }

  async function readPage(key: string, limit: number | undefined): Promise<void> {
    const thread = snapshot().chat.threads[key]
    if (thread === undefined) return
    const beforeSeq = thread.isLoaded ? (thread.firstSeq ?? undefined) : undefined
    const setPage = (state: ChatSnapshot['pages'][string]) => update({ pages: { ...snapshot().pages, [key]: state } })
    setPage('loading')
    try {
      const { messages, hasMore } = await api.loadMessages(key, beforeSeq, limit)
      setPage(undefined)
      // The thread may have been removed meanwhile, for example by a merge.
      if (snapshot().chat.threads[key] === undefined) return
      dispatch({ is: 'page-loaded', conversationId: key, messages, hasOlder: hasMore })
      catchingUp.checkForHoles()
    } catch {
      if (snapshot().chat.threads[key] === undefined) return setPage(undefined)
      const failure = beforeSeq === undefined ? chatTexts.messagesLoadFailed : chatTexts.olderLoadFailed
      setPage({ failure })
      // A thread without messages shows the failure in place of its list. Otherwise an alert shows the failure.
      const shown = snapshot().chat.threads[key] ?? thread
      if (shown.messages.length + shown.pending.length > 0)
        showProblem(failure, ({ pages }) => pages[key] === undefined)
    }
  }

  return {
    load: (): Promise<void> => {
      loading ??= loadLists().finally(() => {
        loading = undefined
      })
      return loading
    },

    loadUsersAnew,
    loadPage,

    loadThrough: async (key: string, seq: number): Promise<void> => {
      const isSought = () => snapshot().sought?.key === key && snapshot().sought?.seq === seq
      const isMissing = (thread: Thread | undefined) =>
        thread !== undefined && (!thread.isLoaded || (thread.hasOlder && (thread.firstSeq ?? 0) > seq))
      while (isSought() && isMissing(snapshot().chat.threads[key])) {
        await loadPage(key, soughtPerPage)
        if (snapshot().pages[key] !== undefined) return
      }
    },
  }
}
