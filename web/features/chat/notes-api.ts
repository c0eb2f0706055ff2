import { infiniteQueryOptions } from '@tanstack/react-query'
import { type ChatNote, chatNoteEndpoints } from '#contract/chat-notes.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'

const notesPerPage = 100

export const notesKey = (conversationId: string) => ['chat', 'notes', conversationId] as const

/** Fetches a conversation's notes, the newest first. `useNotes` refetches them for all components that show them. */
export const notesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: notesKey(id),
    queryFn: ({ signal, pageParam }): Promise<ListPage<ChatNote[]>> =>
      callEndpoint(chatNoteEndpoints.listChatNotes, {
        params: { id },
        query: { page: pageParam, limit: notesPerPage },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.hasMore ? meta.page + 1 : null),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** @param noteId the same id for each retry of one note, so that the server stores the note once */
export const addNote = (id: string, noteId: string, text: string): Promise<ChatNote> =>
  callEndpoint(chatNoteEndpoints.addChatNote, { params: { id }, body: { noteId, text } })

/** Marks the notes that mention the user as seen, up to and including the note `throughId`. */
export const readNotes = (id: string, throughId: string): Promise<null> =>
  callEndpoint(chatNoteEndpoints.readChatNotes, { params: { id }, body: { throughId } })
