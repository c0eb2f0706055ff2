import type { Customer } from '#contract/chat.ts'
import type { ChatAccount, ChatMessage, ChatPerson, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import type { Capability, Role } from '#domain/identity/permissions.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import type { Page } from '#server/platform/lists.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'

/** True while a process with a live lease has a socket of the user `u.id`. */
const isOnline = (user: string) => `exists (select from presence_users o join presence_processes l using (process_id)
    where o.user_id = ${user} and l.lease_until > clock_timestamp())`

const person = (alias: string, prefix: string) =>
  `${alias}.id as ${prefix}_id, ${alias}.username as ${prefix}_name, ${alias}.avatar as ${prefix}_avatar, ${alias}.role as ${prefix}_role`

const MESSAGE_COLUMNS = `m.conversation_id, m.seq, m.id as message_id, m.client_id, m.kind, m.content, m.image_width,
  m.image_height, m.image_thumbhash, m.dispute_id, m.sent_at, ${person('s', 'sender')},
  (select coalesce(json_agg(r.user_id order by r.user_id), '[]') from conversation_members r
    where r.conversation_id = m.conversation_id and r.read_seq >= m.seq and r.user_id <> m.sender_id) as readers`

const MESSAGES = `select ${MESSAGE_COLUMNS} from messages m join users s on s.id = m.sender_id`

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

interface ConversationRow extends Row {
  id: string
  last_seq: number
  last_activity: Date
  created_at: Date
  updated_at: Date
  player: PersonJson
  holder: PersonJson
  is_active: boolean
  read_seq: number
  peer_read_seq: number
  hidden_through_seq: number
  unread: bigint
  last_message: MessageJson | null
}

interface PersonJson {
  id: string
  username: string
  avatar: string | null
  role: Role
  isOnline: boolean
  lastSeenAt: string | null
}

type MessageJson = Omit<MessageRow, 'sent_at'> & { sent_at: string }

const personJson = (alias: string) => `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
    'avatar', ${alias}.avatar, 'role', ${alias}.role, 'isOnline', ${isOnline(`${alias}.id`)},
    'lastSeenAt', (select seen_at from presence_last_seen n where n.user_id = ${alias}.id))`

/** `canHold` of the domain, in SQL. */
export const canHoldSql = (alias: string): string =>
  `(${alias}.role = 'admin' and 'care' = any(${alias}.capabilities) and not ${alias}.is_frozen and ${alias}.deleted_at is null)`

/**
 * Conversations as a user sees them. For a user who is neither the player nor the holder they contain no message.
 * @param viewer the placeholder of the user's id
 */
const conversationsFor = (
  viewer: string,
): string => `select c.id, c.last_seq, c.last_activity, c.created_at, c.updated_at,
    ${personJson('p')} as player, ${personJson('h')} as holder,
    ${canHoldSql('h')} as is_active,
    coalesce(me.read_seq, 0) as read_seq, coalesce(peer.read_seq, 0) as peer_read_seq,
    coalesce(me.hidden_through_seq, -1) as hidden_through_seq,
    case when ${viewer} in (c.player_id, c.holder_id) then (select count(*) from messages u where u.conversation_id = c.id
      and u.seq > greatest(me.read_seq, me.hidden_through_seq) and u.sender_id <> ${viewer}) else 0 end as unread,
    case when ${viewer} in (c.player_id, c.holder_id) then (select to_json(t) from (
      ${MESSAGES} where m.conversation_id = c.id and m.seq = c.last_seq and m.seq > me.hidden_through_seq) t) end as last_message
  from conversations c join users p on p.id = c.player_id join users h on h.id = c.holder_id
  left join conversation_members me on me.conversation_id = c.id and me.user_id = ${viewer}
  left join conversation_members peer on peer.conversation_id = c.id
    and peer.user_id = case when ${viewer} = c.player_id then c.holder_id else c.player_id end`

const CONVERSATIONS = conversationsFor('$1')

const toUser = ({ lastSeenAt, ...rest }: PersonJson): ChatUser => ({
  ...rest,
  lastSeenAtMs: lastSeenAt === null ? null : Date.parse(lastSeenAt),
})

const toConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  participants: [toUser(row.player), toUser(row.holder)],
  lastMessage:
    row.last_message === null
      ? null
      : toMessage({ ...row.last_message, sent_at: new Date(row.last_message.sent_at) } as MessageRow),
  lastSeq: row.last_seq,
  lastActivityAtMs: row.last_activity.getTime(),
  createdAtMs: row.created_at.getTime(),
  updatedAtMs: row.updated_at.getTime(),
  isActive: row.is_active,
  unreadCount: Number(row.unread),
  readSeq: row.read_seq,
  peerReadSeq: row.peer_read_seq,
  hiddenThroughSeq: row.hidden_through_seq,
})

