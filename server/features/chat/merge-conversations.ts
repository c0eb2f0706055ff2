import type { Conversation } from '#domain/chat/conversation.ts'
import { decideMerge, type Mergeable } from '#domain/chat/merge.ts'
import { TAGS_MAX } from '#domain/chat/tags.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { refuseNaming } from './give-conversation.ts'
import { readMerged } from './merged.ts'
import type { ChatContext } from './ports.ts'
import { canHoldSql, readConversation } from './queries.ts'
import { emitMerge } from './rooms.ts'

interface LockedRow extends Mergeable, Row {
  readonly id: string
  readonly holderName: string | null
}

async function lockBoth(tx: Tx, ids: readonly string[]): Promise<LockedRow[]> {
  await tx.query(`select 1 from conversations where id = any($1::uuid[]) order by id for update`, [ids])
  // `markRead` does not lock the conversation, so the members' rows with the read markers are locked as well.
  await tx.query(
    `select 1 from conversation_members where conversation_id = any($1::uuid[]) order by conversation_id, user_id for update`,
    [ids],
  )
  // This read comes after the locks, so it sees rows that were written during the wait for them.
  const { rows } = await tx.query<LockedRow>(
    `select c.id, c.player_id as "playerId", c.holder_id as "holderId", h.username as "holderName",
            coalesce(${canHoldSql('h')}, false) as "isActive", c.state = 'done' and w.since is null as "isDone"
       from conversations c left join users h on h.id = c.holder_id
       left join conversations_waiting w on w.conversation_id = c.id where c.id = any($1::uuid[])`,
    [ids],
  )
  return rows
}

/**
 * SQL: if both conversations have an open case, keeps the earlier case and deletes the later one. The kept case gets
 * the first reply to either, counts as reopened if either does, and takes the later case's topic if it has none.
 */
const FOLD_CASES = `
  with open as (select * from care_cases where conversation_id = any($1::uuid[]) and done_at is null order by opened_at),
  kept as (select id from open limit 1),
  gone as (delete from care_cases where id in (select id from open offset 1)),
  reply as (select first_reply_at, first_reply_by from open where first_reply_at is not null order by first_reply_at limit 1)
  update care_cases k set topic = coalesce(k.topic, (select topic from open offset 1 limit 1)),
         first_reply_at = (select first_reply_at from reply), first_reply_by = (select first_reply_by from reply),
         is_reopened = (select bool_or(is_reopened) from open)
    from kept where k.id = kept.id and (select count(*) from open) = 2`

/**
 * Moves messages, members, waits, tags, notes and cases of two conversations into a new one, in one statement, because
 * foreign keys are checked at a statement's end. Messages are ordered by time; those of one conversation keep their
 * order even if the clock was set back. For each side, exactly the unread messages stay unread: the read marker is set
 * before the first of them, and `read_apart` has the seqs after the marker that are not unread.
 */
const REHOME = `
  with places as (
    select id, conversation_id as from_id, seq as from_seq, quoted_seq, sender_id,
           row_number() over (order by at, conversation_id, seq)::integer as seq
      from (select *, max(sent_at) over (partition by conversation_id order by seq) as at
              from messages where conversation_id = any($2::uuid[])) m),
  total as (select count(*)::integer as n from places),
  sides as (
    select v.user_id, x.id as from_id, coalesce(me.hidden_through_seq, -1) as hidden, coalesce(me.is_hidden, false) as is_hidden,
           coalesce(max(r.read_seq), 0) as read, coalesce(range_agg(r.read_apart), '{}') as apart
      from unnest(array[$3, $4]::uuid[]) v (user_id) cross join unnest($2::uuid[]) x (id)
      left join conversation_members me on me.conversation_id = x.id and me.user_id = v.user_id
      left join conversation_members r on r.conversation_id = x.id and (r.user_id = $3) = (v.user_id = $3)
     group by 1, 2, 3, 4),
  seen as (
    select s.user_id, s.is_hidden, p.seq, p.from_seq > s.hidden as is_shown, p.from_seq > greatest(s.read, s.hidden)
           and not p.from_seq <@ s.apart and (p.sender_id = $3) <> (s.user_id = $3) as is_unread
      from sides s left join places p on p.from_id = s.from_id),
  marks as (
    select user_id, bool_and(is_hidden) as is_hidden, coalesce(min(seq) filter (where is_shown), total.n + 1) - 1 as hidden,
           coalesce(min(seq) filter (where is_unread), total.n + 1) - 1 as read,
           coalesce(range_agg(int4range(seq, seq, '[]')) filter (where not is_unread), '{}') as apart
      from total cross join seen group by user_id, total.n),
  gone as (delete from conversations where id = any($2::uuid[]) returning *),
  born as (
    insert into conversations (id, player_id, holder_id, last_seq, last_activity, created_at, state, snoozed_until)
    select $1, $3, $4, total.n, max(last_activity), min(created_at), merged.state,
           case when merged.state = 'snoozed' then min(snoozed_until) filter (where g.state = 'snoozed') end
      from gone g cross join total cross join lateral (select case
        when bool_or(o.state = 'open' or o.snoozed_until <= clock_timestamp()) then 'open'
        when bool_or(o.state = 'snoozed') then 'snoozed' else 'done' end as state from gone o) merged
     group by total.n, merged.state),
  moved as (
    update messages m set conversation_id = $1, seq = p.seq, quoted_seq = q.seq
      from places p left join places q on q.from_id = p.from_id and q.from_seq = p.quoted_seq where m.id = p.id),
  left_members as (delete from conversation_members where conversation_id = any($2::uuid[])),
  members as (
    insert into conversation_members (conversation_id, user_id, read_seq, read_apart, hidden_through_seq, is_hidden)
    select $1, user_id, read, apart - int4multirange(int4range(null, read, '[]')), case when hidden = 0 then -1 else hidden end,
           is_hidden from marks),
  waited as (delete from conversations_waiting where conversation_id = any($2::uuid[]) returning since),
  waits as (insert into conversations_waiting (conversation_id, since) select $1, min(since) from waited having count(*) > 0),
  untagged as (delete from conversation_tags where conversation_id = any($2::uuid[]) returning *),
  tagged as (
    insert into conversation_tags (conversation_id, tag, added_by, added_at)
    select $1, * from (select distinct on (tag) tag, added_by, added_at from untagged order by tag, added_at) t
     order by added_at, tag limit ${TAGS_MAX}),
  noted as (update conversation_notes set conversation_id = $1 where conversation_id = any($2::uuid[])),
  cases as (update care_cases set conversation_id = $1 where conversation_id = any($2::uuid[]))
  select n from total`

