import { isAsked, type Satisfaction } from '#domain/chat/case.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import type { CaseTopic } from '#domain/chat/desk.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { lockHeld } from './give-conversation.ts'
import type { ChatContext } from './ports.ts'
import { lastCaseOf } from './queries.ts'
import { emitView } from './rooms.ts'

export async function changeTopic(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  subject: Subject,
  conversationId: string,
  topic: CaseTopic | null,
): Promise<Conversation | RefusedBy<'changeTopic'>> {
  const refused = await acting(db, subject, 'staff:care', async (tx) => {
    const held = await lockHeld(tx, conversationId)
    if (held === undefined) return refuse('CONVERSATION_NOT_FOUND')
    if (held.holder_id !== subject.userId) return refuse('HOLDER_CHANGED', { holder: held.holder_name })
    const { rowCount } = await tx.query(`update care_cases set topic = $2 where id = (${lastCaseOf('$1', 'id')})`, [
      conversationId,
      topic,
    ])
    return rowCount === 0 ? refuse('NOT_FOUND') : null
  })
  if (refused !== null) return refused
  const seen = await emitView({ db, hub }, `chat:${subject.userId}`, conversationId, subject.userId)
  return seen ?? refuse('CONVERSATION_NOT_FOUND')
}

async function readLast(q: Queryable, conversationId: string, playerId: string) {
  const { rows } = await q.query<
    Parameters<typeof isAsked>[0] & { readonly id: string | null; readonly lastSeq: number }
  >(
    `select c.last_seq as "lastSeq", k.id, k.first_reply_at is not null as "isReplied", k.done_at is not null as "isDone",
            k.rated_at is not null as "isRated"
       from conversations c
       left join lateral (${lastCaseOf('c.id', '*')}) k on true
      where c.id = $1 and c.player_id = $2`,
    [conversationId, playerId],
  )
  return rows[0] === undefined ? null : { ...rows[0], isAsked: isAsked(rows[0]) }
}

/** Returns whether to ask the player if customer care helped. Tells nothing else about the case (rules §7.16). */
export async function readCaseQuestion(
  db: Queryable,
  conversationId: string,
  playerId: string,
): Promise<{ readonly isAsked: boolean; readonly lastSeq: number } | RefusedBy<'readCaseQuestion'>> {
  const last = await readLast(db, conversationId, playerId)
  return last === null ? refuse('CONVERSATION_NOT_FOUND') : { isAsked: last.isAsked, lastSeq: last.lastSeq }
}

export const rateCase = (
  { db }: Pick<ChatContext, 'db'>,
  subject: Subject,
  conversationId: string,
  { satisfaction, text }: { readonly satisfaction: Satisfaction | null; readonly text: string },
) =>
  retrying(db, async (tx) => {
    await tx.query(`select 1 from conversations where id = $1 and player_id = $2 for update`, [
      conversationId,
      subject.userId,
    ])
    // This read comes after the lock, so it sees rows that were stored during the wait for the lock.
    const last = await readLast(tx, conversationId, subject.userId)
    if (last === null) return refuse('CONVERSATION_NOT_FOUND')
    if (!last.isAsked) return refuse('NOT_ASKED')
    const said = satisfaction === null ? '' : text.trim()
    await tx.query(
      `update care_cases set satisfaction = $2, satisfaction_text = $3, rated_at = clock_timestamp() where id = $1`,
      [last.id, satisfaction, said === '' ? null : said],
    )
    return null
  })
