import type { CustomerBank, CustomerConversation, CustomerPage } from '#contract/customer.ts'
import { midnightBeforeMs } from '#domain/day.ts'
import type { Minor } from '#domain/money.ts'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { standingsAt } from '#server/features/wallet/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { msSql } from '#server/platform/database/rows.ts'

const DEVICES_SHOWN = 20

type Sums = Omit<NonNullable<CustomerPage['record']>, 'newestNote' | 'balances'>

type StandingRow = Pick<CustomerPage, 'stakedMinor' | 'reservedMinor' | 'isOnline' | 'lastSeenAtMs'> & Sums

export async function readStanding(
  db: Queryable,
  userId: string,
): Promise<Omit<CustomerPage, 'user' | 'record'> & { record: Sums }> {
  const lastSeen = `greatest((select seen_at from presence_last_seen where user_id = $1),
    (select max(coalesce(last_used_at, created_at)) from sessions where user_id = $1))`
  const [standings, devices] = await Promise.all([
    db.query<StandingRow>(
      `select coalesce((select balance from ledger_accounts where owner_id = $1 and kind = 'staked'), 0) as "stakedMinor",
              coalesce((select balance from ledger_accounts where owner_id = $1 and kind = 'reserved'), 0) as "reservedMinor",
              exists (select from presence_users o join presence_processes l using (process_id)
                where o.user_id = $1 and l.lease_until > clock_timestamp()) as "isOnline",
              ${msSql(lastSeen)} as "lastSeenAtMs", approved.*,
              (select count(*)::integer from disputes where owner_id = $1 and status = 'open') as "openDisputes"
         from (select coalesce(sum(amount) filter (where kind = 'deposit'), 0)::bigint as "depositedMinor",
                      coalesce(sum(amount) filter (where kind = 'withdrawal'), 0)::bigint as "withdrawnMinor"
                 from cash_requests where owner_id = $1 and status = 'approved') approved`,
      [userId],
      { name: 'customer-standing' },
    ),
    db.query<CustomerPage['devices'][number] & { n: bigint }>(
      `select id, user_agent as "userAgent", ip, ${msSql('created_at')} as "createdAtMs",
              ${msSql('coalesce(last_used_at, created_at)')} as "lastUsedAtMs", count(*) over () as n
         from sessions where user_id = $1 and ended_at is null and expires_at > clock_timestamp()
        order by coalesce(last_used_at, created_at) desc, id limit ${DEVICES_SHOWN}`,
      [userId],
      { name: 'customer-devices' },
    ),
  ])
  const [standing] = standings.rows
  if (standing === undefined) throw new Error('The sums of a customer cannot be read')
  const { depositedMinor, withdrawnMinor, openDisputes, ...rest } = standing
  return {
    ...rest,
    devices: devices.rows.map(({ n: _, ...device }) => device),
    deviceCount: Number(devices.rows[0]?.n ?? 0n),
    record: { depositedMinor, withdrawnMinor, openDisputes },
  }
}

/** The number of days before today whose closing balance is shown: with today, 30 days (rules §4.9). */
const PAST_DAYS = 29
const DAY_MS = 86_400_000

/** Returns the closing balances of the `PAST_DAYS` days before today, oldest first; null before the first transfer. */
export async function readBalances(db: Queryable, userId: string): Promise<Array<Minor | null>> {
  const todayMs = midnightBeforeMs(await readNowMs(db))
  const ends = Array.from({ length: PAST_DAYS }, (_, at) => todayMs - (PAST_DAYS - 1 - at) * DAY_MS)
  return (await standingsAt(db, userId, ends)).map(({ balanceMinor }) => balanceMinor)
}

const SHARERS_SHOWN = 20
const SHARERS_COUNTED = 100

/** Returns SQL for the users, except $1, who have linked the account number that the SQL expression `number` gives. */
const sharersOf = (number: string): string => `
  select count(*)::integer as shared_count,
         json_agg(json_build_object('id', u.id, 'username', u.username, 'isDeleted', u.deleted_at is not null)
           order by u.username_key) filter (where o.place <= ${SHARERS_SHOWN}) as shared_with
    from (select owner_id, row_number() over (order by owner_id) as place from (
            select distinct owner_id from banks where account_number = ${number} and owner_id <> $1
             limit ${SHARERS_COUNTED}) sharers) o
    join users u on u.id = o.owner_id`

/** Counts and names the users, except `userId`, who have this account number linked now. */
export async function readSharers(
  db: Queryable,
  userId: string,
  accountNumber: string,
): Promise<Pick<CustomerBank, 'sharedWith' | 'sharedCount'>> {
  const { rows } = await db.query<{ shared_count: number; shared_with: CustomerBank['sharedWith'] | null }>(
    sharersOf('$2'),
    [userId, accountNumber],
  )
  return { sharedWith: rows[0]?.shared_with ?? [], sharedCount: rows[0]?.shared_count ?? 0 }
}

export async function listCustomerBanks(db: Queryable, userId: string): Promise<CustomerBank[]> {
  const { rows } = await db.query<CustomerBank>(
    `select b.id, b.account_number as "accountNumber", b.account_holder as "accountHolder", b.bank_name as "bankName",
            ${msSql('b.created_at')} as "createdAtMs", ${msSql('b.updated_at')} as "updatedAtMs",
            s.shared_count as "sharedCount", coalesce(s.shared_with, '[]') as "sharedWith"
       from banks b cross join lateral (${sharersOf('b.account_number')}) s
      where b.owner_id = $1
      order by b.created_at, b.id`,
    [userId],
  )
  return rows
}

const CONVERSATIONS_SHOWN = 100

export async function listCustomerConversations(db: Queryable, userId: string): Promise<CustomerConversation[]> {
  const { rows } = await db.query<CustomerConversation>(
    `select c.id, json_build_object('id', coalesce(h.id::text, '${CARE_DESK.id}'), 'username', coalesce(h.username, '${CARE_DESK.username}')) as holder,
            c.last_seq as messages, ${msSql('c.last_activity')} as "lastActivityAtMs", ${msSql('c.created_at')} as "createdAtMs"
       from conversations c left join users h on h.id = c.holder_id
      where c.player_id = $1 and c.last_seq > 0
      order by c.last_activity desc, c.id desc limit ${CONVERSATIONS_SHOWN}`,
    [userId],
  )
  return rows
}
