import { chatEndpoints } from '#contract/chat.ts'
import { searchKey } from '#domain/chat/conversation.ts'
import { decideAccess } from '#domain/identity/permissions.ts'
import { usernameSearchKey } from '#domain/identity/credentials.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { refuseOtherUser } from '#server/platform/auth.ts'
import type { Database } from '#server/platform/db.ts'
import { refuse } from '#server/platform/errors.ts'
import type { Api } from '#server/platform/http.ts'
import { COUNT_CAP, listAnswer, pageOf } from '#server/platform/lists.ts'
import { changeHolder } from './change-holder.ts'
import { deleteConversation } from './delete-conversation.ts'
import { openConversation } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import {
  countConversations,
  listChatUsers,
  listConversations,
  listMessages,
  readConversation,
  readCustomer,
  readStanding,
  readUnread,
  searchMessages,
} from './queries.ts'
import { readMissed } from './read-missed.ts'
import { createReplyTime } from './reply-time.ts'

/** Page sizes of spec §9. */
const MESSAGES_PER_PAGE = 30
const CONVERSATIONS_PER_PAGE = 50

/** Staff may read other holders' conversations; every such access is in the audit log (rules §7). */
const recordLook = (db: Database, actor: string, act: 'chat.read' | 'chat.customer', target: string): Promise<void> =>
  db.tx((tx) => recordAct(tx, { actor, act, target, before: null, after: null, reason: null }))

export function registerChatRoutes(api: Api, context: ChatContext): void {
  const { db } = context

  api.handle(chatEndpoints.listChatUsers, ({ subject, query }) => {
    const refused = refuseOtherUser(subject, query.currentUserId)
    return refused ?? listChatUsers(db, subject.userId)
  })

  api.handle(chatEndpoints.listConversations, async ({ subject, query }) => {
    const refused = refuseOtherUser(subject, query.userId)
    if (refused !== null) return refused
    if (query.scope === 'all' && decideAccess(chatEndpoints.listConversations.asStaff, subject) !== null)
      return refuse('FORBIDDEN')
    const page = pageOf(query, CONVERSATIONS_PER_PAGE)
    const filter = {
      viewerId: subject.userId,
      isForAll: query.scope === 'all',
      nameKey: usernameSearchKey(query.username ?? '').replaceAll(/[^a-z0-9]/g, ''),
    }
    const [rows, counted] = await Promise.all([
      listConversations(db, filter, page),
      countConversations(db, filter, COUNT_CAP),
    ])
    return listAnswer(rows, counted, page)
  })

  api.handle(chatEndpoints.getConversation, async ({ subject, params }) => {
    const standing = await readStanding(db, params.id, subject.userId)
    const isAllowed = standing !== null && (standing.isParticipant || subject.role === 'admin')
    const conversation = isAllowed ? await readConversation(db, params.id, subject.userId) : null
    return conversation ?? refuse('CONVERSATION_NOT_FOUND')
  })

  api.handle(chatEndpoints.listMessages, async ({ subject, params, query }) => {
    const refused = refuseOtherUser(subject, query.userId)
    if (refused !== null) return refused
    const page = pageOf(query, MESSAGES_PER_PAGE)
    const standing = await readStanding(db, params.id, subject.userId)
    if (standing === null || (!standing.isParticipant && subject.role !== 'admin'))
      return refuse('CONVERSATION_NOT_FOUND')
    const { isParticipant, lastSeq } = standing
    if (!isParticipant) await recordLook(db, subject.userId, 'chat.read', `conversation:${params.id}`)
    const hiddenThroughSeq = isParticipant ? standing.hiddenThroughSeq : -1
    const { beforeSeq = null, afterSeq = null } = query
    const rows = await listMessages(db, { conversationId: params.id, beforeSeq, afterSeq, hiddenThroughSeq }, page)
    const above = Math.max(afterSeq ?? 0, hiddenThroughSeq, 0)
    const total = Math.max(0, Math.min(lastSeq, (beforeSeq ?? lastSeq + 1) - 1) - above)
    const answer = listAnswer(rows, total, page)
    return { ...answer, data: answer.data.toSorted((a, b) => b.seq - a.seq) }
  })

  api.handle(chatEndpoints.openConversation, ({ subject, body }) => {
    const refused = refuseOtherUser(subject, body.currentUserId)
    return refused ?? openConversation(context, subject.userId, body.participantId)
  })

  api.handle(chatEndpoints.deleteConversation, ({ subject, params, query }) => {
    const refused = refuseOtherUser(subject, query.userId)
    return refused ?? deleteConversation(context, subject.userId, params.id)
  })

  api.handle(chatEndpoints.readMissed, ({ subject, body }) => readMissed(db, subject.userId, body.known))

  api.handle(chatEndpoints.readUnread, ({ subject }) => readUnread(db, subject.userId))

  const readReplyTime = createReplyTime(db)
  api.handle(chatEndpoints.readReplyTime, async () => ({ usualMs: await readReplyTime() }))

  api.handle(chatEndpoints.searchMessages, async ({ subject, query }) => {
    const { limit } = pageOf({ limit: query.limit }, MESSAGES_PER_PAGE)
    const key = searchKey(query.text.trim())
    return key === '' ? [] : searchMessages(db, subject.userId, key, limit)
  })

  api.handle(chatEndpoints.changeHolder, ({ subject, params, body }) =>
    changeHolder(context, subject, params.id, body.fromId, body.toId),
  )

  api.handle(chatEndpoints.readCustomer, async ({ subject, params }) => {
    const standing = await readStanding(db, params.id, subject.userId)
    if (standing === null) return refuse('CONVERSATION_NOT_FOUND')
    await recordLook(db, subject.userId, 'chat.customer', `user:${standing.playerId}`)
    return (await readCustomer(db, standing.playerId)) ?? refuse('NOT_FOUND')
  })
}
