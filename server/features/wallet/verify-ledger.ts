import type { Database, Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'

export interface LedgerFinding {
  readonly rule:
    | 'SUM_NOT_ZERO'
    | 'BALANCE_NOT_SUM_OF_TRANSFERS'
    | 'BELOW_ZERO'
    | 'STAKED_NOT_OPEN_STAKES'
    | 'RESERVED_NOT_PENDING_WITHDRAWALS'
    | 'OPEN_BET_OF_ENDED_ROUND'
    | 'WALLET_ROWS_NOT_CONTINUOUS'
    | 'TRANSFER_UNLIKE_ITS_CAUSE'
  readonly accountId: string | null
  readonly expected: string
  readonly found: string
}

export interface LedgerReport {
  readonly isFull: boolean
  readonly transfers: number
  readonly accounts: number
  readonly findings: readonly LedgerFinding[]
}

/** Rows per statement: fewer on the embedded engine, which blocks the event loop during a statement. */
const CHUNK = { embedded: 1_000n, native: 5_000n } as const
const ACCOUNTS = { embedded: 2_000, native: 100_000 } as const
/** The largest number of findings reported for each rule. */
const TOLD = 20

/**
 * Checks the books (rules §3.4): compares the balances of all accounts with the transfers, the open bets and the
 * pending withdrawals, in one repeatable-read snapshot. A finding closes money acts. A full check counts all transfers,
 * and checks the rows of each wallet. An incremental check counts only transfers since the checkpoint, and adds the
 * balances of the checkpoint. The checkpoint is a snapshot's xmin, because transfers do not commit in the order of
 * their ids: a transfer that stays uncommitted across two checks is counted later and raises no alarm.
 * @param isFull `if-due`: full if there was no full check in the last day, which is looked up once no other check is
 *   running. With `if-due`, the check fails with LOCK_NOT_FREE if it waits too long for another check
 * @param keepBelow if an incremental check counts fewer transfers than this, the checkpoint stays where it is, and the
 *   next check counts these transfers again
 */
export const verifyLedger = (
  db: Database,
  isFull: boolean | 'if-due',
  keepBelow: number = Number(CHUNK[db.engine]),
): Promise<LedgerReport> => check(db, { isFullAsked: isFull, isClearing: false, keepBelow })

/**
 * Checks the whole ledger and, if it is correct, allows money acts again after a failed check.
 * @param record is called in the transaction that allows money acts again, to record this act
 * @throws Error if another check has found a fault since this check
 */
export async function clearLedgerFailure(
  db: Database,
  record: (tx: Tx, report: LedgerReport) => Promise<void>,
): Promise<LedgerReport> {
  const report = await check(db, { isFullAsked: true, isClearing: true, keepBelow: 0 })
  // The act is recorded in a new transaction, because its row contains the hash of the audit log's newest row, and the
  // snapshot of the check may lack that row.
  if (report.findings.length === 0)
    await db.tx(async (tx) => {
      await tx.query('set local lock_timeout = 0')
      const { rowCount } = await tx.query(`update ledger_checkpoint set failed_at = null where failure is null`)
      if (rowCount === 0) throw new Error('Another check of the books failed meanwhile: money acts stay closed.')
      await record(tx, report)
    })
  return report
}

interface CheckOrder {
  readonly isFullAsked: boolean | 'if-due'
  readonly isClearing: boolean
  readonly keepBelow: number
}

const SUMS = `ledger_sums (account_id bigint primary key, before_next bigint not null, total bigint not null)`
const OWED = `ledger_owed (owner_id uuid, kind text, amount bigint not null, primary key (owner_id, kind))`
const WALLETS = `ledger_wallets (account_id bigint primary key, rows bigint not null, total bigint not null, wrong bigint not null)`

/** A full check of the embedded engine leaves its tables on the connection when it fails midway. */
const DROP = `drop table if exists ledger_sums, ledger_wallets`

/** The last check of each database, for which the next check waits: embedded checks share temporary tables. */
const turns = new WeakMap<Database, Promise<unknown>>()

function check(db: Database, order: CheckOrder): Promise<LedgerReport> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(() => checkNow(db, order))
  const ended = turn.catch(() => {})
  turns.set(db, ended)
  return turn
}

