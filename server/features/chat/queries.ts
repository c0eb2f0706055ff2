import type { Customer } from '#contract/chat.ts'
import { CARE_DESK, type ChatAccount, type ChatUser, type Conversation } from '#domain/chat/conversation.ts'
import type { CaseTopic, DeskState } from '#domain/chat/desk.ts'
import { AWAY_AFTER_MS } from '#domain/chat/queue.ts'
import { usernameParts } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { countRows, type Page } from '#server/platform/http/lists.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { HOLDER_TO_TELL, isUnread, type MessageRow, MESSAGES, takesPart, toMessage } from './message-queries.ts'

const isOnline = (user: string) => `exists (select from presence_users o join presence_processes l using (process_id)
    where o.user_id = ${user} and l.lease_until > clock_timestamp())`

type DeskRow = Omit<NonNullable<Conversation['desk']>, 'topic'> & { hasCase: boolean; topic: CaseTopic | null }

type ConversationRow = Omit<Conversation, 'participants' | 'lastMessage' | 'mergedFrom' | 'desk'> & {
  player: ChatUser
  holder: ChatUser
  mergedFrom: string[] | null
  desk: DeskRow | null
  lastMessage: MessageRow | null
}

const personJson = (alias: string) => `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
    'avatar', ${alias}.avatar, 'role', ${alias}.role, 'isOnline', ${isOnline(`${alias}.id`)},
    'lastSeenAtMs', (select ${msSql('seen_at')} from presence_last_seen n where n.user_id = ${alias}.id))`

/** SQL of the domain's `canHold`: whether a user may hold conversations. */
export const canHoldSql = (alias: string): string =>
  `(${alias}.role = 'admin' and 'care' = any(${alias}.capabilities) and not ${alias}.is_frozen and ${alias}.deleted_at is null)`

/** SQL for the admins who get conversations from the queue (rules §7.13), as rows `d` of care_duty and `u` of users. */
export const ON_DUTY = `care_duty d join users u on u.id = d.user_id and d.is_on_duty
    and d.active_at > clock_timestamp() - interval '${AWAY_AFTER_MS} ms' and ${canHoldSql('u')}`

const holderJson = `case when h.id is not null then ${personJson('h')} else json_build_object('id', '${CARE_DESK.id}',
    'username', '${CARE_DESK.username}', 'avatar', null, 'role', '${CARE_DESK.role}', 'isOnline', exists (select from ${ON_DUTY}),
    'lastSeenAtMs', null) end`

const WITH_BOTH = `conversations c join users p on p.id = c.player_id left join users h on h.id = c.holder_id`

/**
 * SQL condition: the viewer $1 is the conversation's player or holder. If nobody holds the conversation, every viewer
 * counts as its holder. The caller has checked that the viewer may see it.
 */
const IS_ONE_OF_BOTH = '$1 in (c.player_id, coalesce(c.holder_id, $1))'

export const isSnoozed = `(c.state = 'snoozed' and c.snoozed_until > clock_timestamp())`

/**
 * SQL for a conversation's open case, else the case that ended last. After a merge, this may not be the newest case.
 */
export const lastCaseOf = (conversation: string, columns: string): string =>
  `select ${columns} from care_cases where conversation_id = ${conversation} order by done_at desc nulls first, opened_at desc limit 1`

/** A `done` conversation counts as open while its player waits: older server versions do not reopen it on a message. */
const stateNow = `case when ${isSnoozed} then 'snoozed' when c.state = 'done' and w.since is null then 'done' else 'open' end`

const deskJson = `json_build_object('waitingSinceMs', ${msSql('w.since')}, 'state', ${stateNow},
    'snoozedUntilMs', case when ${isSnoozed} then ${msSql('c.snoozed_until')} end, 'topic', c.topic,
    'hasCase', c.topic is not null or exists (select from care_cases k where k.conversation_id = c.id),
    'tags', (select coalesce(json_agg(g.tag order by g.tag), '[]') from conversation_tags g where g.conversation_id = c.id))`

