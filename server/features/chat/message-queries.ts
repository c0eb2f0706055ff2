import { FILES_PATH } from '#contract/files.ts'
import { CHANGE_WITHIN_MS, QUOTE_MAX } from '#domain/chat/change.ts'
import { CARE_DESK, type ChatMessage, type Quote } from '#domain/chat/conversation.ts'
import type { FileFacts } from '#domain/chat/file.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import type { Page } from '#server/platform/http/lists.ts'
import type { Sides } from './ports.ts'

export const isRetracted = (x: string) => `(${x}.message_id is not null and ${x}.content is null)`
export const contentOf = (m: string, x: string) =>
  `case when ${x}.message_id is null then ${m}.content else coalesce(${x}.content, '') end`

/**
 * SQL condition: another user sent the message, and the member has neither read nor hidden it (rules §7.4). The
 * features notices and push repeat this condition in their own queries.
 */
export const isUnread = (message: string, member: string, user: string): string =>
  `${message}.seq > greatest(${member}.read_seq, ${member}.hidden_through_seq) and not ${message}.seq <@ ${member}.read_apart
     and ${message}.sender_id <> ${user}`

const MESSAGE_COLUMNS = `m.conversation_id as "conversationId", m.seq, m.id, m.client_id as "clientMessageId",
  case when ${isRetracted('x')} then 'text' else m.kind end as kind, ${contentOf('m', 'x')} as content,
  case when x.message_id is null and num_nulls(m.image_width, m.image_height, m.image_thumbhash) = 0 then json_build_object(
      'width', m.image_width, 'height', m.image_height, 'thumbhash', m.image_thumbhash) end as image,
  case when x.message_id is null and m.file_key is not null then (select json_build_object('url', '${FILES_PATH}' || f.storage_key,
      'name', f.name, 'bytes', f.bytes) from uploads f where f.storage_key = m.file_key) end as file,
  m.dispute_id as "disputeId", ${msSql('m.sent_at')} as "sentAtMs", ${msSql('x.changed_at')} as "changedAtMs",
  ${isRetracted('x')} as "isRetracted",
  json_build_object('id', s.id, 'username', s.username, 'avatar', s.avatar, 'role', s.role) as sender,
  (select json_build_object('seq', q.seq, 'username', w.username, 'kind', case when ${isRetracted('y')} then 'retracted' else q.kind end,
      'text', case when q.kind = 'text' then left(${contentOf('q', 'y')}, ${QUOTE_MAX}) else '' end)
     from messages q join users w on w.id = q.sender_id left join message_changes y on y.message_id = q.id
    where q.conversation_id = m.conversation_id and q.seq = m.quoted_seq) as quoted,
  (select coalesce(json_agg(r.user_id order by r.user_id), '[]') from conversation_members r
    where r.conversation_id = m.conversation_id and (r.read_seq >= m.seq or m.seq <@ r.read_apart) and r.user_id <> m.sender_id) as readers`

export const SENDER_AND_CHANGE = 'join users s on s.id = m.sender_id left join message_changes x on x.message_id = m.id'

export const MESSAGES = `select ${MESSAGE_COLUMNS} from messages m ${SENDER_AND_CHANGE}`

type Plain = 'id' | 'conversationId' | 'seq' | 'clientMessageId' | 'kind' | 'content' | 'image' | 'sender' | 'sentAtMs'

export type MessageRow = Pick<ChatMessage, Plain> & {
  file: FileFacts | null
  disputeId: string | null
  changedAtMs: number | null
  isRetracted: boolean
  quoted: Quote | null
  readers: string[]
}

export const toMessage = ({
  file,
  disputeId,
  quoted,
  isRetracted: isGone,
  changedAtMs,
  readers,
  ...row
}: MessageRow): ChatMessage => ({
  ...row,
  ...(file !== null && { file }),
  ...(disputeId !== null && { disputeId }),
  ...(quoted !== null && { quoted }),
  ...(isGone ? { isRetracted: true } : changedAtMs !== null && { editedAtMs: changedAtMs }),
  createdAtMs: row.sentAtMs,
  updatedAtMs: changedAtMs ?? row.sentAtMs,
  readerIds: [row.sender.id, ...readers],
})

