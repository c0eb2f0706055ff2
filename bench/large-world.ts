import { encodeFields, type EntryFields, type EntryKind } from '#domain/book/entry.ts'
import { DURATION_S, EPOCH_MS, RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { points } from '#domain/money.ts'
import { emptyChain, loadAuditKey, openAuditLog, signAct } from '#server/features/audit/index.ts'
import { ensureFirstAdmin } from '#server/features/identity/index.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { secretHashSql, sessionIdSql, userIdSql } from './world.ts'

/** The key that signs the seeded acts. A server on such a database needs AUDIT_KEY set to this key. */
export const LARGE_AUDIT_KEY = 'the-audit-key-of-a-seeded-large-world'
export const LARGE_ADMIN = { username: 'admin', password: 'seed-large-admin' }

const BETS_A_USER = 10
/** Every world has this many bets a day. A larger world has a longer history. */
const BETS_A_DAY = 100_000
const ADMINS = 5
/** Pending requests and open bets are work for staff. Their numbers do not grow with the world. */
const PENDING = 500
const OPEN_BETS = 200
const WELCOME_POINTS = 1_000
/** The busiest player gets the welcome points this many times, because all bets of this player are lost or voided. */
const BUSIEST_WELCOMES = 1_000
const MESSAGES_A_USER = 5
const MESSAGES_A_CONVERSATION = 50
/** How many conversations wait for an answer, among the thousands that the admins hold. */
const WAITING = 200
const BATCH_ROWS = 100_000
const SIGNED_ROWS = 10_000
/** The ids of accounts begin here. Each user has three accounts: wallet, staked, reserved. */
const FIRST_ACCOUNT = 1_000
const OPEN_ROUND_ID = '01900000-0000-7000-9000-00000000000f'

/** Returns the number of the last user, an administrator with a session. `tokenOf` returns the token of a number. */
export const adminOf = (users: number): number => users

/**
 * Fills a migrated, empty native database with set-based statements: users, ten bets each, one request each, the audit
 * log of their decisions, and a ledger that passes the verifier. Of the settled bets, only those of the busiest player
 * have transfers: lists show the transfers of one player at a time, and transfers of all bets would triple the time.
 */
export async function makeLargeWorld(db: Database, users: number, say: (line: string) => void): Promise<void> {
  if (users < 4 * ADMINS) throw new Error('A large world begins at twenty users.')
  const bets = users * BETS_A_USER
  const stepped = async (name: string, work: () => Promise<void>): Promise<void> => {
    const startedAt = performance.now()
    await work()
    say(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  await ensureFirstAdmin(db, LARGE_ADMIN.username, LARGE_ADMIN.password)
  const { rows } = await db.query<{ ends: Date }>(`select date_trunc('second', now() - interval '5 min') as ends`)
  const endsMs = rows[0]?.ends.getTime() ?? 0
  const spacingMs = 86_400_000 / BETS_A_DAY
  const begins = endsMs - bets * spacingMs
  await stepped(`${users} users`, () => addUsers(db, users))
  await stepped('rounds', () => addRounds(db, begins, endsMs))
  await stepped(`${bets} bets`, () => addBets(db, { users, bets, begins, spacingMs }))
  await stepped('banks', () => addBanks(db, users))
  await stepped(`${users} requests`, () => addRequests(db, users, endsMs))
  await stepped('open bets', () => addOpenBets(db, Math.min(OPEN_BETS, Math.floor(users / 4))))
  await stepped('ledger', () => addLedger(db, users))
  await stepped('audit log', () => addActs(db))
  await stepped('open book', () => addBook(db, users, begins, endsMs))
  await stepped(`${users * MESSAGES_A_USER} messages`, () =>
    addMessages(db, { users, admins: ADMINS, messages: users * MESSAGES_A_USER, endsMs }),
  )
  await stepped('vacuum', async () => void (await db.query('vacuum analyze')))
}

/**
 * Runs `work` in a transaction without the checks of foreign keys. The rows satisfy the checks by construction, and the
 * checks would take most of the time.
 */
export async function filling(db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('set local synchronous_commit = off')
    await tx.query('set local session_replication_role = replica')
    await work(tx)
  })
}

/** Splits the numbers 1 to `last` into batches, and runs two batches at a time, to use two processors. */
async function inBatches(last: number, work: (from: number, to: number) => Promise<unknown>): Promise<void> {
  let next = 1
  const lane = async (): Promise<void> => {
    while (next <= last) {
      const from = next
      next += BATCH_ROWS
      await work(from, Math.min(last, from + BATCH_ROWS - 1))
    }
  }
  await Promise.all([lane(), lane()])
}

/**
 * Drops the indexes of a table, lets `work` insert rows, and builds the indexes again: one sort is faster than a search
 * for each row. Primary keys stay, because rows arrive in the order of their keys.
 */
export async function withoutIndexes(db: Database, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await db.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
      where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  await work()
  for (const { text } of rows)
    await db.tx(async (tx) => {
      await tx.query(`set local maintenance_work_mem = '512MB'`)
      // For a partitioned table, pg_get_indexdef says ONLY. Without ONLY, the partitions get their indexes, too.
      await tx.query(text.replace(' ON ONLY ', ' ON '))
    })
}

const texts = (values: readonly string[]): string => `array['${values.join(`','`)}']`
const FAMILIES = texts(['nguyen', 'tran', 'le', 'pham', 'hoang', 'phan', 'vu', 'dang', 'bui', 'do', 'ho', 'ngo'])
const MIDDLES = texts(['van', 'thi', 'minh', 'ngoc', 'duc', 'thanh', 'huu', 'kim', 'gia', ''])
const GIVEN = texts([
  'an',
  'binh',
  'chi',
  'dung',
  'giang',
  'hanh',
  'khanh',
  'linh',
  'nam',
  'oanh',
  'phuc',
  'quynh',
  'son',
])
const nth = (list: string, n: string): string => `(${list})[1 + ${n} % array_length(${list}, 1)]`

async function addUsers(db: Database, users: number): Promise<void> {
  await withoutIndexes(db, 'users', () =>
    inBatches(users, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `insert into users (id, username, username_key, password_hash, role, capabilities, is_frozen, scripted_outcome,
               created_at, deleted_at)
           select ${userIdSql('n')}, name, name, '-', case when n > $3 - ${ADMINS} then 'admin' else 'player' end,
               case when n > $3 - ${ADMINS} then array['care'] else '{}' end,
               n % 500 = 0 and n <= $3 - ${ADMINS}, case when n % 1000 = 1 then 'win' end,
               now() - ($3 - n + 1) * interval '1 minute', case when n % 200 = 3 then now() end
             from (select n, ${nth(FAMILIES, 'n')} || ${nth(MIDDLES, 'n / 7')} || ${nth(GIVEN, 'n / 3')} || n as name
                     from generate_series($1::bigint, $2::bigint) n) u`,
          [from, to, users],
        ),
      ),
    ),
  )
  await db.query(
    `insert into sessions (id, user_id, secret_hash, expires_at)
     select ${sessionIdSql('n')}, ${userIdSql('n')}, ${secretHashSql('n')}, now() + interval '30 days'
       from (select $1::bigint as n) a`,
    [adminOf(users)],
  )
}