/** SQL for conversations as the viewer $1 sees them: with last message and unread count only if `IS_ONE_OF_BOTH`. */
const CONVERSATIONS = `select c.id, c.last_seq as "lastSeq", ${msSql('c.last_activity')} as "lastActivityAtMs",
    ${msSql('c.created_at')} as "createdAtMs", ${msSql('c.updated_at')} as "updatedAtMs",
    ${personJson('p')} as player, ${holderJson} as holder,
    coalesce(${canHoldSql('h')}, true) as "isActive",
    (select json_agg(g.id) from merged_conversations g where g.into_id = c.id) as "mergedFrom",
    case when $1 <> c.player_id then ${deskJson} end as desk,
    coalesce(me.read_seq, 0) as "readSeq", coalesce(peer.read_seq, 0) as "peerReadSeq",
    coalesce(me.hidden_through_seq, -1) as "hiddenThroughSeq",
    case when ${IS_ONE_OF_BOTH} and c.last_seq > greatest(me.read_seq, me.hidden_through_seq) then (
      select count(*)::integer from messages u where u.conversation_id = c.id
        and ${isUnread('u', 'me', '$1')}) else 0 end as "unreadCount",
    case when ${IS_ONE_OF_BOTH} then (select to_json(t) from (
      ${MESSAGES} where m.conversation_id = c.id and m.seq = c.last_seq and m.seq > coalesce(me.hidden_through_seq, -1)) t) end as "lastMessage"
  from ${WITH_BOTH}
  left join conversations_waiting w on w.conversation_id = c.id
  left join conversation_members me on me.conversation_id = c.id and me.user_id = $1
  left join conversation_members peer on peer.conversation_id = c.id
    and peer.user_id = case when $1 = c.player_id then c.holder_id else c.player_id end`

function toConversation({ player, holder, lastMessage, mergedFrom, desk, ...row }: ConversationRow): Conversation {
  return {
    ...row,
    participants: [player, holder],
    lastMessage: lastMessage && toMessage(lastMessage),
    ...(mergedFrom !== null && { mergedFrom }),
    ...(desk !== null && { desk: toDesk(desk) }),
  }
}

const toDesk = ({ hasCase, topic, ...desk }: DeskRow) => ({ ...desk, ...(hasCase && { topic }) })

/** The caller has checked that the viewer may see the conversation. */
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

/**
 * SQL condition: the viewer has not deleted the conversation, or a later message brought it back (rules §7.6). The
 * subquery looks for a deletion, because an index contains only the deletions (0122_deleted_conversations.sql).
 */
const isListed = (viewer: string) => `not exists (select from conversation_members d where d.conversation_id = c.id
    and d.user_id = ${viewer} and d.is_hidden and d.hidden_through_seq >= c.last_seq)`

export interface ConversationFilter {
  readonly viewerId: string
  readonly isForAll: boolean
  /** False leaves out conversations that the viewer holds: a player who was an admin before may still hold some. */
  readonly isStaff: boolean
  /** Part of the other person's name, in lower case; '' matches every conversation. */
  readonly nameKey: string
  /** The result of `readNamed`. If it is null, the SQL query compares the names with `nameKey`. */
  readonly namedIds: readonly string[] | null
  /** If true, lists only conversations whose player waits and that are not snoozed, including those of the queue. */
  readonly isWaiting: boolean
  readonly state: DeskState | null
  readonly tag: string | null
  readonly topic: CaseTopic | null
  /** The cursor at which the page begins, or null for the list's beginning. */
  readonly after: string | null
}

const listedFrom = ({ nameKey, namedIds }: ConversationFilter): string =>
  `${nameKey === '' || namedIds !== null ? 'conversations c' : WITH_BOTH}
    left join conversations_waiting w on w.conversation_id = c.id`