/**
 * Moves both conversations into a new one and returns its number of messages. Rows in merged_conversations lead from
 * both ids, and from the ids of conversations that an earlier merge moved into either of them, to the new id.
 */
async function rehome(tx: Tx, intoId: string, own: LockedRow, other: LockedRow): Promise<number> {
  const fromIds = [own.id, other.id]
  await tx.query(FOLD_CASES, [fromIds])
  await tx.query(
    `with led_on as (update merged_conversations set into_id = $1 where into_id = any($2::uuid[]))
     insert into merged_conversations (id, into_id) select unnest($2::uuid[]), $1`,
    [intoId, fromIds],
  )
  const { rows } = await tx.query<{ n: number }>(REHOME, [intoId, fromIds, own.playerId, own.holderId])
  // A change is written under its message's lock, and REHOME has locked all messages, so no change is missed.
  await tx.query(`update message_changes set conversation_id = $1 where conversation_id = any($2::uuid[])`, [
    intoId,
    fromIds,
  ])
  return rows[0]?.n ?? 0
}

/**
 * Merges two conversations of a player into a new one (rules §7.19), or returns the new one if they are merged already.
 * Refuses unless the actor holds `conversationId` and no admin still answers in `otherId` (`isHeld`). The new
 * conversation has a new id: under an old id, clients would take its seqs for the old conversation's (decision 035).
 */
export async function mergeConversations(
  { db, hub, queue }: Pick<ChatContext, 'db' | 'hub' | 'queue'>,
  subject: Subject,
  conversationId: string,
  otherId: string,
): Promise<Conversation | RefusedBy<'mergeConversations'>> {
  const merged = await acting(db, subject, 'staff:care', async (tx) => {
    const namedId = (await readMerged(tx, otherId)) ?? otherId
    if (namedId === conversationId) return { intoId: conversationId, from: null }
    const locked = await lockBoth(tx, [conversationId, namedId])
    const [own, other] = [conversationId, namedId].map((id) => locked.find((row) => row.id === id))
    if (own === undefined || other === undefined) return refuse('CONVERSATION_NOT_FOUND')
    const refusal = decideMerge(subject.userId, own, other)
    if (refusal === 'MERGE_HELD') return refuseNaming(refusal, other.holderName)
    if (refusal !== null) return refuse(refusal, refusal === 'HOLDER_CHANGED' ? { holder: own.holderName } : undefined)
    const intoId = newId()
    const messages = await rehome(tx, intoId, own, other)
    await recordAct(tx, subject.userId, 'chat.merge', `conversation:${intoId}`, {
      before: { kept: own.id, merged: other.id, holder: other.holderId },
      after: { holder: subject.userId, messages },
    })
    return { intoId, from: { own, other } }
  })
  if (isRefused(merged)) return merged
  const { intoId, from } = merged
  queue.noteAct(subject.userId)
  if (from !== null)
    await emitMerge({ db, hub }, intoId, {
      sides: { playerId: from.own.playerId, holderId: subject.userId },
      fromIds: [from.own.id, from.other.id],
      otherHolderId: from.other.holderId,
    })
  return (await readConversation(db, intoId, subject.userId)) ?? refuse('CONVERSATION_NOT_FOUND')
}