async function checkNow(db: Database, { isFullAsked, isClearing, keepBelow }: CheckOrder): Promise<LedgerReport> {
  const isFullNow = async (q: Queryable) =>
    isFullAsked === 'if-due' ? (await readLedgerState(q)).isFullDue : isFullAsked
  const ahead = db.engine === 'embedded' && (await isFullNow(db)) ? await countAhead(db) : null
  return db.tx(
    async (tx) => {
      // Two checks at the same time would advance the checkpoint twice, so the second check waits for the first.
      // Unlike a query, LOCK TABLE waits before the snapshot is taken: the second check begins where the first ended.
      const wait = isFullAsked === 'if-due' ? '' : 'set local lock_timeout = 0; '
      await tx.query(`${wait}lock table ledger_checkpoint in share row exclusive mode`)
      const { fromXmin, nextXminNow } = onlyRow(
        await tx.query<{ fromXmin: string; nextXminNow: string }>(
          `select snapshot_xmin::text as "fromXmin", pg_snapshot_xmin(pg_current_snapshot())::text as "nextXminNow"
             from ledger_checkpoint`,
        ),
      )
      // A checkpoint above the present transaction ids is from a backup of another cluster: all transfers are counted.
      const isRecount = BigInt(fromXmin) > BigInt(nextXminNow)
      const isFull = ahead !== null || isRecount || (await isFullNow(tx))
      const nextXmin = ahead?.nextXmin ?? nextXminNow
      if (ahead === null)
        await tx.query(`${DROP}; create temp table ${SUMS} on commit drop; create temp table ${WALLETS} on commit drop`)
      const transfers = await sumTransfers(tx, {
        chunk: CHUNK[db.engine],
        isFull,
        fromXmin: isFull ? '0' : fromXmin,
        nextXmin,
        fromSeq: ahead?.fromSeq ?? 0n,
      })
      const findings = await compare(tx, isFull, ACCOUNTS[db.engine])
      const { accounts } = onlyRow(
        await tx.query<{ accounts: number }>(
          `select count(*)::integer as accounts from ${isFull ? 'ledger_accounts' : 'ledger_sums'}`,
        ),
      )
      if (findings.length > 0) await fail(tx, isFull, findings)
      else await pass(tx, isFull, isClearing, isFull || transfers >= keepBelow ? nextXmin : null)
      if (ahead !== null) await tx.query(DROP)
      return { isFull, transfers: transfers + (ahead?.transfers ?? 0), accounts, findings }
    },
    { isolation: 'repeatable read' },
  )
}

/**
 * Sums the existing transfers before the check, in many short transactions: a full check in one transaction would block
 * the embedded engine's only connection. The sums are right nevertheless: transfers never change, and with one
 * connection no other transaction is open while a chunk is summed.
 */