/** SQL condition: the conversation is in the queue and has a message. */
const IS_QUEUED = '(c.holder_id is null and c.last_seq > 0)'

/**
 * Returns SQL conditions, which together select the list: with `isForAll` one for all conversations with a message,
 * else one for the viewer as player and, for staff, one for the viewer as holder.
 */
const whoseOf = ({ add }: Params, { isForAll, isStaff, viewerId }: ConversationFilter): string[] =>
  isForAll
    ? ['c.last_seq > 0']
    : ['player_id', ...(isStaff ? ['holder_id'] : [])].map((side) => `c.${side} = ${add(viewerId)}`)

/** @param whose one condition of `whoseOf`, or all its conditions joined by `or` */
function conditions(
  { add }: Params,
  { viewerId, isForAll, nameKey, namedIds, isWaiting, state, tag, topic }: ConversationFilter,
  whose: string,
): string {
  const ofWhom = isForAll ? whose : `(${whose}) and ${isListed(add(viewerId))}`
  const waits = isWaiting ? `(${ofWhom} or ${IS_QUEUED}) and w.since is not null and not ${isSnoozed}` : ofWhom
  const inState = state === null ? waits : `${waits} and ${stateNow} = ${add(state)}`
  const tagged =
    tag === null
      ? inState
      : `${inState} and c.id in (select conversation_id from conversation_tags where tag = ${add(tag)})`
  const listed = topic === null ? tagged : `${tagged} and c.topic = ${add(topic)}`
  if (nameKey === '') return listed
  if (namedIds !== null) return `${listed} and c.player_id = any(${add([...namedIds])}::uuid[])`
  const deskKey = CARE_DESK.username.toLowerCase()
  const otherName = `case when c.player_id = ${add(viewerId)} then coalesce(h.username_key, '${deskKey}') else p.username_key end`
  return `${listed} and (${otherName}) like '%' || ${add(nameKey)} || '%'`
}

/** If more users match than this, it is faster to read the list in order and compare names than to select by ids. */
const NAMED_MAX = 2_000
const NAMED_LETTERS = 4

/**
 * Returns the ids of the users other than the viewer whose names contain `nameKey`. Returns null without `isForAll`,
 * for fewer than `NAMED_LETTERS` letters, and if more than `NAMED_MAX` users match.
 */
export async function readNamed(db: Queryable, { isForAll, nameKey, viewerId }: Omit<ConversationFilter, 'namedIds'>) {
  if (!isForAll || nameKey.length < NAMED_LETTERS) return null
  const { rows } = await db.query<{ id: string }>(
    // An index finds names by parts of one to three letters (0012_staff_search.sql); `like` then checks the whole key.
    `select id from users where name_parts(username_key) @> $1::text[] and username_key like '%' || $2 || '%' and id <> $3
      limit ${NAMED_MAX + 1}`,
    [usernameParts(nameKey), nameKey, viewerId],
  )
  return rows.length > NAMED_MAX ? null : rows.map(({ id }) => id)
}

