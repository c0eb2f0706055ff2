import type { ChatMessage, ChatPerson } from '#domain/chat/conversation.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import type { Page } from '#server/platform/http/lists.ts'

const person = (alias: string, prefix: string) =>
  `${alias}.id as ${prefix}_id, ${alias}.username as ${prefix}_name, ${alias}.avatar as ${prefix}_avatar, ${alias}.role as ${prefix}_role`

const MESSAGE_COLUMNS = `m.conversation_id, m.seq, m.id as message_id, m.client_id, m.kind, m.content, m.image_width,
  m.image_height, m.image_thumbhash, m.dispute_id, m.sent_at, ${person('s', 'sender')},
  (select coalesce(json_agg(r.user_id order by r.user_id), '[]') from conversation_members r
    where r.conversation_id = m.conversation_id and r.read_seq >= m.seq and r.user_id <> m.sender_id) as readers`

export const MESSAGES = `select ${MESSAGE_COLUMNS} from messages m join users s on s.id = m.sender_id`

export interface MessageRow extends Row {
  conversation_id: string
  seq: number
  message_id: string
  client_id: string
  kind: 'text' | 'image'
  content: string
  image_width: number | null
  image_height: number | null
  image_thumbhash: string | null
  dispute_id: string | null
  sent_at: Date
  sender_id: string
  sender_name: string
  sender_avatar: string | null
  sender_role: Role
  readers: string[]
}

export const toMessage = (row: MessageRow): ChatMessage => {
  const sentAtMs = row.sent_at.getTime()
  const sender: ChatPerson = {
    id: row.sender_id,
    username: row.sender_name,
    avatar: row.sender_avatar,
    role: row.sender_role,
  }
  const { image_width: width, image_height: height, image_thumbhash: thumbhash } = row
  return {
    id: row.message_id,
    conversationId: row.conversation_id,
    seq: row.seq,
    sender,
    clientMessageId: row.client_id,
    kind: row.kind,
    content: row.content,
    image: width === null || height === null || thumbhash === null ? null : { width, height, thumbhash },
    ...(row.dispute_id !== null && { disputeId: row.dispute_id }),
    sentAtMs,
    createdAtMs: sentAtMs,
    updatedAtMs: sentAtMs,
    readerIds: [row.sender_id, ...row.readers],
  }
}

/** The message that a sender stored under a client's id; null when none exists. */
export async function readSent(db: Queryable, senderId: string, clientMessageId: string): Promise<ChatMessage | null> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} where m.sender_id = $1 and m.client_id = $2`,
    [senderId, clientMessageId],
    { name: 'chat-read-sent' },
  )
  return rows[0] === undefined ? null : toMessage(rows[0])
}

export interface StoredMessage {
  readonly message: ChatMessage
  readonly playerId: string
  readonly holderId: string
}

/** Stored messages with the two users who receive them. */
export async function readToEmit(db: Queryable, messageIds: readonly string[]): Promise<StoredMessage[]> {
  const { rows } = await db.query<MessageRow & { player_id: string; holder_id: string }>(
    `select ${MESSAGE_COLUMNS}, c.player_id, c.holder_id from messages m join users s on s.id = m.sender_id
       join conversations c on c.id = m.conversation_id
      where m.id = any($1::uuid[]) order by m.conversation_id, m.seq`,
    [messageIds],
    { name: 'chat-read-to-emit' },
  )
  return rows.map((row) => ({ message: toMessage(row), playerId: row.player_id, holderId: row.holder_id }))
}

export interface MessageRange {
  readonly conversationId: string
  /** Messages above this seq, oldest first, so that no message between is skipped. */
  readonly afterSeq: number | null
  readonly beforeSeq: number | null
  /** The reader deleted messages up to this seq. */
  readonly hiddenThroughSeq: number
}

/** Messages of a range, newest first, one more than the page holds: the newest, or with `afterSeq` the oldest. */
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

/** Messages after the given seqs, ascending, at most `perConversation` of each conversation. */
export async function listMissed(
  db: Queryable,
  points: ReadonlyArray<{ readonly conversationId: string; readonly afterSeq: number }>,
  perConversation: number,
  atMost: number,
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `select ${MESSAGE_COLUMNS} from unnest($1::uuid[], $2::int[]) as k (id, after)
       cross join lateral (select * from messages n where n.conversation_id = k.id and n.seq > k.after order by n.seq limit $3) m
       join users s on s.id = m.sender_id
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

/** Patterns of SQL for texts that hold every word of `key`, in any order; for its signs where it has no word. */
function containing(key: string): string[] {
  const words = key.split(/[\s\p{P}]+/u).filter(Boolean)
  return (words.length === 0 ? [key] : words).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** The user's text messages that hold every word of `key`, newest first. */
export async function searchMessages(
  db: Queryable,
  userId: string,
  key: string,
  limit: number,
): Promise<ChatMessage[]> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} join conversations c on c.id = m.conversation_id
       join conversation_members me on me.conversation_id = c.id and me.user_id = $1
      where (c.player_id = $1 or c.holder_id = $1) and m.seq > me.hidden_through_seq
        and m.search_key like all ($2::text[]) order by m.sent_at desc, m.id desc limit $3`,
    [userId, containing(key), limit],
  )
  return rows.map(toMessage)
}

/**
 * What many messages hold is among the newest ones; of what few hold, so many older ones are looked at. Either bounds the
 * time of a search, however long the history is.
 */
const LOOKED_AT = 20_000

/**
 * Text messages of everybody that hold every word of `key`, newest first, but for those that the reader deleted: among
 * the newest ones wherever in a word it stands, among all others from a word's beginning.
 */
export async function searchAllMessages(
  db: Database,
  readerId: string,
  key: string,
  limit: number,
): Promise<ChatMessage[]> {
  const newest = `select * from messages order by sent_at desc, id desc limit ${LOOKED_AT}`
  const found = await searchAmong(db, newest, readerId, key, limit)
  if (found.length === limit) return found
  const older = await searchByWord(db, readerId, key, limit)
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...older.filter(({ id }) => !known.has(id))].slice(0, limit)
}

/** For a search of a few ms, whose set of messages is exact: workers and compiled code take longer to start. */
const QUICKLY = `select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

/** Text messages of everybody, of any age, that hold every word of `key` from its beginning, newest first. */
export async function searchByWord(db: Database, readerId: string, key: string, limit: number): Promise<ChatMessage[]> {
  const byWord = `select * from messages where kind = 'text' and message_words(search_key) @@ words_beginning($4)
    limit ${LOOKED_AT}`
  return db.tx(async (tx) => {
    await tx.query(QUICKLY)
    return searchAmong(tx, byWord, readerId, key, limit, [key])
  })
}

/** @param messages SQL for the messages to look at, with `more` from $4 on */
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
        order by f.sent_at desc, f.id desc limit $3) found using (conversation_id, seq)
      order by m.sent_at desc, m.id desc`,
    [readerId, containing(key), limit, ...more],
  )
  return rows.map(toMessage)
}