/** One conversation as a user sees it; null when none exists. The caller checks the user's permission. */
export async function readConversation(
  db: Queryable,
  conversationId: string,
  viewerId: string,
): Promise<Conversation | null> {
  const { rows } = await db.query<ConversationRow>(`${CONVERSATIONS} where c.id = $2`, [viewerId, conversationId], {
    name: 'chat-read-conversation',
  })
  return rows[0] === undefined ? null : toConversation(rows[0])
}

/** True when the conversation is listed: not deleted by the viewer, or followed by a later message (rules §7). */
const IS_LISTED = '(not me.is_hidden or c.last_seq > me.hidden_through_seq)'

export interface ConversationFilter {
  readonly viewerId: string
  /** Conversations of all holders, for staff to claim. */
  readonly isForAll: boolean
  /** Part of the other person's name, in lower case; '' matches every conversation. */
  readonly nameKey: string
}

/** @param viewer the placeholder of the viewer's id */
function conditions({ add }: Params, viewer: string, { isForAll, nameKey }: ConversationFilter): string {
  const own = `${viewer} in (c.player_id, c.holder_id) and ${IS_LISTED}`
  // Two separate conditions, so that each uses its own index.
  const listed = isForAll ? 'c.last_seq > 0' : `(c.player_id = ${viewer} or c.holder_id = ${viewer}) and ${own}`
  if (nameKey === '') return listed
  const otherName = `case when c.player_id = ${viewer} then h.username_key else p.username_key end`
  return `${listed} and (${otherName}) like '%' || ${add(nameKey)} || '%'`
}

/** Matching conversations, latest first, one more than the page holds. */
export async function listConversations(
  db: Queryable,
  filter: ConversationFilter,
  page: Page,
): Promise<Conversation[]> {
  const params = collectParams()
  const viewer = params.add(filter.viewerId)
  const { rows } = await db.query<ConversationRow>(
    `${conversationsFor(viewer)} where ${conditions(params, viewer, filter)} order by c.last_activity desc, c.id desc
      limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}`,
    params.values,
  )
  return rows.map(toConversation)
}

/** Number of matching conversations, counted only up to `cap`. */
export async function countConversations(db: Queryable, filter: ConversationFilter, cap: number): Promise<number> {
  const params = collectParams()
  const viewer = params.add(filter.viewerId)
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from conversations c join users p on p.id = c.player_id join users h on h.id = c.holder_id
       left join conversation_members me on me.conversation_id = c.id and me.user_id = ${viewer}
      where ${conditions(params, viewer, filter)} limit ${params.add(cap)}) counted`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n)
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

/** The user's listed conversations among the named ones, and the latest of those not named. */
export async function listKnownAndNew(
  db: Queryable,
  viewerId: string,
  knownIds: readonly string[],
  newAtMost: number,
): Promise<{ known: Conversation[]; fresh: Conversation[] }> {
  const own = `(c.player_id = $1 or c.holder_id = $1) and ${IS_LISTED}`
  const [known, fresh] = await Promise.all([
    db.query<ConversationRow>(`${CONVERSATIONS} where ${own} and c.id = any($2::uuid[])`, [viewerId, knownIds]),
    db.query<ConversationRow>(
      `${CONVERSATIONS} where ${own} and not c.id = any($2::uuid[]) order by c.last_activity desc, c.id desc limit $3`,
      [viewerId, knownIds, newAtMost],
    ),
  ])
  return { known: known.rows.map(toConversation), fresh: fresh.rows.map(toConversation) }
}

/** The other admins who can hold conversations, those who are online first. */
export async function listChatUsers(db: Queryable, exceptId: string): Promise<ChatUser[]> {
  const { rows } = await db.query<{ person: PersonJson }>(
    `select ${personJson('u')} as person from users u
      where ${canHoldSql('u')} and u.id <> $1
      order by ${isOnline('u.id')} desc, u.username_key limit 200`,
    [exceptId],
  )
  return rows.map(({ person: one }) => toUser(one))
}

/** Unread counts over all the user's conversations, in one query. */
export async function readUnread(db: Queryable, userId: string): Promise<{ conversations: number; messages: number }> {
  const { rows } = await db.query<{ conversations: bigint; messages: bigint }>(
    `select count(*) filter (where n > 0) as conversations, coalesce(sum(n), 0)::bigint as messages from (
       select (select count(*) from messages u where u.conversation_id = c.id
                and u.seq > greatest(me.read_seq, me.hidden_through_seq) and u.sender_id <> $1) as n
         from conversations c join conversation_members me on me.conversation_id = c.id and me.user_id = $1
        where c.player_id = $1 or c.holder_id = $1) counted`,
    [userId],
    { name: 'chat-read-unread' },
  )
  return { conversations: Number(rows[0]?.conversations ?? 0n), messages: Number(rows[0]?.messages ?? 0n) }
}

/** The user's text messages that contain `key`, newest first. */
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
        and m.search_key like '%' || $2 || '%' order by m.sent_at desc, m.id desc limit $3`,
    [userId, key.replaceAll(/[\\%_]/g, '\\$&'), limit],
  )
  return rows.map(toMessage)
}

