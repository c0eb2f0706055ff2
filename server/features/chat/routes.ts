import type * as z from 'zod/mini'
import { careDutyEndpoints } from '#contract/care-duty.ts'
import { chatEndpoints } from '#contract/chat.ts'
import { chatMergeEndpoints } from '#contract/chat-merge.ts'
import { chatNoteEndpoints } from '#contract/chat-notes.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import { replyTimeEndpoints } from '#contract/reply-time.ts'
import { cleanText } from '#domain/chat/conversation.ts'
import { nextOpeningMs } from '#domain/chat/hours.ts'
import { cleanTag } from '#domain/chat/tags.ts'
import { decideAccess, type Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { refuseOtherUser } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { deleteOwnOrShared } from '#server/platform/http/own-or-shared.ts'
import { COUNT_CAP, listAnswer, pageOf } from '#server/platform/http/lists.ts'
import { changeHolder } from './change-holder.ts'
import { changeMessage } from './change-message.ts'
import { changeState } from './change-state.ts'
import { deleteConversation } from './delete-conversation.ts'
import { noteActive, readDuty, setDuty } from './duty.ts'
import { readHours } from './hours.ts'
import { mergeConversations } from './merge-conversations.ts'
import { following } from './merged.ts'
import { listMessages, searchAllMessages, searchMessages } from './message-queries.ts'
import { addNote, listNotes, readNotes } from './notes.ts'
import { openConversation } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import {
  countConversations,
  listChatUsers,
  listConversations,
  listOfPlayer,
  readConversation,
  readCustomer,
  readNamed,
  readStanding,
  readUnread,
} from './queries.ts'
import { readMissed } from './read-missed.ts'
import { listReplies, saveReply } from './replies.ts'
import { createReplyTime } from './reply-time.ts'
import { changeTags, listTags } from './tags.ts'
import { foldForSearch, searchKey } from '#domain/search-text.ts'

/** Messages on one page (spec §9.4). */
const MESSAGES_PER_PAGE = 30
const CONVERSATIONS_PER_PAGE = 50

type QueryOf<Name extends 'listConversations' | 'listMessages'> = z.output<(typeof chatEndpoints)[Name]['query']>

async function pageOfConversations(db: Database, subject: Subject, query: QueryOf<'listConversations'>) {
  if (
    (query.scope === 'all' ||
      [query.waiting, query.state, query.tag, query.topic].some((asked) => asked !== undefined)) &&
    decideAccess(chatEndpoints.listConversations.asStaff, subject) !== null
  )
    return refuse('FORBIDDEN')
  const page = pageOf(query, CONVERSATIONS_PER_PAGE)
  const asked = {
    viewerId: subject.userId,
    isForAll: query.scope === 'all',
    isStaff: subject.role === 'admin',
    isWaiting: query.waiting !== undefined,
    state: query.state ?? null,
    // An invalid tag becomes '', which no conversation has as a tag, so the list is empty.
    tag: query.tag === undefined ? null : (cleanTag(query.tag) ?? ''),
    topic: query.topic ?? null,
    after: query.after ?? null,
    nameKey: foldForSearch(query.username ?? '').replaceAll(/[^a-z0-9]/g, ''),
  }
  const filter = { ...asked, namedIds: await readNamed(db, asked) }
  const [{ rows, next }, counted] = await Promise.all([
    listConversations(db, filter, page),
    countConversations(db, filter, COUNT_CAP),
  ])
  const { data, meta } = listAnswer(rows, counted, page)
  return { data, meta: next === null ? meta : { ...meta, next } }
}

async function pageOfMessages(db: Database, subject: Subject, conversationId: string, query: QueryOf<'listMessages'>) {
  const page = pageOf(query, MESSAGES_PER_PAGE)
  const standing = await readStanding(db, conversationId, subject)
  if (standing === null || (!standing.isParticipant && subject.role !== 'admin'))
    return refuse('CONVERSATION_NOT_FOUND')
  const { isParticipant, lastSeq } = standing
  if (!isParticipant) await db.tx((tx) => recordAct(tx, subject.userId, 'chat.read', `conversation:${conversationId}`))
  const hiddenThroughSeq = isParticipant ? standing.hiddenThroughSeq : -1
  const { beforeSeq = null, afterSeq = null } = query
  const rows = await listMessages(db, { conversationId, beforeSeq, afterSeq, hiddenThroughSeq }, page)
  const above = Math.max(afterSeq ?? 0, hiddenThroughSeq, 0)
  const total = Math.max(0, Math.min(lastSeq, (beforeSeq ?? lastSeq + 1) - 1) - above)
  const answer = listAnswer(rows, total, page)
  return { ...answer, data: answer.data.toSorted((a, b) => b.seq - a.seq) }
}

// oxlint-disable-next-line max-lines-per-function -- a list of parts in their order (decision 036)
export function registerChatRoutes(api: Api, context: ChatContext): void {
  const { db } = context

  api.handle(
    chatEndpoints.listChatUsers,
    ({ subject, query }) => refuseOtherUser(subject, query.currentUserId) ?? listChatUsers(db, subject.userId),
  )
  api.handle(
    chatEndpoints.listConversations,
    ({ subject, query }) => refuseOtherUser(subject, query.userId) ?? pageOfConversations(db, subject, query),
  )
  api.handle(chatEndpoints.getConversation, ({ subject, params }) =>
    following(db, params.id, async (id) => {
      const standing = await readStanding(db, id, subject)
      const isAllowed = standing !== null && (standing.isParticipant || subject.role === 'admin')
      const conversation = isAllowed ? await readConversation(db, id, subject.userId) : null
      return conversation ?? refuse('CONVERSATION_NOT_FOUND')
    }),
  )

  api.handle(
    chatEndpoints.listMessages,
    ({ subject, params, query }) =>
      refuseOtherUser(subject, query.userId) ??
      // A merge gives messages new seqs, so a query with a seq of the old conversation does not follow the merge.
      (query.beforeSeq === undefined && query.afterSeq === undefined
        ? following(db, params.id, (id) => pageOfMessages(db, subject, id, query))
        : pageOfMessages(db, subject, params.id, query)),
  )
  api.handle(chatEndpoints.editMessage, ({ subject, params, body }) => {
    const content = cleanText(body.content)
    return content === null ? refuse('MESSAGE_INVALID') : changeMessage(context, subject, params.id, content)
  })
  api.handle(chatEndpoints.retractMessage, ({ subject, params }) => changeMessage(context, subject, params.id, null))
  api.handle(
    chatEndpoints.openConversation,
    ({ subject, body }) =>
      refuseOtherUser(subject, body.currentUserId) ?? openConversation(context, subject.userId, body.participantId),
  )
  api.handle(
    chatEndpoints.deleteConversation,
    ({ subject, params, query }) =>
      refuseOtherUser(subject, query.userId) ??
      following(db, params.id, async (id, isMerged) =>
        // After a merge, `throughSeq` is a seq of the old conversation, and would hide wrong messages of the new one.
        isMerged && query.throughSeq !== undefined
          ? refuse('CONVERSATION_NOT_FOUND')
          : deleteConversation(context, subject, id, query.throughSeq),
      ),
  )
  api.handle(chatEndpoints.readMissed, ({ subject, body }) => readMissed(db, subject, body.known))

  api.handle(chatEndpoints.readUnread, ({ subject }) => readUnread(db, subject))

  const readReplyTime = createReplyTime(db)
  api.handle(replyTimeEndpoints.readReplyTime, async () => {
    const [waits, { week, awayText, nowMs }] = await Promise.all([readReplyTime(), readHours(db)])
    const opensAtMs = nextOpeningMs(week, nowMs)
    return { ...waits, ...(opensAtMs !== nowMs && { away: { text: awayText, opensAtMs } }) }
  })

  api.handle(chatEndpoints.searchMessages, async ({ subject, query }) => {
    const { limit } = pageOf({ limit: query.limit }, MESSAGES_PER_PAGE)
    const text = query.text.trim()
    const key = searchKey(text)
    if (key === '') return []
    if (subject.role !== 'admin') return searchMessages(db, subject.userId, key, limit)
    await db.tx((tx) => recordAct(tx, subject.userId, 'chat.search', 'chat', { after: { text } }))
    return searchAllMessages(db, subject.userId, key, limit)
  })

  api.handle(chatEndpoints.changeState, ({ subject, params, body }) =>
    following(db, params.id, (id, isMerged) =>
      // After a merge, `seenSeq` is a seq of the old conversation. It is set to 0, which means that nothing was seen.
      changeState(context, subject, id, isMerged ? { ...body, seenSeq: 0 } : body),
    ),
  )

  api.handle(chatEndpoints.changeHolder, ({ subject, params, body }) =>
    following(db, params.id, (id) => changeHolder(context, subject, id, body.fromId, body.toId, body.note)),
  )

  api.handle(chatMergeEndpoints.mergeConversations, ({ subject, params, body }) =>
    following(db, params.id, (id) => mergeConversations(context, subject, id, body.otherId)),
  )
  api.handle(chatMergeEndpoints.listOfCustomer, async ({ subject, params }) => {
    const read = async (id: string) => (await readStanding(db, id, subject)) ?? refuse('CONVERSATION_NOT_FOUND')
    const standing = await following(db, params.id, read)
    return isRefused(standing) ? standing : listOfPlayer(db, standing.playerId, subject.userId)
  })

  api.handle(chatNoteEndpoints.listChatNotes, async ({ subject, params, query }) => {
    const page = pageOf(query)
    const found = await following(db, params.id, (id) => listNotes(db, subject.userId, id, page, COUNT_CAP))
    return isRefused(found) ? found : listAnswer(found.notes, found.counted, page)
  })
  api.handle(chatNoteEndpoints.addChatNote, ({ subject, params, body }) =>
    following(db, params.id, (id) => addNote(context, subject, id, body)),
  )
  api.handle(chatNoteEndpoints.readChatNotes, ({ subject, params, body }) =>
    following(db, params.id, (id) => readNotes(db, subject.userId, id, body.throughId)),
  )

  api.handle(careDutyEndpoints.readDuty, ({ subject }) => readDuty(db, subject.userId))
  api.handle(careDutyEndpoints.setDuty, ({ subject, body }) => setDuty(context, subject, body))
  api.handle(careDutyEndpoints.noteActive, async ({ subject }) => {
    if (await noteActive(db, subject.userId)) context.queue.emitDuty()
    return readDuty(db, subject.userId)
  })
  api.handle(chatTagEndpoints.changeTags, ({ subject, params, body }) =>
    following(db, params.id, (id) => changeTags(context, subject, id, body)),
  )
  api.handle(chatTagEndpoints.listTags, () => listTags(db))

  api.handle(chatEndpoints.listReplies, ({ subject }) => listReplies(db, subject.userId))
  api.handle(chatEndpoints.saveReply, ({ subject, body }) => saveReply(db, subject, body))
  api.handle(chatEndpoints.deleteReply, ({ subject, params }) =>
    deleteOwnOrShared(db, subject, 'staff:care', 'canned_replies', params.id),
  )

  api.handle(chatEndpoints.readCustomer, ({ subject, params }) =>
    following(db, params.id, async (id) => {
      const standing = await readStanding(db, id, subject)
      if (standing === null) return refuse('CONVERSATION_NOT_FOUND')
      await db.tx((tx) => recordAct(tx, subject.userId, 'chat.customer', `user:${standing.playerId}`))
      return (await readCustomer(db, standing.playerId)) ?? refuse('NOT_FOUND')
    }),
  )
}