/** Returns SQL for a version 7 UUID of an instant. `tail` is SQL for the last 16 hexadecimal digits. */
const timedIdSql = (ms: string, tail: string): string => `(lpad(to_hex(${ms}), 12, '0') || '7000' || ${tail})::uuid`
const roundIdSql = (opensMs: string, code: string): string => timedIdSql(opensMs, `'800000000000000' || ${code}`)
const lengthsSql = `array[${ROUND_TYPES.map((type) => DURATION_S[type] * 1000).join(',')}]::bigint[]`
const ratesSql = `array[${ROUND_TYPES.map((type) => RATE_PERCENT[type]).join(',')}]::bigint[]`
const instantSql = (ms: string): string => `(timestamptz 'epoch' + (${ms}) * interval '1 ms')`

async function addRounds(db: Database, begins: number, ends: number): Promise<void> {
  await withoutIndexes(db, 'rounds', () =>
    filling(db, async (tx) => {
      for (const [code, type] of ROUND_TYPES.entries()) {
        const lengthMs = DURATION_S[type] * 1000
        await tx.query(
          `insert into rounds (id, type, index, opens_at, locks_at, closes_at, status, price_source, open_price,
               close_price, result, settling_at, ended_at)
           select ${roundIdSql('ms', String(code))}, $1, index, ${instantSql('ms')}, ${instantSql('ms + $2::bigint - 1000')},
               ${instantSql('ms + $2::bigint')}, 'ended', 'simulated', 4100000, 4100000 + (index % 7)::int - 3,
               case when index % 7 > 3 then 'up' when index % 7 < 3 then 'down' end, ${instantSql('ms + $2::bigint')},
               ${instantSql('ms + $2::bigint')}
             from (select index, ${EPOCH_MS} + index * $2::bigint as ms
                     from generate_series($3::bigint, $4::bigint) index) r`,
          [type, lengthMs, Math.floor((begins - EPOCH_MS) / lengthMs), Math.floor((ends - EPOCH_MS) / lengthMs)],
        )
      }
    }),
  )
}

