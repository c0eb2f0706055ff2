import type { Customer } from '#contract/chat.ts'
import type { ChatAccount, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import type { DeskState } from '#domain/chat/desk.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { countRows, type Page } from '#server/platform/http/lists.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { type MessageRow, MESSAGES, toMessage } from './message-queries.ts'

/** True while a process with a live lease has a socket of the user `u.id`. */
const isOnline = (user: string) => `exists (select from presence_users o join presence_processes l using (process_id)
    where o.user_id = ${user} and l.lease_until > clock_timestamp())`

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
  desk: DeskJson | null
  last_message: MessageJson | null
}

interface DeskJson {
  state: DeskState
  snoozedUntil: string | null
  waitingSince: string | null
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

const isSnoozed = `(c.state = 'snoozed' and c.snoozed_until > clock_timestamp())`

/** A message that a process of the version before stored opens the conversation as well. */
const deskJson = `json_build_object('waitingSince', w.since,
    'state', case when ${isSnoozed} then 'snoozed' when c.state = 'done' and w.since is null then 'done' else 'open' end,
    'snoozedUntil', case when ${isSnoozed} then c.snoozed_until end)`

/**
 * Conversations as a user sees them. For a user who is neither the player nor the holder they contain no message.
 * @param viewer the placeholder of the user's id
 */
const conversationsFor = (
  viewer: string,
): string => `select c.id, c.last_seq, c.last_activity, c.created_at, c.updated_at,
    ${personJson('p')} as player, ${personJson('h')} as holder,
    ${canHoldSql('h')} as is_active,
    case when ${viewer} <> c.player_id then ${deskJson} end as desk,
    coalesce(me.read_seq, 0) as read_seq, coalesce(peer.read_seq, 0) as peer_read_seq,
    coalesce(me.hidden_through_seq, -1) as hidden_through_seq,
    case when ${viewer} in (c.player_id, c.holder_id) then (select count(*) from messages u where u.conversation_id = c.id
      and u.seq > greatest(me.read_seq, me.hidden_through_seq) and u.sender_id <> ${viewer}) else 0 end as unread,
    case when ${viewer} in (c.player_id, c.holder_id) then (select to_json(t) from (
      ${MESSAGES} where m.conversation_id = c.id and m.seq = c.last_seq and m.seq > me.hidden_through_seq) t) end as last_message
  from conversations c join users p on p.id = c.player_id join users h on h.id = c.holder_id
  left join conversations_waiting w on w.conversation_id = c.id
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
  ...(row.desk !== null && {
    desk: {
      state: row.desk.state,
      snoozedUntilMs: row.desk.snoozedUntil === null ? null : Date.parse(row.desk.snoozedUntil),
      waitingSinceMs: row.desk.waitingSince === null ? null : Date.parse(row.desk.waitingSince),
    },
  }),
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
  /** Those alone whose player waits for an answer now. */
  readonly isWaiting: boolean
}

/** @param viewer the placeholder of the viewer's id */
function conditions({ add }: Params, viewer: string, { isForAll, nameKey, isWaiting }: ConversationFilter): string {
  const own = `${viewer} in (c.player_id, c.holder_id) and ${IS_LISTED}`
  // Two separate conditions, so that each uses its own index.
  const ofWhom = isForAll ? 'c.last_seq > 0' : `(c.player_id = ${viewer} or c.holder_id = ${viewer}) and ${own}`
  const listed = isWaiting ? `${ofWhom} and w.since is not null and not ${isSnoozed}` : ofWhom
  if (nameKey === '') return listed
  const otherName = `case when c.player_id = ${viewer} then h.username_key else p.username_key end`
  return `${listed} and (${otherName}) like '%' || ${add(nameKey)} || '%'`
}

/** Matching conversations, latest first or who waits longest, one more than the page holds. */
export async function listConversations(
  db: Queryable,
  filter: ConversationFilter,
  page: Page,
): Promise<Conversation[]> {
  const params = collectParams()
  const viewer = params.add(filter.viewerId)
  const { rows } = await db.query<ConversationRow>(
    `${conversationsFor(viewer)} where ${conditions(params, viewer, filter)}
      order by ${filter.isWaiting ? 'w.since, c.id' : 'c.last_activity desc, c.id desc'}
      limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}`,
    params.values,
  )
  return rows.map(toConversation)
}

/** Number of matching conversations, counted only up to `cap`. */
export const countConversations = (db: Queryable, filter: ConversationFilter, cap: number): Promise<number> =>
  countRows(db, (params) => {
    const viewer = params.add(filter.viewerId)
    return `select 1 from conversations c join users p on p.id = c.player_id join users h on h.id = c.holder_id
       left join conversations_waiting w on w.conversation_id = c.id
       left join conversation_members me on me.conversation_id = c.id and me.user_id = ${viewer}
      where ${conditions(params, viewer, filter)} limit ${params.add(cap)}`
  })

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
  const { rows } = await db.query<Standing & Row>(
    `select c.player_id as "playerId", c.holder_id as "holderId", c.last_seq as "lastSeq",
            $2::uuid in (c.player_id, c.holder_id) as "isParticipant",
            coalesce(me.hidden_through_seq, -1) as "hiddenThroughSeq"
       from conversations c
       left join conversation_members me on me.conversation_id = c.id and me.user_id = $2 where c.id = $1`,
    [conversationId, userId],
    { name: 'chat-read-standing' },
  )
  return rows[0] ?? null
}

/** The fields of an account that the chat rules need; null when none exists. */
export async function readAccount(db: Queryable, userId: string): Promise<ChatAccount | null> {
  const { rows } = await db.query<ChatAccount & Row>(
    `select id, role, capabilities, is_frozen as "isFrozen", deleted_at is not null as "isDeleted" from users where id = $1`,
    [userId],
    { name: 'chat-read-account' },
  )
  return rows[0] ?? null
}

/** The player of a conversation, with the data of the panel beside it. */
export async function readCustomer(db: Queryable, playerId: string): Promise<Customer | null> {
  const { rows } = await db.query<Omit<Customer, 'createdAtMs'> & { createdAt: Date }>(
    `select u.id, u.username, u.avatar, a.balance as "balanceMinor", u.credit_score as "creditScore", u.vip,
       u.is_frozen as "isFrozen", u.created_at as "createdAt", coalesce((
       select json_agg(json_build_object('id', b.id, 'accountNumber', b.account_number, 'accountHolder', b.account_holder,
           'bankName', b.bank_name, 'ownerId', b.owner_id) order by b.created_at, b.id)
         from banks b where b.owner_id = u.id), '[]') as banks
     from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet' where u.id = $1`,
    [playerId],
  )
  if (rows[0] === undefined) return null
  const { createdAt, ...customer } = rows[0]
  return { ...customer, createdAtMs: createdAt.getTime() }
}
