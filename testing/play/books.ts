import { wallet as walletOf } from '#domain/ledger/accounts.ts'
import { captureTransfer, holdTransfer, releaseTransfer } from '#domain/ledger/transfers.ts'
import { CAPABILITIES, type Subject } from '#domain/identity/permissions.ts'
import type { Minor } from '#domain/money.ts'
import { openAuditLog, signAct } from '#server/features/audit/index.ts'
import { lockAccounts, postTransfers, startBooking } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createPlayers, type TestPlayer } from './rounds.ts'

/** The rates of each type, in per cent (spec §9), repeated here independently of domain/game/calendar.ts. */
const RATES = `(values ('30s', 5), ('60s', 7), ('90s', 9), ('120s', 12)) rate (type, percent)`

/**
 * Every promise of rules §1.2, §2 and §3 that the tables can prove, each as a query that finds violations. They are
 * independent of the code that keeps them: the ledger verifier is not used.
 */
const INVARIANTS: Readonly<Record<string, string>> = {
  'all balances sum to zero': `select 'all' as who, sum(balance)::text as what from ledger_accounts having sum(balance) <> 0`,

  'no user account is below zero': `select id::text as who, balance::text as what from ledger_accounts
     where owner_id is not null and balance < 0`,

  'a balance is the sum of its transfers': `select a.id::text as who, a.balance || ' against ' || coalesce(m.total, 0) as what
     from ledger_accounts a left join (
       select account, sum(delta) as total, count(*) as moves from (
         select from_account as account, -amount as delta from ledger_transfers
         union all select to_account, amount from ledger_transfers) one group by account) m on m.account = a.id
    where a.balance <> coalesce(m.total, 0) or a.transfer_count <> coalesce(m.moves, 0)`,

  'a wallet’s rows are numbered without gaps and add up one by one': `select id as who, wallet_seq || ': ' || wallet_balance_after as what from (
       select id, wallet_seq, wallet_balance_after, row_number() over w as place, sum(wallet_delta) over w as total
         from ledger_transfers where wallet_account is not null
       window w as (partition by wallet_account order by wallet_seq)) t
    where t.place <> t.wallet_seq or t.total <> t.wallet_balance_after`,

  'staked is the open stakes': `select a.owner_id::text as who, a.balance || ' against ' || coalesce(b.stakes, 0) as what
     from ledger_accounts a
     left join (select user_id, sum(stake) as stakes from bets where status = 'open' group by user_id) b on b.user_id = a.owner_id
    where a.kind = 'staked' and a.balance <> coalesce(b.stakes, 0)`,

  'one bet at most is open': `select user_id::text as who, count(*)::text as what from bets where status = 'open'
    group by user_id having count(*) > 1`,

  'reserved is the pending withdrawals': `select a.owner_id::text as who, a.balance || ' against ' || coalesce(p.held, 0) as what
     from ledger_accounts a
     left join (select owner_id, sum(amount) as held from cash_requests where kind = 'withdrawal' and status = 'pending'
                 group by owner_id) p on p.owner_id = a.owner_id
    where a.kind = 'reserved' and a.balance <> coalesce(p.held, 0)`,

  'what a bet shows is what its wallet got, in as many transfers as its ending needs': `select b.id::text as who,
      b.status || ' ' || coalesce(b.profit, -b.stake) || ' against ' || coalesce(t.moved, 0) || ' in ' || coalesce(t.n, 0) as what
     from bets b
     left join (select ref, sum(wallet_delta) as moved, count(*) as n from ledger_transfers group by ref) t on t.ref = 'bet:' || b.id
    where coalesce(b.profit, -b.stake) <> coalesce(t.moved, 0)
       or coalesce(t.n, 0) <> case b.status when 'open' then 1 when 'voided' then 2 else 3 end`,

  'an ended round has no open bet': `select r.id::text as who, b.id::text as what from rounds r join bets b on b.round_id = r.id
    where r.status = 'ended' and b.status = 'open'`,

  'a bet was disclosed as it is decided, and announced before it was accepted': `select b.id::text as who, b.basis || ' seen ' || b.seen_basis as what
     from bets b join rounds r on r.id = b.round_id
    where b.basis <> b.seen_basis
       or (b.basis = 'SCRIPTED') <> (b.scripted_outcome is not null)
       or (b.basis = 'ADMIN' and (r.announced_at is null or b.accepted_at < r.announced_at))
       or (b.basis = 'PRICE' and b.accepted_at > r.announced_at)`,

  'a round is of a type whose rate is known here': `select id::text as who, type as what from rounds
    where type not in (select type from ${RATES})`,

  'a bet ended as its basis says': `select b.id::text as who, b.basis || ' ' || b.status || ' ' || coalesce(b.void_reason, '') as what
     from (select b.*, r.deleted_at, r.staff_direction,
             b.stake * rate.percent / 100 as rated
             from bets b join rounds r on r.id = b.round_id join ${RATES} on rate.type = r.type where b.status <> 'open') b
    where b.profit <> case b.status when 'won' then b.rated when 'lost' then -b.rated else 0 end
       or b.status <> case
         when b.deleted_at is not null then 'voided'
         when b.basis = 'SCRIPTED' then case b.scripted_outcome when 'win' then 'won' else 'lost' end
         when b.basis = 'ADMIN' then case when b.staff_direction = b.direction then 'won' else 'lost' end
         when b.entry_price is null or b.exit_price is null or b.entry_price = b.exit_price then 'voided'
         when (b.exit_price > b.entry_price) = (b.direction = 'up') then 'won' else 'lost' end
       or b.void_reason is distinct from case
         when b.status <> 'voided' then null
         when b.deleted_at is not null then 'ROUND_DELETED'
         when b.entry_price is null or b.exit_price is null then 'NO_TICK' else 'TIE' end`,
}