/** Adds settled bets. One bet in a hundred belongs to player 1, who stands for the busiest player of a real house. */
async function addBets(
  db: Database,
  { users, bets, begins, spacingMs }: { users: number; bets: number; begins: number; spacingMs: number },
): Promise<void> {
  await withoutIndexes(db, 'bets', () =>
    inBatches(bets, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status,
               void_reason, entry_second, entry_price, exit_price, profit, settled_at, hidden_at, salt)
           select ${timedIdSql('ms', `'8' || lpad(to_hex(n), 15, '0')`)},
               ${userIdSql(`case when n % 100 = 0 then 1 else 1 + (n * 7919) % ($3::bigint - ${ADMINS}) end`)},
               ${roundIdSql('opens', 'code')}, case when n % 3 = 0 then 'up' else 'down' end, stake, 'PRICE', 'PRICE',
               ${instantSql('ms')}, ms / 1000 + 1, status, case status when 'voided' then 'TIE' end, ms / 1000 + 1, 4100000,
               4100000 + case status when 'won' then 5 when 'lost' then -5 else 0 end,
               case status when 'won' then stake * rate / 100 when 'lost' then -stake * rate / 100 else 0 end,
               ${instantSql('opens + length')}, case when n % 1000 = 7 then ${instantSql('opens + length')} end,
               decode(md5(n::text), 'hex')
             from (select n, code, ms, length, ${EPOCH_MS} + (ms - ${EPOCH_MS}) / length * length as opens,
                          (1 + n % 100) * 1000 as stake, (${ratesSql})[1 + code] as rate,
                          case when n / 4 % 50 = 0 then 'voided' when n / 4 % 2 = 0 then 'won' else 'lost' end as status
                     from (select n, n % 4 as code, ($4::float8 + n * $5::float8)::bigint as ms,
                                  (${lengthsSql})[1 + n % 4] as length
                             from generate_series($1::bigint, $2::bigint) n) numbered) b`,
          [from, to, users, begins, spacingMs],
        ),
      ),
    ),
  )
}

/** Returns SQL for a bank's name: one bank has half of all accounts, five banks have a tenth each, and one is rare. */
const bankNameSql = (n: string): string =>
  `case when ${n} % 2000 = 7 then 'CIMB'
     else (array['Vietcombank', 'Vietcombank', 'Vietcombank', 'Vietcombank', 'Vietcombank', 'Techcombank', 'BIDV', 'MB', 'ACB', 'Agribank'])[1 + ${n} % 10] end`

/** Adds a linked bank account for every player. Two players share each account number. */
async function addBanks(db: Database, users: number): Promise<void> {
  await withoutIndexes(db, 'banks', () =>
    inBatches(users - ADMINS, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `insert into banks (id, owner_id, account_number, account_holder, bank_name)
           select ${userIdSql('n')}, ${userIdSql('n')}, lpad((n / 2)::text, 10, '0'), 'NGUYEN VAN A', ${bankNameSql('n')}
             from generate_series($1::bigint, $2::bigint) n`,
          [from, to],
        ),
      ),
    ),
  )
}

const requestIdSql = (n: string, ms: string): string => timedIdSql(ms, `'9' || lpad(to_hex(${n}), 15, '0')`)

/** Adds as many requests as users: four deposits to one withdrawal, the newest pending, one in twenty rejected. */
async function addRequests(db: Database, users: number, endsMs: number): Promise<void> {
  const pendingFrom = users - Math.min(PENDING, Math.floor(users / 4))
  await withoutIndexes(db, 'cash_requests', () =>
    inBatches(users, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `insert into cash_requests (id, owner_id, kind, amount, deposit_memo, withdrawal_note, bank_id, account_number,
               account_holder, bank_name, status, rejection_reason, decided_by, decided_at, created_at)
           select ${requestIdSql('n', 'ms')}, ${userIdSql(`1 + (n * 31) % ($3::bigint - ${ADMINS})`)}, kind,
               case kind when 'deposit' then (1 + n % 5000) * 1000 else (1 + n % 300) * 100 end,
               case kind when 'deposit' then 'Nap diem' end, case kind when 'withdrawal' then 'Rut diem' end,
               ${userIdSql('n')}, lpad(n::text, 10, '0'), 'NGUYEN VAN A', ${bankNameSql('n')}, status,
               case status when 'rejected' then 'Sai nội dung' end,
               case status when 'pending' then null else ${userIdSql(`$3::bigint - n % ${ADMINS}`)} end,
               case status when 'pending' then null else ${instantSql('ms + 60000')} end, ${instantSql('ms')}
             from (select n, case when n % 5 = 0 then 'withdrawal' else 'deposit' end as kind,
                          case when n > $4 then 'pending' when n % 20 = 1 then 'rejected' else 'approved' end as status,
                          $5::bigint - ($3::bigint - n + 2) * 60000 as ms
                     from generate_series($1::bigint, $2::bigint) n) r`,
          [from, to, users, pendingFrom, endsMs],
        ),
      ),
    ),
  )
}

const SENTENCES = texts([
  'Xin chào, mình cần hỏi về lệnh đặt hôm qua',
  'Bạn chờ mình kiểm tra một chút nhé',
  'Cảm ơn bạn nhiều',
  'Yêu cầu nạp điểm của mình chưa được duyệt',
  'Mình đã duyệt rồi, bạn xem lại số dư nhé',
  'Vì sao lệnh của tôi được hoàn điểm?',
  'Phiên này giá vào bằng giá ra nên được hoàn điểm',
  'Ok',
])

/** Returns SQL that computes `searchKey` of domain/search-text.ts. */
const foldedSql = (told: string): string =>
  String.raw`replace(regexp_replace(lower(normalize(${told}, nfd)), '[\u0300-\u036f]', '', 'g'), 'đ', 'd')`

/** Returns SQL for the id of the conversation of player `n`. */
export const conversationIdSql = (n: string): string =>
  `('01900000-0000-7000-b000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/**
 * Adds conversations of the first players with the admins, who are the last users. Each message contains the number of
 * its conversation, and some messages contain a rare word.
 */
export async function addMessages(
  db: Database,
  of: { readonly users: number; readonly admins: number; readonly messages: number; readonly endsMs: number },
): Promise<void> {
  const { users, admins, messages, endsMs } = of
  const conversations = Math.ceil(messages / MESSAGES_A_CONVERSATION)
  const conversationId = conversationIdSql('n')
  const holder = userIdSql(`$3::bigint - n % ${admins}`)
  const lastMs = `$4::bigint - ($5::bigint - n) * 60000`
  const args = [users, endsMs, conversations]
  await withoutIndexes(db, 'conversations', () =>
    inBatches(conversations, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `with made as (
             insert into conversations (id, player_id, holder_id, last_seq, last_activity)
             select ${conversationId}, ${userIdSql('n')}, ${holder}, ${MESSAGES_A_CONVERSATION}, ${instantSql(lastMs)}
               from generate_series($1::bigint, $2::bigint) n returning id, player_id, holder_id)
           insert into conversation_members (conversation_id, user_id, read_seq)
           select id, member, ${MESSAGES_A_CONVERSATION} from made, unnest(array[player_id, holder_id]) member`,
          [from, to, ...args],
        ),
      ),
    ),
  )
  await db.query(
    `insert into conversations_waiting (conversation_id, since)
     select id, last_activity from conversations order by last_activity desc limit ${WAITING}`,
  )
  await db.query(
    `insert into conversation_tags (conversation_id, tag, added_by)
     select id, tag, holder_id from (select *, row_number() over () as n from conversations) c,
       lateral unnest(array['nhieu', 'nhan ' || n % 200] || case when n % 5000 = 7 then array['hiem'] else '{}' end) tag`,
  )
  await withoutIndexes(db, 'messages', () =>
    inBatches(conversations, (from, to) =>
      filling(db, (tx) =>
        tx.query(
          `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
           select ${conversationId}, seq, gen_random_uuid(), case when seq % 2 = 1 then ${userIdSql('n')} else ${holder} end,
               n || '-' || seq, 'text', told, ${foldedSql('told')}, ${instantSql(`(${lastMs}) - (${MESSAGES_A_CONVERSATION} - seq) * 1000`)}
             from generate_series($1::bigint, $2::bigint) n, generate_series(1, ${MESSAGES_A_CONVERSATION}) seq,
                  lateral (select ${nth(SENTENCES, '(n + seq)')} || ' ' || n || case when n % 5000 = 7 then ' tê giác' else '' end as told) s`,
          [from, to, ...args],
        ),
      ),
    ),
  )
}

/** Adds open bets of the first players on a round of a whole day, which staff decide because it has no ticks. */
async function addOpenBets(db: Database, count: number): Promise<void> {
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, price_source)
     values ($1, '120s', 900000000, now() - interval '5 s', now() + interval '1 day', now() + interval '1 day',
       'simulated')`,
    [OPEN_ROUND_ID],
  )
  await filling(db, (tx) =>
    tx.query(
      `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from,
           salt)
       select ${timedIdSql('ms', `'a' || lpad(to_hex(n), 15, '0')`)}, ${userIdSql('n')}, $1,
           case when n % 2 = 0 then 'up' else 'down' end, 1000, 'ADMIN', 'ADMIN', ${instantSql('ms')}, ms / 1000 + 1,
           decode(md5(n::text), 'hex')
         from (select n, (extract(epoch from now()) * 1000)::bigint + n as ms from generate_series(1, $2::bigint) n) b`,
      [OPEN_ROUND_ID, count],
    ),
  )
}

/** Returns SQL for an account's id, computed from the owner's id, whose last digits are the user's number. */
const accountSql = (owner: string, place: number): string =>
  `(${FIRST_ACCOUNT + place} + 3 * ('x' || right(${owner}::text, 8))::bit(32)::bigint)`

/**
 * Adds transfers for the welcome points, the requests, the open stakes and the busiest player's bets, numbered within
 * each wallet. Then adds the accounts with the resulting balances.
 */
async function addLedger(db: Database, users: number): Promise<void> {
  const welcome = points(WELCOME_POINTS)
  await withoutIndexes(db, 'ledger_transfers', () =>
    filling(db, async (tx) => {
      await tx.query(`set local work_mem = '256MB'`)
      await tx.query(
        `insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at,
             wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
         select id, from_account, to_account, amount, reason, actor, ref, at, wallet,
             case when wallet is not null then row_number() over before end, delta,
             case when wallet is not null then sum(delta) over before end
           from (
             select 'user:' || u.id || ':welcome' as id, g.id as from_account, ${accountSql('u.id', 0)} as to_account,
                    u.welcome as amount, 'WELCOME' as reason, 'system' as actor, 'user:' || u.id as ref,
                    u.created_at as at, ${accountSql('u.id', 0)} as wallet, u.welcome as delta, 0 as turn
               from (select *, $1::bigint * case when id = ${userIdSql('1')} then ${BUSIEST_WELCOMES} else 1 end as welcome
                       from users) u join ledger_accounts g on g.kind = 'grants'
              where u.role = 'player'
             union all
             select 'request:' || c.id || case when c.kind = 'deposit' then ':close' else ':hold' end,
                    case c.kind when 'deposit' then k.id else ${accountSql('c.owner_id', 0)} end,
                    case c.kind when 'deposit' then ${accountSql('c.owner_id', 0)} else ${accountSql('c.owner_id', 2)} end,
                    c.amount, case c.kind when 'deposit' then 'DEPOSIT' else 'WITHDRAWAL_HOLD' end,
                    case c.kind when 'deposit' then c.decided_by::text else c.owner_id::text end, 'request:' || c.id,
                    coalesce(c.decided_at, c.created_at), ${accountSql('c.owner_id', 0)},
                    case c.kind when 'deposit' then c.amount else -c.amount end, 1
               from cash_requests c join ledger_accounts k on k.kind = 'cashier'
              where c.kind = 'withdrawal' or c.status = 'approved'
             union all
             select 'request:' || c.id || ':close', ${accountSql('c.owner_id', 2)},
                    case c.status when 'approved' then k.id else ${accountSql('c.owner_id', 0)} end, c.amount,
                    case c.status when 'approved' then 'WITHDRAWAL_PAID' else 'WITHDRAWAL_RELEASED' end,
                    c.decided_by::text, 'request:' || c.id, c.decided_at,
                    case c.status when 'rejected' then ${accountSql('c.owner_id', 0)} end,
                    case c.status when 'rejected' then c.amount end, 2
               from cash_requests c join ledger_accounts k on k.kind = 'cashier'
              where c.kind = 'withdrawal' and c.status <> 'pending'
             union all
             select 'bet:' || b.id || ':stake', ${accountSql('b.user_id', 0)}, ${accountSql('b.user_id', 1)}, b.stake,
                    'BET_STAKE', b.user_id::text, 'bet:' || b.id, b.accepted_at, ${accountSql('b.user_id', 0)}, -b.stake, 3
               from bets b where b.status = 'open' or b.user_id = ${userIdSql('1')}
             union all
             select 'bet:' || b.id || ':close:1', ${accountSql('b.user_id', 1)}, ${accountSql('b.user_id', 0)},
                    b.stake + least(b.profit, 0), 'BET_RETURN', 'system', 'bet:' || b.id, b.settled_at,
                    ${accountSql('b.user_id', 0)}, b.stake + least(b.profit, 0), 3
               from bets b where b.status <> 'open' and b.user_id = ${userIdSql('1')}
             union all
             select 'bet:' || b.id || ':close:2', case when b.profit > 0 then h.id else ${accountSql('b.user_id', 1)} end,
                    case when b.profit > 0 then ${accountSql('b.user_id', 0)} else h.id end, abs(b.profit),
                    case when b.profit > 0 then 'BET_PROFIT' else 'BET_LOSS' end, 'system', 'bet:' || b.id, b.settled_at,
                    case when b.profit > 0 then ${accountSql('b.user_id', 0)} end,
                    case when b.profit > 0 then b.profit end, 3
               from bets b join ledger_accounts h on h.kind = 'house'
              where b.profit <> 0 and b.user_id = ${userIdSql('1')}) moves
         window before as (partition by wallet order by turn, at, id)
          order by turn, at, id`,
        [welcome],
      )
    }),
  )
  await withoutIndexes(db, 'ledger_accounts', () =>
    filling(db, async (tx) => {
      await tx.query(
        `create temp table moved on commit drop as
         select account, sum(delta)::bigint as balance, count(*) as n from (
           select from_account as account, -amount as delta from ledger_transfers
           union all select to_account, amount from ledger_transfers) m group by account`,
      )
      await tx.query(
        `insert into ledger_accounts (id, owner_id, kind, balance, transfer_count)
         select a.id, a.owner, a.kind, coalesce(m.balance, 0), coalesce(m.n, 0)
           from (select ${FIRST_ACCOUNT} + 3 * n + place as id, ${userIdSql('n')} as owner,
                        (array['wallet', 'staked', 'reserved'])[1 + place] as kind
                   from generate_series(1, $1::bigint) n, generate_series(0, 2) place) a
           left join moved m on m.account = a.id order by a.id`,
        [users],
      )
      await tx.query(
        `update ledger_accounts a set balance = m.balance, transfer_count = m.n from moved m
          where m.account = a.id and a.owner_id is null`,
      )
    }),
  )
  await db.query(`select setval(pg_get_serial_sequence('ledger_accounts', 'id'), $1)`, [FIRST_ACCOUNT + 3 * users + 3])
}

interface DecidedRow extends Row {
  id: string
  status: string
  decided_by: string
  at_micros: bigint
  reason: string | null
}

/** Adds the audit rows of the decided requests, signed one after another, as the server signs them. */
async function addActs(db: Database): Promise<void> {
  await openAuditLog(db, loadAuditKey(LARGE_AUDIT_KEY, '', false))
  const key = loadAuditKey(LARGE_AUDIT_KEY, '', false)
  let tip = emptyChain
  let after = '00000000-0000-0000-0000-000000000000'
  await withoutIndexes(db, 'audit_log', async () => {
    for (;;) {
      const { rows } = await db.query<DecidedRow>(
        `select id, status, decided_by, (extract(epoch from decided_at) * 1000000)::bigint as at_micros,
                rejection_reason as reason
           from cash_requests where status <> 'pending' and id > $1 order by id limit ${SIGNED_ROWS}`,
        [after],
      )
      if (rows.length === 0) break
      const signed = rows.map((row) => {
        const act = {
          seq: tip.seq + 1n,
          atMicros: row.at_micros,
          actor: row.decided_by,
          act: row.status === 'approved' ? 'request.approve' : 'request.reject',
          target: `request:${row.id}`,
          before: { status: 'pending', reason: null },
          after: { status: row.status, reason: row.reason },
          reason: row.reason,
        }
        const previousHash = tip.hash
        tip = { seq: act.seq, hash: signAct(key, act, previousHash) }
        return { ...act, previousHash, hash: tip.hash }
      })
      await filling(db, (tx) =>
        tx.query(
          `insert into audit_log (seq, at, actor, act, target, before, after, reason, previous_hash, hash)
           select seq, timestamptz 'epoch' + micros * interval '1 microsecond', actor, act, target, before, after, reason,
                  previous_hash, hash
             from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[],
               $8::text[], $9::bytea[], $10::bytea[])
               as a (seq, micros, actor, act, target, before, after, reason, previous_hash, hash)`,
          [
            signed.map(({ seq }) => seq),
            signed.map(({ atMicros }) => atMicros),
            signed.map(({ actor }) => actor),
            signed.map(({ act }) => act),
            signed.map(({ target }) => target),
            signed.map(({ before }) => JSON.stringify(before)),
            signed.map(({ after: made }) => JSON.stringify(made)),
            signed.map(({ reason }) => reason),
            signed.map(({ previousHash }) => previousHash),
            signed.map(({ hash }) => hash),
          ],
        ),
      )
      after = rows.at(-1)?.id ?? after
    }
  })
  await db.query('update audit_tip set seq = $1, hash = $2', [tip.seq, tip.hash])
}

/** There is one dispute for every fifty users, with ten acts of staff. One dispute in ten is open. */
const USERS_A_DISPUTE = 50
const ACTS_A_DISPUTE = 10
const DISPUTES_AT_ONCE = 1_000

/**
 * Adds entries of staff acts and disputes, in the order of their times, to the open book's queue. A server that opens
 * this world seals them. Also adds the rates of each day (book_rates), because the days' rounds are in no log.
 */
export async function addBook(db: Database, users: number, begins: number, endsMs: number): Promise<void> {
  const disputes = Math.ceil(users / USERS_A_DISPUTE)
  const stepMs = (endsMs - begins) / disputes
  const entriesOf = (n: number) => {
    const entry = <Kind extends EntryKind>(kind: Kind, place: number, fields: EntryFields[Kind]) => ({
      ...{ kind, atMs: BigInt(Math.floor(begins + stepMs * (n + place / 20))), fields: encodeFields(kind, fields) },
    })
    const dispute = (state: EntryFields['dispute']['state'], place: number) =>
      entry('dispute', place, { bet: n, state, c: Buffer.alloc(32, n).toString('base64') })
    const acts = Array.from({ length: ACTS_A_DISPUTE }, (_, nth) => {
      // Most acts have the same name, and one act has a rare name.
      const act = n === 7 && nth === 0 ? 'ledger.clear' : nth < 7 ? 'balance.adjust' : 'script.set'
      return entry('act', nth, { act, actor: `staff-${nth % ADMINS}`, round: null, bet: null, amount: nth, c: null })
    })
    const answer = n % 10 === 0 ? [] : [dispute(n % 3 === 0 ? 'upheld' : 'rejected', 19)]
    return [...acts, dispute('opened', 15), ...answer]
  }
  for (let from = 0; from < disputes; from += DISPUTES_AT_ONCE) {
    const entries = Array.from({ length: Math.min(DISPUTES_AT_ONCE, disputes - from) }, (_, at) =>
      entriesOf(from + at),
    ).flat()
    await filling(db, (tx) =>
      tx.query(
        `insert into book_queue (kind, at_ms, fields)
         select kind, at_ms, fields from unnest($1::text[], $2::bigint[], $3::text[]) as q (kind, at_ms, fields)`,
        [entries.map(({ kind }) => kind), entries.map(({ atMs }) => atMs), entries.map(({ fields }) => fields)],
      ),
    )
  }
  await db.query(
    `insert into book_rates (day, type, source, up, down, ties, missing, won, lost, tied, voided, staked, profit, squares, late,
         late_won, late_lost)
     select $1::integer - n, type, 'simulated', 700, 700, 40, 0, 400, 400, 20, 0, 40000000, 1000, 900000000, 1, 1, 0
       from generate_series(1, $3::integer) n, unnest($2::text[]) type on conflict do nothing`,
    [Math.floor(endsMs / 86_400_000), ROUND_TYPES, Math.ceil((endsMs - begins) / 86_400_000)],
  )
}
