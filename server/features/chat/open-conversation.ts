import { decideOpen, type Conversation } from '#domain/chat/conversation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import type { ChatContext } from './ports.ts'
import { readAccount, readConversation } from './queries.ts'

export interface Opened {
  readonly conversationId: string
  readonly isNew: boolean
}

/**
 * Finds or creates the conversation of two users in a transaction; simultaneous calls from both sides get the same one.
 */
export async function openInTx(
  tx: Tx,
  selfId: string,
  otherId: string,
): Promise<Opened | RefusedBy<'openConversation'>> {
  const [self, other] = await Promise.all([readAccount(tx, selfId), readAccount(tx, otherId)])
  if (self === null || self.isFrozen || self.isDeleted) return refuse('UNAUTHORIZED')
  const decision = decideOpen(self, other)
  const existing = async (playerId: string, holderId: string) =>
    (
      await tx.query<{ id: string }>(`select id from conversations where player_id = $1 and holder_id = $2`, [
        playerId,
        holderId,
      ])
    ).rows[0]?.id
  if (!decision.ok) return refuse(decision.refusal)
  const { playerId, holderId } = decision
  const known = await existing(playerId, holderId)
  if (known !== undefined) return { conversationId: known, isNew: false }
  const id = newId()
  const { rowCount } = await tx.query(
    `insert into conversations (id, player_id, holder_id) values ($1, $2, $3)
     on conflict on constraint one_conversation_of_two do nothing`,
    [id, playerId, holderId],
  )
  if (rowCount === 0) {
    const theirs = await existing(playerId, holderId)
    if (theirs === undefined) throw new Error('A conversation is there and can’t be seen')
    return { conversationId: theirs, isNew: false }
  }
  await tx.query(`insert into conversation_members (conversation_id, user_id) values ($1, $2), ($1, $3)`, [
    id,
    playerId,
    holderId,
  ])
  return { conversationId: id, isNew: true }
}

/** The conversation with another user, created when none exists. If the caller had deleted it, it is listed again. */
export async function openConversation(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  selfId: string,
  otherId: string,
): Promise<Conversation | RefusedBy<'openConversation'>> {
  const opened = await db.tx(async (tx) => {
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
  if (opened.isNew) {
    hub.emitTo(`chat:${selfId}`, 'conversation_created', conversation)
    const others = await readConversation(db, opened.conversationId, otherId)
    if (others !== null) hub.emitTo(`chat:${otherId}`, 'conversation_created', others)
  }
  return conversation
}