export async function readSent(db: Queryable, senderId: string, clientMessageId: string): Promise<ChatMessage | null> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} where m.sender_id = $1 and m.client_id = $2`,
    [senderId, clientMessageId],
    { name: 'chat-read-sent' },
  )
  return rows[0] === undefined ? null : toMessage(rows[0])
}

/** SQL condition: the user takes part in conversation `c`, as its player or, only among staff, as its holder. */
export const takesPart = (user: string, isStaff: string): string =>
  `(c.player_id = ${user} or ${isStaff} and c.holder_id = ${user})`

/**
 * SQL for the user who gets the holder's events of conversation `c`. If the holder has become a player, this is the id
 * of `CARE_DESK`, in whose room nobody is.
 */
export const HOLDER_TO_TELL = `(select case h.role when 'admin' then h.id else '${CARE_DESK.id}' end from users h where h.id = c.holder_id)`

/**
 * Reads messages by their own ids or by the ids of their newest changes. The id of an older change finds nothing.
 * `hiddenFor`: the users who have deleted the message for themselves.
 */
export async function readToEmit(db: Queryable, ids: readonly string[]) {
  const { rows } = await db.query<
    MessageRow & Pick<Sides, 'playerId' | 'holderId'> & { changeId: string | null; hiddenFor: string[] }
  >(
    `select ${MESSAGE_COLUMNS}, x.id as "changeId", c.player_id as "playerId", ${HOLDER_TO_TELL} as "holderId",
        (select coalesce(json_agg(d.user_id), '[]') from conversation_members d
          where d.conversation_id = m.conversation_id and d.hidden_through_seq >= m.seq) as "hiddenFor" from messages m ${SENDER_AND_CHANGE}
       join conversations c on c.id = m.conversation_id
      where m.id in (select unnest($1::uuid[]) union select message_id from message_changes where id = any($1::uuid[]))
      order by m.conversation_id, m.seq`,
    [ids],
    { name: 'chat-read-to-emit' },
  )
  return rows.map(({ changeId, playerId, holderId, hiddenFor, ...row }) => ({
    message: toMessage(row),
    changeId,
    playerId,
    holderId,
    hiddenFor,
  }))
}

export interface MessageRange {
  readonly conversationId: string
  /** If set, only messages after this seq are listed, the oldest first. Otherwise the newest message comes first. */
  readonly afterSeq: number | null
  readonly beforeSeq: number | null
  readonly hiddenThroughSeq: number
}

/** Returns up to `page.limit` messages and one more, which tells the caller that another page follows. */
export async function listMessages(db: Queryable, range: MessageRange, page: Page): Promise<ChatMessage[]> {
  const { conversationId, afterSeq, beforeSeq, hiddenThroughSeq } = range
  const direction = afterSeq === null ? 'desc' : 'asc'
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} where m.conversation_id = $1 and m.seq > $2 and m.seq < $3
      order by m.seq ${direction} limit $4 offset $5`,
    [conversationId, Math.max(afterSeq ?? 0, hiddenThroughSeq), beforeSeq ?? 2 ** 31 - 1, page.limit + 1, page.offset],
    { name: `chat-list-messages-${direction}` },
  )
  return rows.map(toMessage)
}

export async function listMissed(
  db: Queryable,
  points: ReadonlyArray<{ readonly conversationId: string; readonly afterSeq: number }>,
  perConversation: number,
  atMost: number,
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `select ${MESSAGE_COLUMNS} from unnest($1::uuid[], $2::int[]) as k (id, after)
       cross join lateral (select * from messages n where n.conversation_id = k.id and n.seq > k.after order by n.seq limit $3) m
       ${SENDER_AND_CHANGE}
      order by m.conversation_id, m.seq limit $4`,
    [
      points.map(({ conversationId }) => conversationId),
      points.map(({ afterSeq }) => afterSeq),
      perConversation,
      atMost,
    ],
    { name: 'chat-list-missed' },
  )
  return rows.map(toMessage)
}

/**
 * Returns, for each conversation, changed messages after `hiddenThroughSeq` and up to `afterSeq`, the last seq that the
 * client has. Leaves out changes made `CHANGE_WITHIN_MS` or more before the message `afterSeq` was sent (rules §7.15).
 */
