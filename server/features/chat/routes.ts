import type * as z from 'zod/mini'
import { chatEndpoints } from '#contract/chat.ts'
import { searchKey } from '#domain/chat/conversation.ts'
import { decideAccess, type Subject } from '#domain/identity/permissions.ts'
import { usernameSearchKey } from '#domain/identity/credentials.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { refuseOtherUser } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { deleteOwnOrShared } from '#server/platform/http/own-or-shared.ts'
import { COUNT_CAP, listAnswer, pageOf } from '#server/platform/http/lists.ts'
import { changeHolder } from './change-holder.ts'
import { changeState } from './change-state.ts'
import { deleteConversation } from './delete-conversation.ts'
import { listMessages, searchAllMessages, searchMessages } from './message-queries.ts'
import { openConversation } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import {
  countConversations,
  listChatUsers,
  listConversations,
  readConversation,
  readCustomer,
  readStanding,
  readUnread,
} from './queries.ts'
import { readMissed } from './read-missed.ts'
import { listReplies, saveReply } from './replies.ts'
import { createReplyTime } from './reply-time.ts'

/** Page sizes of spec §9. */
const MESSAGES_PER_PAGE = 30
const CONVERSATIONS_PER_PAGE = 50

/** Staff may read and search other holders' conversations; every such access is in the audit log (docs/rules.md §7.1). */
const recordLook = (
  db: Database,
  actor: string,
  act: 'chat.read' | 'chat.search' | 'chat.customer',
  target: string,
  after: { readonly text: string } | null = null,
): Promise<void> => db.tx((tx) => recordAct(tx, { actor, act, target, after }))

type QueryOf<Name extends 'listConversations' | 'listMessages'> = z.output<(typeof chatEndpoints)[Name]['query']>

async function pageOfConversations(db: Database, subject: Subject, query: QueryOf<'listConversations'>) {
  if (
    (query.scope === 'all' || query.waiting !== undefined) &&
    decideAccess(chatEndpoints.listConversations.asStaff, subject) !== null
  )
    return refuse('FORBIDDEN')
  const page = pageOf(query, CONVERSATIONS_PER_PAGE)
  const filter = {
    viewerId: subject.userId,
    isForAll: query.scope === 'all',
    isWaiting: query.waiting !== undefined,
    nameKey: usernameSearchKey(query.username ?? '').replaceAll(/[^a-z0-9]/g, ''),
  }
  const [rows, counted] = await Promise.all([
    listConversations(db, filter, page),
    countConversations(db, filter, COUNT_CAP),
  ])
  return listAnswer(rows, counted, page)
}

async function pageOfMessages(db: Database, subject: Subject, conversationId: string, query: QueryOf<'listMessages'>) {
  const page = pageOf(query, MESSAGES_PER_PAGE)
  const standing = await readStanding(db, conversationId, subject.userId)
  if (standing === null || (!standing.isParticipant && subject.role !== 'admin'))
    return refuse('CONVERSATION_NOT_FOUND')
  const { isParticipant, lastSeq } = standing
  if (!isParticipant) await recordLook(db, subject.userId, 'chat.read', `conversation:${conversationId}`)
  const hiddenThroughSeq = isParticipant ? standing.hiddenThroughSeq : -1
  const { beforeSeq = null, afterSeq = null } = query
  const rows = await listMessages(db, { conversationId, beforeSeq, afterSeq, hiddenThroughSeq }, page)
  const above = Math.max(afterSeq ?? 0, hiddenThroughSeq, 0)
  const total = Math.max(0, Math.min(lastSeq, (beforeSeq ?? lastSeq + 1) - 1) - above)
  const answer = listAnswer(rows, total, page)
  return { ...answer, data: answer.data.toSorted((a, b) => b.seq - a.seq) }
}

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
  api.handle(chatEndpoints.getConversation, async ({ subject, params }) => {
    const standing = await readStanding(db, params.id, subject.userId)
    const isAllowed = standing !== null && (standing.isParticipant || subject.role === 'admin')
    const conversation = isAllowed ? await readConversation(db, params.id, subject.userId) : null
    return conversation ?? refuse('CONVERSATION_NOT_FOUND')
  })

  api.handle(
    chatEndpoints.listMessages,
    ({ subject, params, query }) =>
      refuseOtherUser(subject, query.userId) ?? pageOfMessages(db, subject, params.id, query),
  )
  api.handle(
    chatEndpoints.openConversation,
    ({ subject, body }) =>
      refuseOtherUser(subject, body.currentUserId) ?? openConversation(context, subject.userId, body.participantId),
  )
  api.handle(
    chatEndpoints.deleteConversation,
    ({ subject, params, query }) =>
      refuseOtherUser(subject, query.userId) ?? deleteConversation(context, subject.userId, params.id),
  )
  api.handle(chatEndpoints.readMissed, ({ subject, body }) => readMissed(db, subject.userId, body.known))

  api.handle(chatEndpoints.readUnread, ({ subject }) => readUnread(db, subject.userId))

  const readReplyTime = createReplyTime(db)
  api.handle(chatEndpoints.readReplyTime, async () => ({ usualMs: await readReplyTime() }))

  api.handle(chatEndpoints.searchMessages, async ({ subject, query }) => {
    const { limit } = pageOf({ limit: query.limit }, MESSAGES_PER_PAGE)
    const text = query.text.trim()
    const key = searchKey(text)
    if (key === '') return []
    if (subject.role !== 'admin') return searchMessages(db, subject.userId, key, limit)
    await recordLook(db, subject.userId, 'chat.search', 'chat', { text })
    return searchAllMessages(db, subject.userId, key, limit)
  })

  api.handle(chatEndpoints.changeState, ({ subject, params, body }) => changeState(context, subject, params.id, body))

  api.handle(chatEndpoints.changeHolder, ({ subject, params, body }) =>
    changeHolder(context, subject, params.id, body.fromId, body.toId),
  )

  api.handle(chatEndpoints.listReplies, ({ subject }) => listReplies(db, subject.userId))
  api.handle(chatEndpoints.saveReply, ({ subject, body }) => saveReply(db, subject, body))
  api.handle(chatEndpoints.deleteReply, ({ subject, params }) =>
    deleteOwnOrShared(db, subject, 'staff:care', 'canned_replies', params.id),
  )

  api.handle(chatEndpoints.readCustomer, async ({ subject, params }) => {
    const standing = await readStanding(db, params.id, subject.userId)
    if (standing === null) return refuse('CONVERSATION_NOT_FOUND')
    await recordLook(db, subject.userId, 'chat.customer', `user:${standing.playerId}`)
    return (await readCustomer(db, standing.playerId)) ?? refuse('NOT_FOUND')
  })
}
