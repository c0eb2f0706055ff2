import { CARE_DESK, type Conversation, decideOpen } from '#domain/chat/conversation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import type { ChatContext, Sides } from './ports.ts'
import { canHoldSql, readAccount, readConversation } from './queries.ts'
import { emitConversation } from './rooms.ts'

export interface Opened extends Sides {
  readonly conversationId: string
  readonly isNew: boolean
}

/** Returns null if the player already has a conversation with this holder, or in the queue if `holderId` is null. */
async function insertConversation(tx: Tx, playerId: string, holderId: string | null): Promise<string | null> {
  const id = newId()
  const { rowCount } = await tx.query(
    `insert into conversations (id, player_id, holder_id) values ($1, $2, $3) on conflict do nothing`,
    [id, playerId, holderId],
  )
  if (rowCount === 0) return null
  await tx.query(`insert into conversation_members (conversation_id, user_id) select $1, unnest($2::uuid[])`, [
    id,
    holderId === null ? [playerId] : [playerId, holderId],
  ])
  return id
}

/**
 * Returns the conversation in which a player asks customer care for something (rules §7.13): the latest one that is in
 * the queue or whose holder may still answer. If there is none, opens a new one in the queue.
 */
export async function openCareConversation(tx: Tx, playerId: string): Promise<Opened> {
  const latest = async (): Promise<Opened | undefined> => {
    const { rows } = await tx.query<{ id: string; holder_id: string | null }>(
      `select c.id, c.holder_id from conversations c left join users h on h.id = c.holder_id
        where c.player_id = $1 and (h.id is null or ${canHoldSql('h')})
        order by c.last_activity desc, c.id desc limit 1`,
      [playerId],
    )
    const row = rows[0]
    return row && { conversationId: row.id, isNew: false, playerId, holderId: row.holder_id }
  }
  const known = await latest()
  if (known !== undefined) return known
  const id = await insertConversation(tx, playerId, null)
  const opened = id === null ? await latest() : { conversationId: id, isNew: true, playerId, holderId: null }
  if (opened === undefined) throw new Error('A conversation is there and can’t be seen')
  return opened
}

/**
 * Finds or creates the conversation of two users. Simultaneous calls from both sides get the same conversation. A
 * player who names `CARE_DESK` gets the conversation that `openCareConversation` returns.
 */
export async function openInTx(
  tx: Tx,
  selfId: string,
  otherId: string,
): Promise<Opened | RefusedBy<'openConversation'>> {
  const [self, other] = await Promise.all([readAccount(tx, selfId), readAccount(tx, otherId)])
  if (self === null || self.isFrozen || self.isDeleted) return refuse('UNAUTHORIZED')
  if (otherId === CARE_DESK.id && self.role === 'player') return openCareConversation(tx, selfId)
  const decision = decideOpen(self, other)
  const ofBoth = `select id from conversations where player_id = $1 and holder_id = $2`
  const existing = async (playerId: string, holderId: string) =>
    (await tx.query<{ id: string }>(ofBoth, [playerId, holderId])).rows[0]?.id
  if (!decision.ok) return refuse(decision.refusal)
  const { playerId, holderId } = decision
  const known = await existing(playerId, holderId)
  if (known !== undefined) return { conversationId: known, isNew: false, playerId, holderId }
  const id = await insertConversation(tx, playerId, holderId)
  const conversationId = id ?? (await existing(playerId, holderId))
  if (conversationId === undefined) throw new Error('A conversation is there and can’t be seen')
  return { conversationId, isNew: id !== null, playerId, holderId }
}

/** Opens the conversation of two users: creates it if none exists, or shows it again if the caller had deleted it. */
export async function openConversation(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  selfId: string,
  otherId: string,
): Promise<Conversation | RefusedBy<'openConversation'>> {
  const opened = await retrying(db, async (tx) => {
    const found = await openInTx(tx, selfId, otherId)
    if (!isRefused(found) && !found.isNew)
      await tx.query(
        `update conversation_members set is_hidden = false where conversation_id = $1 and user_id = $2 and is_hidden`,
        [found.conversationId, selfId],
      )
    return found
  })
  if (isRefused(opened)) return opened
  const conversation = await readConversation(db, opened.conversationId, selfId)
  if (conversation === null) return refuse('CONVERSATION_NOT_FOUND')
  if (opened.isNew) await emitConversation({ db, hub }, 'conversation_created', opened.conversationId, opened)
  return conversation
}
