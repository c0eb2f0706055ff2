import type { Conversation } from '#domain/chat/conversation.ts'
import { failureText } from '#web/platform/http.ts'
import type { createCatchingUp } from './catching-up.ts'
import { type ChatDeps, isConnected } from './chat-deps.ts'
import type { ChatSnapshot, ChatStore } from './chat-store.ts'
import { chatTexts } from './chat-texts.ts'

/** Loads the first list of conversations, and the messages of one in pages. */
export function createLoading(
  { api, socket }: Pick<ChatDeps, 'api' | 'socket'>,
  { snapshot, update, dispatch, showProblem }: ChatStore,
  catchingUp: ReturnType<typeof createCatchingUp>,
  receiveConversations: (list: readonly Conversation[]) => void,
  flush: () => void,
) {
  let loading: Promise<void> | undefined

  async function loadLists(): Promise<void> {
    const wasConnected = isConnected(socket)
    try {
      const [users, conversations] = await Promise.all([api.loadUsers(), api.loadConversations()])
      update({ users, hasConversations: true, loadFailure: null })
      receiveConversations(conversations)
      // Events between the answer and the connection are in neither, so they are fetched.
      if (!wasConnected && isConnected(socket)) await catchingUp.sync()
      flush()
    } catch (error) {
      update({ loadFailure: failureText(error, chatTexts.initialLoadFailed) })
    }
  }

  return {
    /** Loads the first list, and again after a failure. */
    load: (): Promise<void> => {
      loading ??= loadLists().finally(() => {
        loading = undefined
      })
      return loading
    },

    /** Loads the newest page, or the page before the loaded ones. */
    loadPage: async (key: string): Promise<void> => {
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
          showProblem(failure, ({ pages }) => pages[key] === undefined)
      }
    },
  }
}