async function countAhead(db: Database) {
  const { nextXmin, low, high } = onlyRow(
    await db.query<{ nextXmin: string; low: bigint; high: bigint }>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text as "nextXmin", coalesce(min(seq), 0)::bigint as low,
              coalesce(max(seq), -1)::bigint as high from ledger_transfers`,
    ),
  )
  await db.query(`${DROP}; create temp table ${SUMS}; create temp table ${WALLETS}`)
  let transfers = 0
  for (let from = low; from <= high; from += CHUNK.embedded) {
    const to = from + CHUNK.embedded > high ? high + 1n : from + CHUNK.embedded
    transfers += await db.tx((tx) => addChunk(tx, { isFull: true, fromXmin: '0', nextXmin, from, to }))
  }
  return { nextXmin, fromSeq: high + 1n, transfers }
}

interface Count {
  readonly isFull: boolean
  readonly fromXmin: string
  readonly nextXmin: string
}

async function sumTransfers(
  tx: Tx,
  { chunk, fromSeq, ...count }: Count & { readonly chunk: bigint; readonly fromSeq: bigint },
): Promise<number> {
  const { rows } = await tx.query<{ low: bigint | null; high: bigint | null }>(
    `select min(seq) as low, max(seq) as high from ledger_transfers where tx_id >= $1::xid8 and seq >= $2`,
    [count.fromXmin, fromSeq],
  )
  const { low, high } = rows[0] ?? { low: null, high: null }
  if (low === null || high === null) return 0
  let transfers = 0
  for (let from = low; from <= high; from += chunk)
    transfers += await addChunk(tx, { ...count, from, to: from + chunk })
  return transfers
}

async function addChunk(
  tx: Tx,
  { isFull, fromXmin, nextXmin, from, to }: Count & { readonly from: bigint; readonly to: bigint },
): Promise<number> {
  const { rows } = await tx.query<{ n: bigint }>(
    `with part as materialized (
       select from_account, to_account, amount, tx_id < $2::xid8 as is_before from ledger_transfers
        where seq >= $3 and seq < $4 and tx_id >= $1::xid8
     ), moved as (
       select account_id, sum(delta) filter (where is_before) as before_next, sum(delta) as total from (
         select from_account as account_id, -amount as delta, is_before from part
         union all select to_account, amount, is_before from part) m
        group by account_id
     ), added as (
       insert into ledger_sums select account_id, coalesce(before_next, 0), total from moved
       on conflict (account_id) do update
         set before_next = ledger_sums.before_next + excluded.before_next, total = ledger_sums.total + excluded.total
     )
     select count(*) as n from part`,
    [fromXmin, nextXmin, from, to],
  )
  if (isFull) await addWalletRows(tx, from, to)
  return Number(rows[0]?.n ?? 0n)
}

/**
 * Checks each wallet's rows as the owner reads them: positions grow by one in the order of `seq`, each delta is what
 * the transfer moved, and each balance is the balance before plus the delta.
 */
async function addWalletRows(tx: Tx, from: bigint, to: bigint): Promise<void> {
  await tx.query(
    `with running as (
       select t.wallet_account, t.wallet_delta,
           t.wallet_seq <> coalesce(w.rows, 0) + row_number() over before
             or t.wallet_balance_after <> coalesce(w.total, 0) + sum(t.wallet_delta) over before
             or t.wallet_delta <> case t.wallet_account when t.to_account then t.amount when t.from_account then -t.amount else 0 end
             as is_wrong
         from ledger_transfers t left join ledger_wallets w on w.account_id = t.wallet_account
        where t.seq >= $1 and t.seq < $2 and t.wallet_account is not null
       window before as (partition by t.wallet_account order by t.seq)
     )
     insert into ledger_wallets
       select wallet_account, count(*), sum(wallet_delta), count(*) filter (where is_wrong) from running group by wallet_account
     on conflict (account_id) do update set rows = ledger_wallets.rows + excluded.rows,
       total = ledger_wallets.total + excluded.total, wrong = ledger_wallets.wrong + excluded.wrong`,
    [from, to],
  )
}

async function compare(tx: Tx, isFull: boolean, step: number): Promise<LedgerFinding[]> {
  const findings = new Map<LedgerFinding['rule'], LedgerFinding[]>()
  const add = (rows: readonly LedgerFinding[]) => {
    for (const row of rows) {
      const told = findings.get(row.rule) ?? []
      if (told.length < TOLD) findings.set(row.rule, [...told, row])
    }
  }
  const total = await compareAccounts(tx, isFull, step, add)
  if (total !== 0n) add([{ rule: 'SUM_NOT_ZERO', accountId: null, expected: '0', found: String(total) }])
  for (const text of [ENDED_ROUNDS, ...(isFull ? [WALLET_ROWS] : [])])
    add((await tx.query<LedgerFinding & Row>(`${text} limit ${TOLD}`)).rows)
  return [...findings.values()].flat()
}

/** Sums are texts, since numbers in JSON cannot carry every bigint. */
interface WrongAccount {
  readonly accountId: string
  readonly kind: string
  readonly isOwned: boolean
  readonly found: string
  readonly moved: string
  readonly owed: string
}

const OWED_RULES: Readonly<Record<string, LedgerFinding['rule']>> = {
  staked: 'STAKED_NOT_OPEN_STAKES',
  reserved: 'RESERVED_NOT_PENDING_WITHDRAWALS',
}

function findingsOf({ accountId, kind, isOwned, found, moved, owed }: WrongAccount): LedgerFinding[] {
  const owedRule = OWED_RULES[kind]
  const findings: LedgerFinding[] = []
  if (found !== moved) findings.push({ rule: 'BALANCE_NOT_SUM_OF_TRANSFERS', accountId, expected: moved, found })
  if (isOwned && BigInt(found) < 0n) findings.push({ rule: 'BELOW_ZERO', accountId, expected: '>= 0', found })
  if (owedRule !== undefined && found !== owed) findings.push({ rule: owedRule, accountId, expected: owed, found })
  return findings
}

/**
 * Compares the balances of all accounts, also of those without new transfers, because a change of a balance by hand
 * leaves no transfer. Returns the sum of all balances.
 */
async function compareAccounts(tx: Tx, isFull: boolean, step: number, add: (rows: readonly LedgerFinding[]) => void) {
  await tx.query(`create temp table ${OWED} on commit drop`)
  await tx.query(
    `insert into ledger_owed
       select user_id, 'staked', sum(stake) from bets where status = 'open' group by user_id
       union all
       select owner_id, 'reserved', sum(amount) from cash_requests where kind = 'withdrawal' and status = 'pending' group by owner_id`,
  )
  await tx.query('analyze ledger_sums; analyze ledger_owed')
  const { rows: steps } = await tx.query<{ id: bigint }>(
    `select id from (select id, row_number() over (order by id) as place from ledger_accounts) a
      where place % $1 = 0 order by id`,
    [step],
  )
  let total = 0n
  let after: bigint | null = null
  for (const upTo of [...steps.map(({ id }) => id), null]) {
    const { rows } = await tx.query<{ total: string; wrong: WrongAccount[] | null }>(accountsSql(isFull), [after, upTo])
    total += BigInt(rows[0]?.total ?? 0)
    add((rows[0]?.wrong ?? []).flatMap(findingsOf))
    after = upTo
  }
  return total
}

function accountsSql(isFull: boolean): string {
  const moved = `${isFull ? '0' : 'coalesce(b.balance, 0)'} + coalesce(s.total, 0)`
  return `
  select coalesce(sum(a.balance), 0)::text as total,
      json_agg(json_build_object('accountId', a.id::text, 'kind', a.kind, 'isOwned', a.owner_id is not null,
          'found', a.balance::text, 'moved', (${moved})::text, 'owed', coalesce(o.amount, 0)::text))
        filter (where a.balance <> ${moved} or (a.owner_id is not null and a.balance < 0)
          or (a.kind in ('staked', 'reserved') and a.balance <> coalesce(o.amount, 0))) as wrong
    from ledger_accounts a
    left join ledger_sums s on s.account_id = a.id
    ${isFull ? '' : 'left join ledger_checkpoint_balances b on b.account_id = a.id'}
    left join ledger_owed o on o.owner_id = a.owner_id and o.kind = a.kind
   where ($1::bigint is null or a.id > $1) and ($2::bigint is null or a.id <= $2)`
}

/** A round ends only once none of its bets is open, so an open bet of an ended round is a finding. */
const ENDED_ROUNDS = `
  select 'OPEN_BET_OF_ENDED_ROUND' as rule, a.id::text as "accountId", 'settled' as expected,
      'bet ' || b.id || ' is open' as found
    from bets b
    join rounds r on r.id = b.round_id and r.status = 'ended'
    left join ledger_accounts a on a.owner_id = b.user_id and a.kind = 'staked'
   where b.status = 'open'`

const WALLET_ROWS = `
  select 'WALLET_ROWS_NOT_CONTINUOUS' as rule, a.id::text as "accountId",
      a.transfer_count || ' rows adding up to ' || a.balance as expected,
      coalesce(w.rows, 0) || ' rows adding up to ' || coalesce(w.total, 0) || ', wrong: ' || coalesce(w.wrong, 0) as found
    from ledger_accounts a left join ledger_wallets w on w.account_id = a.id
   where a.kind = 'wallet'
     and (coalesce(w.rows, 0) <> a.transfer_count or coalesce(w.total, 0) <> a.balance or coalesce(w.wrong, 0) <> 0)`

/** @param nextXmin the new xmin of the checkpoint; null if the checkpoint stays */
async function pass(tx: Tx, isFull: boolean, isClearing: boolean, nextXmin: string | null): Promise<void> {
  if (isFull) await tx.query(`delete from ledger_checkpoint_balances`)
  if (nextXmin !== null) await tx.query(ADVANCE)
  await tx.query(
    `update ledger_checkpoint set snapshot_xmin = coalesce($1::xid8, snapshot_xmin), checked_at = clock_timestamp(),
       fully_checked_at = case when $2 then clock_timestamp() else fully_checked_at end,
       failure = case when $3 then null else failure end`,
    [nextXmin, isFull, isClearing],
  )
}

/**
 * SQL that adds the transfers before the new checkpoint's xmin to the checkpoint's balances. An account without a row
 * has the balance 0. No upsert is needed, because the checkpoint is locked.
 */
const ADVANCE = `
  with moved as materialized (select account_id, before_next from ledger_sums where before_next <> 0),
  changed as (
    update ledger_checkpoint_balances b set balance = b.balance + m.before_next
      from moved m where b.account_id = m.account_id returning b.account_id)
  insert into ledger_checkpoint_balances
    select * from moved m where not exists (select 1 from changed c where c.account_id = m.account_id)`

/** Stores the findings without moving the checkpoint, so that the next check counts the same transfers again. */
async function fail(tx: Tx, isFull: boolean, findings: readonly LedgerFinding[]): Promise<void> {
  await tx.query(
    `update ledger_checkpoint set failed_at = coalesce(failed_at, clock_timestamp()), failure = $1::jsonb`,
    [JSON.stringify({ isFull, findings })],
  )
}

export interface LedgerState {
  /** False from a failed check until `clearLedgerFailure` finds no fault. */
  readonly isOpen: boolean
  readonly checkedAtMs: number | null
  readonly checkedAgoMs: number
  /**
   * True if no full check was made in the last day. False while money acts are closed, because reopening them runs a
   * full check.
   */
  readonly isFullDue: boolean
}

export const readLedgerState = async (db: Queryable): Promise<LedgerState> =>
  onlyRow(
    await db.query<LedgerState & Row>(
      `select failed_at is null as "isOpen", ${msSql('checked_at')} as "checkedAtMs",
              coalesce(extract(epoch from clock_timestamp() - checked_at) * 1000, 'Infinity')::float8 as "checkedAgoMs",
              failed_at is null and coalesce(fully_checked_at < clock_timestamp() - interval '1 day', true) as "isFullDue"
         from ledger_checkpoint`,
    ),
  )