/** What a user may do in a conversation. */
export interface Standing {
  readonly playerId: string
  readonly holderId: string
  readonly lastSeq: number
  readonly isParticipant: boolean
  readonly hiddenThroughSeq: number
}

/** The permissions of a user in a conversation; null when the conversation does not exist. */
export async function readStanding(db: Queryable, conversationId: string, userId: string): Promise<Standing | null> {
  const { rows } = await db.query<{
    player_id: string
    holder_id: string
    last_seq: number
    hidden_through_seq: number | null
  }>(
    `select c.player_id, c.holder_id, c.last_seq, me.hidden_through_seq from conversations c
       left join conversation_members me on me.conversation_id = c.id and me.user_id = $2 where c.id = $1`,
    [conversationId, userId],
    { name: 'chat-read-standing' },
  )
  const row = rows[0]
  if (row === undefined) return null
  return {
    playerId: row.player_id,
    holderId: row.holder_id,
    lastSeq: row.last_seq,
    isParticipant: userId === row.player_id || userId === row.holder_id,
    hiddenThroughSeq: row.hidden_through_seq ?? -1,
  }
}

/** The fields of an account that the chat rules need; null when none exists. */
export async function readAccount(db: Queryable, userId: string): Promise<ChatAccount | null> {
  const { rows } = await db.query<{
    role: Role
    capabilities: Capability[]
    is_frozen: boolean
    deleted_at: Date | null
  }>(`select role, capabilities, is_frozen, deleted_at from users where id = $1`, [userId], {
    name: 'chat-read-account',
  })
  const row = rows[0]
  return row === undefined
    ? null
    : {
        id: userId,
        role: row.role,
        capabilities: row.capabilities,
        isFrozen: row.is_frozen,
        isDeleted: row.deleted_at !== null,
      }
}

interface CustomerRow extends Row {
  id: string
  username: string
  avatar: string | null
  balance: bigint
  credit_score: number
  vip: number | null
  is_frozen: boolean
  created_at: Date
  banks: Customer['banks']
}

/** The player of a conversation, with the data of the panel beside it. */
export async function readCustomer(db: Queryable, playerId: string): Promise<Customer | null> {
  const { rows } = await db.query<CustomerRow>(
    `select u.id, u.username, u.avatar, a.balance, u.credit_score, u.vip, u.is_frozen, u.created_at, coalesce((
       select json_agg(json_build_object('id', b.id, 'accountNumber', b.account_number, 'accountHolder', b.account_holder,
           'bankName', b.bank_name, 'ownerId', b.owner_id) order by b.created_at, b.id)
         from banks b where b.owner_id = u.id), '[]') as banks
     from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet' where u.id = $1`,
    [playerId],
  )
  const row = rows[0]
  if (row === undefined) return null
  return {
    id: row.id,
    username: row.username,
    avatar: row.avatar,
    balanceMinor: row.balance,
    creditScore: row.credit_score,
    vip: row.vip,
    isFrozen: row.is_frozen,
    banks: row.banks,
    createdAtMs: row.created_at.getTime(),
  }
}