export async function listChanged(
  db: Queryable,
  points: ReadonlyArray<{
    readonly conversationId: string
    readonly afterSeq: number
    readonly hiddenThroughSeq: number
  }>,
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `select ${MESSAGE_COLUMNS} from unnest($1::uuid[], $2::int[], $3::int[]) as k (id, after, hidden)
       join messages known on known.conversation_id = k.id and known.seq = k.after
       join message_changes x on x.conversation_id = k.id
        and x.changed_at > known.sent_at - $4 * interval '1 ms'
       join messages m on m.id = x.message_id and m.seq <= k.after and m.seq > k.hidden
       join users s on s.id = m.sender_id
      order by m.conversation_id, m.seq`,
    [
      points.map(({ conversationId }) => conversationId),
      points.map(({ afterSeq }) => afterSeq),
      points.map(({ hiddenThroughSeq }) => hiddenThroughSeq),
      CHANGE_WITHIN_MS,
    ],
    { name: 'chat-list-changed' },
  )
  return rows.map(toMessage)
}

/** Returns one LIKE pattern for each word of `key`; if `key` has no words, one for `key` itself. */
function containing(key: string): string[] {
  const words = key.split(/[\s\p{P}]+/u).filter(Boolean)
  return (words.length === 0 ? [key] : words).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** Searches a player's own conversations. */
export async function searchMessages(
  db: Queryable,
  userId: string,
  key: string,
  limit: number,
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} join conversations c on c.id = m.conversation_id
       join conversation_members me on me.conversation_id = c.id and me.user_id = $1
      where c.player_id = $1 and m.seq > me.hidden_through_seq
        and coalesce(x.search_key, m.search_key) like all ($2::text[]) order by m.sent_at desc, m.id desc limit $3`,
    [userId, containing(key), limit],
  )
  return rows.map(toMessage)
}

/** A search reads at most this many newest messages, as many newest changes, and as many messages found by words. */
const LOOKED_AT = 20_000

/**
 * Returns all users' text messages that contain every word of `key`, without those that the reader has hidden. In the
 * newest messages and changes, a word of `key` may be any part of a word. If fewer than `limit` match, older messages
 * follow. In these, the words of `key` must be whole words; only the last may be the beginning of a word (rules §7.5).
 */
export async function searchAllMessages(
  db: Database,
  readerId: string,
  key: string,
  limit: number,
): Promise<ChatMessage[]> {
  const newest = `
    select n.* from (select conversation_id, seq, id, sent_at, search_key from messages order by sent_at desc, id desc limit ${LOOKED_AT}) n
     where ${isUnchanged('n.id')}
    union all
    select m.conversation_id, m.seq, m.id, m.sent_at, x.search_key
      from (select * from message_changes order by changed_at desc limit ${LOOKED_AT}) x join messages m on m.id = x.message_id`
  const found = await searchAmong(db, newest, readerId, key, limit)
  if (found.length === limit) return found
  const older = await searchByWord(db, readerId, key, limit)
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...older.filter(({ id }) => !known.has(id))].slice(0, limit)
}

/** SQL condition: the message was never changed. A replaced or retracted text must not be found (rules §7.15). */
const isUnchanged = (id: string) => `not exists (select from message_changes x where x.message_id = ${id})`

/** Settings for a short query: to start parallel workers or to compile the query would take longer than to run it. */
const QUICKLY = `select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

export async function searchByWord(db: Database, readerId: string, key: string, limit: number): Promise<ChatMessage[]> {
  const byWord = `select * from messages where kind = 'text' and message_beginnings(search_key) @@ words_sought($4)
      and ${isUnchanged('messages.id')} limit ${LOOKED_AT}`
  return db.tx(async (tx) => {
    await tx.query(QUICKLY)
    return searchAmong(tx, byWord, readerId, key, limit, [key])
  })
}

/** @param messages SQL that selects the messages to search; its parameters from $4 on are `more` */
async function searchAmong(
  db: Queryable,
  messages: string,
  readerId: string,
  key: string,
  limit: number,
  more: readonly string[] = [],
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} join (
       select f.conversation_id, f.seq from (${messages}) f
         left join conversation_members me on me.conversation_id = f.conversation_id and me.user_id = $1
        where f.search_key like all ($2::text[]) and f.seq > coalesce(me.hidden_through_seq, -1)
        order by f.sent_at desc, f.id desc limit $3) found on found.conversation_id = m.conversation_id and found.seq = m.seq
      order by m.sent_at desc, m.id desc`,
    [readerId, containing(key), limit, ...more],
  )
  return rows.map(toMessage)
}
