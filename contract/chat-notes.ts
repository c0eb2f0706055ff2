import * as z from 'zod/mini'
import { answer, id, instant, judgedText, person, query, request, text } from './codecs.ts'
import { madeId } from './customer.ts'
import { endpoint, listOf } from './endpoint.ts'
import { listQuery } from './page-query.ts'

/*
 * Notes of staff in a conversation (docs/rules.md §7.14). Kept out of contract/chat.ts, because every player loads that
 * file and only staff read notes.
 */

const chatNote = answer(() => ({
  id: ['_id', text],
  writtenBy: ['author', person],
  text,
  mentions: z.array(person),
  /** True while the reading admin is mentioned and has not confirmed seeing the note. */
  isNews: ['isNew', z.boolean()],
  createdAtMs: ['createdAt', instant],
}))
export type ChatNote = z.output<typeof chatNote>

export const chatNoteEndpoints = {
  listChatNotes: endpoint('GET', '/api/v1/chat/conversations/{id}/notes', 'staff:care', {
    query: query(() => ({ page: listQuery.page, limit: listQuery.limit })),
    ...listOf(chatNote),
    refusals: ['CONVERSATION_NOT_FOUND', 'NOT_YOURSELF'],
    summary: 'Notes of staff in a conversation, newest first; never for its player',
  }),
  addChatNote: endpoint('POST', '/api/v1/chat/conversations/{id}/notes', 'staff:care', {
    body: request(() => ({ noteId: madeId, text: judgedText })),
    data: chatNote,
    refusals: ['CONVERSATION_NOT_FOUND', 'NOT_YOURSELF', 'CHAT_NOTE_INVALID', 'KEY_REUSED'],
    summary: 'Note something in a conversation for other staff; @name mentions one of them',
  }),
  readChatNotes: endpoint('POST', '/api/v1/chat/conversations/{id}/notes/read', 'staff:care', {
    body: request(() => ({ throughId: ['upTo', id] })),
    refusals: ['NOT_FOUND'],
    summary: 'Say that one has seen the notes that mention oneself, up to one of them',
  }),
} as const