export async function listConversations(db: Queryable, filter: ConversationFilter, page: Page) {
  const params = collectParams()
  const { at, order } = filter.isWaiting
    ? { at: 'since', order: 'since, id' }
    : { at: 'last_activity', order: 'last_activity desc, id desc' }
  const begins = afterCursor(params, filter)
  const [limit, offset, both] = [page.limit + 1, page.offset, page.offset + page.limit + 1].map(params.add)
  const whose = whoseOf(params, filter)
  // Each condition of `whoseOf` gets its own subquery, which reads an index in order. Waiting conversations are few and
  // include the queue, which each subquery would list again, so for them one subquery joins the conditions by `or`.
  const parts = (filter.isWaiting ? [whose.join(' or ')] : whose).map(
    (one) => `(select c.id, c.last_activity, w.since from ${listedFrom(filter)}
       where ${conditions(params, filter, one)} ${begins} order by ${order} limit ${both})`,
  )
  const { rows: listed } = await db.query<{ id: string; micros: bigint }>(
    `select id, (extract(epoch from ${at}) * 1000000)::bigint as micros from (${parts.join(' union all ')}) listed order by ${order} limit ${limit} offset ${offset}`,
    params.values,
  )
  // All other columns are read only for the rows of this page, by one prepared statement for all filters.
  const { rows } = await db.query<ConversationRow>(
    `${CONVERSATIONS} where c.id = any($2::uuid[]) order by array_position($2::uuid[], c.id)`,
    [filter.viewerId, listed.map(({ id }) => id)],
    { name: 'chat-read-conversations' },
  )
  const last = listed.length > page.limit ? listed[page.limit - 1] : undefined
  return { rows: rows.map(toConversation), next: last === undefined ? null : `${last.micros}_${last.id}` }
}

/** SQL: a further condition, that a conversation comes after the cursor in the order of the list. */
function afterCursor({ add }: Params, { after, isWaiting }: ConversationFilter): string {
  if (after === null) return ''
  const [micros = '', id = ''] = after.split('_')
  const cursor = `(timestamptz 'epoch' + ${add(BigInt(micros))} * interval '1 microsecond', ${add(id)}::uuid)`
  return isWaiting ? `and (w.since, c.id) > ${cursor}` : `and (c.last_activity, c.id) < ${cursor}`
}

export async function listOfPlayer(db: Queryable, playerId: string, viewerId: string): Promise<Conversation[]> {
  const { rows } = await db.query<ConversationRow>(
    `${CONVERSATIONS} where c.player_id = $2 and c.last_seq > 0 order by c.last_activity desc, c.id desc limit 50`,
    [viewerId, playerId],
  )
  return rows.map(toConversation)
}

export const countConversations = (db: Queryable, filter: ConversationFilter, cap: number): Promise<number> =>
  countRows(db, (params) => {
    const whose = whoseOf(params, filter).join(' or ')
    return `select 1 from ${listedFrom(filter)} where ${conditions(params, filter, whose)} limit ${params.add(cap)}`
  })

/**
 * `known`: the conversations of `knownIds` that are the user's own and not deleted or, for staff, in the queue.
 * `fresh`: conversations into which those of `knownIds` were merged, the user's other latest conversations and, for
 * staff, conversations of the queue whose player waits.
 */
export async function listKnownAndNew(
  db: Queryable,
  { userId: viewerId, role }: Pick<Subject, 'userId' | 'role'>,
  knownIds: readonly string[],
  newAtMost: number,
): Promise<{ known: Conversation[]; fresh: Conversation[] }> {
  const isShown = isListed('$1')
  const isStaff = role === 'admin'
  const isQueued = `${isStaff} and ${IS_QUEUED}`
  // `listed` selects ids alone. The other columns are read only for the conversations with these ids.
  const newestOf = (side: string) => `(select c.id from conversations c
        where ${side} = $1 and not c.id = any($2::uuid[]) and ${isShown} order by c.last_activity desc, c.id desc limit $3)`
  const { rows } = await db.query<ConversationRow>(
    `with listed as (
       (select c.id from conversations c
         where c.id = any(array(select unnest($2::uuid[])
                  union select into_id from merged_conversations where id = any($2::uuid[])))
           and (${takesPart('$1', String(isStaff))} and ${isShown} or ${isQueued}))
       union ${newestOf('c.player_id')} ${isStaff ? `union ${newestOf('c.holder_id')}` : ''}
       union (select c.id from conversations_waiting w join conversations c on c.id = w.conversation_id
         where ${isQueued} and not c.id = any($2::uuid[]) order by w.since, c.id limit $3))
     ${CONVERSATIONS} where c.id = any(array(select id from listed)) order by c.last_activity desc, c.id desc`,
    [viewerId, knownIds, newAtMost],
    { name: `chat-list-known-${role}` },
  )
  const isNamed = new Set(knownIds)
  const { known = [], fresh = [] } = Object.groupBy(rows.map(toConversation), ({ id }) =>
    isNamed.has(id) ? 'known' : 'fresh',
  )
  return { known, fresh }
}