const BROKEN = Object.entries(INVARIANTS)
  .map(([name, text]) => `select '${name}' as rule, who, what from (${text}) broken`)
  .join(' union all ')

/** A description of every broken promise of the books; an empty list when there is none. */
export async function brokenInvariants(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ rule: string; who: string; what: string }>(`${BROKEN} limit 10`, [], {
    name: 'broken-invariants',
  })
  return rows.map(({ rule, who, what }) => `${rule}: ${who} ${what}`)
}

/** The key that signs audit rows in tests. */
export const AUDIT_KEY = new Uint8Array(32).fill(7)

/** An admin who is signed in, with the audit log open for the admin's acts. */
export async function createAdmin(db: Database): Promise<Subject> {
  await openAuditLog(db, AUDIT_KEY)
  const [admin] = await createPlayers(db, 1, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  if (admin === undefined) throw new Error('No admin was made.')
  return subjectOfPlayer(admin, 'admin')
}

export const subjectOfPlayer = (player: TestPlayer, role: 'player' | 'admin' = 'player'): Subject => ({
  userId: player.id,
  username: player.username,
  sessionId: player.token.sessionId,
  role,
  capabilities: role === 'admin' ? CAPABILITIES : [],
  isFrozen: false,
  mustChangePassword: false,
})

/**
 * Files a withdrawal as the cashier does, in one transaction: locks user and accounts, decides, holds. Returns false
 * when the wallet does not cover it.
 */
export function holdWithdrawal(db: Database, requestId: string, userId: string, amountMinor: Minor): Promise<boolean> {
  return db.tx(async (tx) => {
    await tx.query(`select 1 from users where id = $1 for update`, [userId])
    const locked = await lockAccounts(tx, [userId])
    if (startBooking(locked).balanceMinor(walletOf(userId)) < amountMinor) return false
    await tx.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
       values ($1, $2, 'withdrawal', $3, $1, '0', 'TEST', 'TEST', clock_timestamp())`,
      [requestId, userId, amountMinor],
    )
    await postTransfers(tx, [holdTransfer(requestId, userId, amountMinor)], Date.now(), locked)
    return true
  })
}

/** Ends a held withdrawal as staff do. Returns false when it had ended before. */
export function endWithdrawal(
  db: Database,
  requestId: string,
  userId: string,
  how: 'capture' | 'release',
  staffId: string,
): Promise<boolean> {
  return db.tx(async (tx) => {
    await tx.query(`select 1 from users where id = any($1::uuid[]) order by id for update`, [[userId, staffId]])
    const { rows } = await tx.query<{ amount: bigint }>(
      `update cash_requests set status = $2, rejection_reason = $3, decided_by = $4, decided_at = clock_timestamp()
        where id = $1 and status = 'pending' returning amount`,
      how === 'capture' ? [requestId, 'approved', null, staffId] : [requestId, 'rejected', 'test', staffId],
    )
    const amountMinor = rows[0]?.amount
    if (amountMinor === undefined) return false
    const end = how === 'capture' ? captureTransfer : releaseTransfer
    await postTransfers(tx, [end(requestId, userId, amountMinor, staffId)], Date.now())
    return true
  })
}

/**
 * Moves the rounds that have not ended, and their open bets, into the past by whole seconds, as if that time had
 * passed. For tests only: elsewhere an accepted bet and an announcement never change.
 */
export async function letPass(db: Database, seconds: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(`set local session_replication_role = replica`)
    await tx.query(
      `update bets set accepted_at = accepted_at - make_interval(secs => $1), entry_from = entry_from - $1 where status = 'open'`,
      [seconds],
    )
    await tx.query(
      `update rounds set opens_at = opens_at - make_interval(secs => $1), locks_at = locks_at - make_interval(secs => $1),
         closes_at = closes_at - make_interval(secs => $1), announced_at = announced_at - make_interval(secs => $1)
        where status <> 'ended'`,
      [seconds],
    )
  })
}

/**
 * Records an act as older versions did when its reason had half of a character: signed as it came, and stored as
 * UTF-8 has it. Returns the row's number.
 */
export const recordHalf = (db: Database, key: Uint8Array, reason: string): Promise<bigint> =>
  db.tx(async (tx) => {
    const { rows } = await tx.query<{ seq: bigint; hash: Uint8Array; at: bigint }>(
      'select seq, hash, (extract(epoch from clock_timestamp()) * 1000000)::bigint as at from audit_tip for update',
    )
    const tip = rows[0]
    if (tip === undefined) throw new Error('The audit log has lost its tip')
    const seq = tip.seq + 1n
    const act = { actor: 'system', act: 'user.update', target: 'user:1', before: null, after: { vip: 3 }, reason }
    const hash = signAct(key, { ...act, seq, atMicros: tip.at }, tip.hash)
    await tx.query(
      `insert into audit_log (seq, at, actor, act, target, before, after, reason, previous_hash, hash)
       values ($1, timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'system', 'user.update', 'user:1', 'null', '{"vip": 3}', $3, $4, $5)`,
      [seq, tip.at, reason.toWellFormed(), tip.hash, hash],
    )
    await tx.query('update audit_tip set seq = $1, hash = $2', [seq, hash])
    return seq
  })
