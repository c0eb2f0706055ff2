import type { BodyOf } from '#contract/endpoints.ts'
import { CARE_DESK, type Conversation } from '#domain/chat/conversation.ts'
import { decideDeskChange } from '#domain/chat/desk.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { CHANGED_AT, lockHeld } from './give-conversation.ts'
import type { ChatContext } from './ports.ts'
import { lastCaseOf } from './queries.ts'
import { emitView } from './rooms.ts'

/**
 * Sets the state of a conversation's desk (rules §7.12). `done` ends the case (rules §7.16) and the wait for an answer.
 * If a `done` conversation gets another state, its case is open again. `done` and `snoozed` are refused if the player
 * sent a message that the holder has not seen. The check is made under the lock that storing a message takes.
 */
export async function changeState(
  { db, hub, queue }: Pick<ChatContext, 'db' | 'hub' | 'queue'>,
  subject: Subject,
  conversationId: string,
  change: BodyOf<'changeState'>,
): Promise<Conversation | RefusedBy<'changeState'>> {
  const { state, untilMs } = change
  const changed = await acting(db, subject, 'staff:care', async (tx) => {
    const row = await lockHeld(tx, conversationId)
    if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
    // This read comes after the lock, so it sees messages that were stored during the wait for the lock.
    const { rows } = await tx.query<{ seq: number }>(
      `select seq from messages where conversation_id = $1 and sender_id = $2 order by seq desc limit 1`,
      [conversationId, row.player_id],
    )
    const standing = { holderId: row.holder_id ?? CARE_DESK.id, newestOfPlayerSeq: rows[0]?.seq ?? 0 }
    const refusal = decideDeskChange(subject.userId, standing, change, await readNowMs(tx))
    if (refusal !== null) return refuse(refusal, refusal === 'HOLDER_CHANGED' ? { holder: row.holder_name } : undefined)
    const { rows: cases } = await tx.query<{ concerns_player: boolean }>(
      `with ended as (delete from conversations_waiting where conversation_id = $1 and $2 = 'done'),
       of_case as (
         update care_cases k set done_at = case when $2 = 'done' then clock_timestamp() end,
                done_by = case when $2 = 'done' then $4::uuid end
           from conversations c
          where c.id = $1 and (k.done_at is null) = ($2 = 'done') and ($2 = 'done' or c.state = 'done') and k.id = (
            ${lastCaseOf('$1', 'id')})
         returning k.first_reply_at is not null and k.rated_at is null as concerns_player),
       changed as (
         update conversations set state = $2, snoozed_until = $3, updated_at = ${CHANGED_AT} where id = $1)
       select concerns_player from of_case`,
      [conversationId, state, untilMs === null ? null : new Date(untilMs), subject.userId],
    )
    return cases[0]?.concerns_player === true ? row.player_id : null
  })
  if (isRefused(changed)) return changed
  queue.noteAct(subject.userId)
  if (state !== 'open') queue.assign()
  // The player's view has no state, but the event makes the client ask whether to show the case question.
  if (changed !== null) await emitView({ db, hub }, `chat:${changed}`, conversationId, changed)
  const seen = await emitView({ db, hub }, `chat:${subject.userId}`, conversationId, subject.userId)
  return seen ?? refuse('CONVERSATION_NOT_FOUND')
}