export async function listChatUsers(db: Queryable, exceptId: string): Promise<ChatUser[]> {
  const { rows } = await db.query<{ person: ChatUser }>(
    `select ${personJson('u')} as person from users u
      where ${canHoldSql('u')} and u.id <> $1
      order by ${isOnline('u.id')} desc, u.username_key limit 200`,
    [exceptId],
  )
  return rows.map(({ person }) => person)
}

export async function readUnread(db: Queryable, { userId, role }: Pick<Subject, 'userId' | 'role'>) {
  const { rows } = await db.query<{ conversations: bigint; messages: bigint }>(
    `select count(*) filter (where n > 0) as conversations, coalesce(sum(n), 0)::bigint as messages from (
       select (select count(*) from messages u where u.conversation_id = c.id
                and ${isUnread('u', 'me', '$1')}) as n
         from conversations c join conversation_members me on me.conversation_id = c.id and me.user_id = $1
        where ${takesPart('$1', '$2')} and c.last_seq > greatest(me.read_seq, me.hidden_through_seq)) counted`,
    [userId, role === 'admin'],
    { name: 'chat-read-unread' },
  )
  return { conversations: Number(rows[0]?.conversations ?? 0n), messages: Number(rows[0]?.messages ?? 0n) }
}

export interface Standing {
  readonly playerId: string
  /** The user whom `HOLDER_TO_TELL` selects; null without a holder: every admin is then a participant. */
  readonly holderId: string | null
  readonly lastSeq: number
  readonly isParticipant: boolean
  readonly hiddenThroughSeq: number
}

/** The caller has checked that the user may use chat. */
export async function readStanding(
  db: Queryable,
  conversationId: string,
  { userId, role }: Pick<Subject, 'userId' | 'role'>,
): Promise<Standing | null> {
  const { rows } = await db.query<Standing & Row>(
    `select c.player_id as "playerId", ${HOLDER_TO_TELL} as "holderId", c.last_seq as "lastSeq",
            c.player_id = $2 or $3 and coalesce(c.holder_id = $2, true) as "isParticipant",
            coalesce(me.hidden_through_seq, -1) as "hiddenThroughSeq"
       from conversations c
       left join conversation_members me on me.conversation_id = c.id and me.user_id = $2 where c.id = $1`,
    [conversationId, userId, role === 'admin'],
    { name: 'chat-read-standing' },
  )
  return rows[0] ?? null
}

export async function readAccount(db: Queryable, userId: string): Promise<ChatAccount | null> {
  const { rows } = await db.query<ChatAccount & Row>(
    `select id, role, capabilities, is_frozen as "isFrozen", deleted_at is not null as "isDeleted" from users where id = $1`,
    [userId],
    { name: 'chat-read-account' },
  )
  return rows[0] ?? null
}

export async function readCustomer(db: Queryable, playerId: string): Promise<Customer | null> {
  const { rows } = await db.query<Customer>(
    `select u.id, u.username, u.avatar, a.balance as "balanceMinor", u.credit_score as "creditScore", u.vip,
       u.is_frozen as "isFrozen", ${msSql('u.created_at')} as "createdAtMs", coalesce((
       select json_agg(json_build_object('id', b.id, 'accountNumber', b.account_number, 'accountHolder', b.account_holder,
           'bankName', b.bank_name, 'ownerId', b.owner_id) order by b.created_at, b.id)
         from banks b where b.owner_id = u.id), '[]') as banks
     from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet' where u.id = $1`,
    [playerId],
  )
  return rows[0] ?? null
}
