import type { Database, Tx } from '#server/platform/db.ts'

/** A fault in the books, in numbers and account ids. An empty list means that the books are correct. */
export interface LedgerFinding {
  readonly rule:
    | 'SUM_NOT_ZERO'
    | 'BALANCE_NOT_SUM_OF_TRANSFERS'
    | 'BELOW_ZERO'
    | 'STAKED_NOT_OPEN_STAKES'
    | 'RESERVED_NOT_PENDING_WITHDRAWALS'
    | 'WALLET_ROWS_NOT_CONTINUOUS'
  readonly accountId: string | null
  readonly expected: string
  readonly found: string
}

export interface LedgerReport {
  readonly isFull: boolean
  /** Transfers checked in this run. */
  readonly transfers: number
  readonly accounts: number
  readonly findings: readonly LedgerFinding[]
}

/** Transfers per statement: the embedded engine blocks the event loop while one runs. */
const CHUNK = { embedded: 1_000n, native: 5_000n } as const
/** Most findings reported for each rule; one is enough to stop money acts. */
const TOLD = 20

/**
 * Checks the books in one repeatable-read snapshot (rules §3). Incremental: transfers of transactions that the last
 * checkpoint had not counted. Full: all transfers, in chunks. The checkpoint is the snapshot's xmin, because ids don't
 * commit in order: a transfer left uncommitted across two checks is counted later and raises no alarm.
 */
export const verifyLedger = (db: Database, isFull: boolean): Promise<LedgerReport> => check(db, isFull, false)

/** Reopens money acts if a full check, in the same snapshot, finds the books correct; the caller records the act. */
export const clearLedgerFailure = (db: Database): Promise<LedgerReport> => check(db, true, true)

const SUMS = `ledger_sums (account_id bigint primary key, before_next bigint not null, total bigint not null)`
const WALLETS = `ledger_wallets (account_id bigint primary key, rows bigint not null, total bigint not null, wrong bigint not null)`

/** Checks of one process run one after another: on the embedded engine they share their temporary tables. */
const turns = new WeakMap<Database, Promise<unknown>>()

function check(db: Database, isFullAsked: boolean, isClearing: boolean): Promise<LedgerReport> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(() => checkNow(db, isFullAsked, isClearing))
  turns.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

async function checkNow(db: Database, isFullAsked: boolean, isClearing: boolean): Promise<LedgerReport> {
  const ahead = isFullAsked && db.engine === 'embedded' ? await countAhead(db) : null
  return db.tx(
    async (tx) => {
      // Two checks at once would advance the checkpoint twice, so the second waits, however long the first one takes.
      // Unlike any query, LOCK TABLE is granted before the snapshot is taken, so the second check begins where the
      // first ended.
      await tx.query(`set local lock_timeout = 0; lock table ledger_checkpoint in share row exclusive mode`)
      const { rows: marks } = await tx.query<{ from_xmin: string; next_xmin: string }>(
        `select snapshot_xmin::text as from_xmin, pg_snapshot_xmin(pg_current_snapshot())::text as next_xmin from ledger_checkpoint`,
      )
      const mark = marks[0]
      if (mark === undefined) throw new Error('ledger_checkpoint has no row.')
      // A backup was restored into another cluster, whose transaction ids are lower than the checkpoint's: count
      // everything again.
      const isFull = isFullAsked || BigInt(mark.from_xmin) > BigInt(mark.next_xmin)
      const nextXmin = ahead?.nextXmin ?? mark.next_xmin
      if (ahead === null)
        await tx.query(`create temp table ${SUMS} on commit drop; create temp table ${WALLETS} on commit drop`)
      const transfers = await sumTransfers(tx, {
        chunk: CHUNK[db.engine],
        isFull,
        fromXmin: isFull ? '0' : mark.from_xmin,
        nextXmin,
        fromSeq: ahead?.fromSeq ?? 0n,
      })
      const findings = await compare(tx, isFull)
      const { rows: counted } = await tx.query<{ n: bigint }>(
        `select count(*) as n from ${isFull ? 'ledger_accounts' : 'ledger_sums'}`,
      )
      if (findings.length === 0) await advance(tx, isFull, isClearing, nextXmin)
      else await fail(tx, isFull, findings)
      if (ahead !== null) await tx.query(`drop table ledger_sums, ledger_wallets`)
      return { isFull, transfers: transfers + (ahead?.transfers ?? 0), accounts: Number(counted[0]?.n ?? 0n), findings }
    },
    { isolation: 'repeatable read' },
  )
}

interface CountedAhead {
  readonly nextXmin: string
  /** The first seq that was not counted. */
  readonly fromSeq: bigint
  readonly transfers: number
}

/**
 * The embedded engine has one connection: a full check in one transaction would block every bet and settlement. On that
 * engine no other transaction can be open at the same time, and transfers never change, so the existing ones can be
 * counted chunk by chunk, between other transactions. Transfers added meanwhile are counted in the snapshot that
 * compares.
 */
async function countAhead(db: Database): Promise<CountedAhead> {
  const { rows } = await db.query<{ next_xmin: string; low: bigint; high: bigint }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as next_xmin, coalesce(min(seq), 0)::bigint as low,
            coalesce(max(seq), -1)::bigint as high from ledger_transfers`,
  )
  const { next_xmin: nextXmin, low, high } = rows[0] ?? { next_xmin: '0', low: 0n, high: -1n }
  await db.query(
    `drop table if exists ledger_sums, ledger_wallets; create temp table ${SUMS}; create temp table ${WALLETS}`,
  )
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

/** Sums every transfer from `fromXmin` and `fromSeq` on per account, in chunks of seq. Answers their number. */
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
 * Continues with each wallet's rows as their owner reads them: numbered without gaps, each with its amount, each
 * balance equal to the one before plus its delta. A wallet's rows are numbered under its lock, so their seq has the
 * same order.
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

async function compare(tx: Tx, isFull: boolean): Promise<LedgerFinding[]> {
  // A full run starts from zero and reads every account; an incremental run starts from the last checkpoint's balances.
  const base = isFull ? '0' : 'coalesce(b.balance, 0)'
  const scope = isFull ? 'left join' : 'join'
  const checks: Array<[LedgerFinding['rule'], string]> = [
    [
      'BALANCE_NOT_SUM_OF_TRANSFERS',
      `select a.id as account_id, (${base} + coalesce(s.total, 0))::text as expected, a.balance::text as found
         from ledger_accounts a ${scope} ledger_sums s on s.account_id = a.id
         left join ledger_checkpoint_balances b on b.account_id = a.id
        where a.balance <> ${base} + coalesce(s.total, 0)`,
    ],
    [
      'BELOW_ZERO',
      `select a.id as account_id, '>= 0' as expected, a.balance::text as found
         from ledger_accounts a ${scope} ledger_sums s on s.account_id = a.id
        where a.owner_id is not null and a.balance < 0`,
    ],
    [
      'STAKED_NOT_OPEN_STAKES',
      `select a.id as account_id, coalesce(o.stakes, 0)::text as expected, a.balance::text as found
         from ledger_accounts a ${scope} ledger_sums s on s.account_id = a.id
         left join (select user_id, sum(stake) as stakes from bets where status = 'open' group by user_id) o
           on o.user_id = a.owner_id
        where a.kind = 'staked' and a.balance <> coalesce(o.stakes, 0)`,
    ],
    [
      'RESERVED_NOT_PENDING_WITHDRAWALS',
      `select a.id as account_id, coalesce(p.held, 0)::text as expected, a.balance::text as found
         from ledger_accounts a ${scope} ledger_sums s on s.account_id = a.id
         left join (select owner_id, sum(amount) as held from cash_requests
                     where kind = 'withdrawal' and status = 'pending' group by owner_id) p
           on p.owner_id = a.owner_id
        where a.kind = 'reserved' and a.balance <> coalesce(p.held, 0)`,
    ],
  ]
  if (isFull) {
    checks.push(
      [
        'SUM_NOT_ZERO',
        `select null as account_id, '0' as expected, sum(balance)::text as found from ledger_accounts having sum(balance) <> 0`,
      ],
      [
        'WALLET_ROWS_NOT_CONTINUOUS',
        `select a.id as account_id, a.transfer_count || ' rows adding up to ' || a.balance as expected,
                coalesce(w.rows, 0) || ' rows adding up to ' || coalesce(w.total, 0) || ', wrong: ' || coalesce(w.wrong, 0) as found
           from ledger_accounts a left join ledger_wallets w on w.account_id = a.id
          where a.kind = 'wallet'
            and (coalesce(w.rows, 0) <> a.transfer_count or coalesce(w.total, 0) <> a.balance or coalesce(w.wrong, 0) <> 0)`,
      ],
    )
  }
  const findings: LedgerFinding[] = []
  for (const [rule, text] of checks) {
    const { rows } = await tx.query<{ account_id: bigint | null; expected: string; found: string }>(
      `${text} limit ${TOLD}`,
    )
    for (const row of rows) {
      const accountId = row.account_id === null ? null : String(row.account_id)
      findings.push({ rule, accountId, expected: row.expected, found: row.found })
    }
  }
  return findings
}

/** Moves the checkpoint: its balances now include every transfer of transactions before the new xmin. */
async function advance(tx: Tx, isFull: boolean, isClearing: boolean, nextXmin: string): Promise<void> {
  if (isFull) await tx.query(`delete from ledger_checkpoint_balances`)
  await tx.query(
    `insert into ledger_checkpoint_balances select account_id, before_next from ledger_sums
     on conflict (account_id) do update set balance = ledger_checkpoint_balances.balance + excluded.balance`,
  )
  await tx.query(
    `update ledger_checkpoint set snapshot_xmin = $1::xid8, checked_at = clock_timestamp(),
       fully_checked_at = case when $2 then clock_timestamp() else fully_checked_at end,
       failed_at = case when $3 then null else failed_at end, failure = case when $3 then null else failure end`,
    [nextXmin, isFull, isClearing],
  )
}

/** Records the first failure and leaves the checkpoint where it was, so that the evidence is checked again. */
async function fail(tx: Tx, isFull: boolean, findings: readonly LedgerFinding[]): Promise<void> {
  await tx.query(
    `update ledger_checkpoint set failed_at = coalesce(failed_at, clock_timestamp()), failure = $1::jsonb`,
    [JSON.stringify({ isFull, findings })],
  )
}

export interface LedgerState {
  /** False after a failed check, until a check without findings cleared it. */
  readonly isOpen: boolean
  /** Database time of the last check without findings, Unix ms. */
  readonly checkedAtMs: number | null
  /**
   * Whether the last full check is a day old by the database's time. While money acts are closed, reopening runs a full
   * check anyway.
   */
  readonly isFullDue: boolean
}

/** The result of the last checks of any process. */
export async function readLedgerState(db: Database): Promise<LedgerState> {
  const { rows } = await db.query<{ is_open: boolean; checked_at: Date | null; is_full_due: boolean }>(
    `select failed_at is null as is_open, checked_at,
            failed_at is null and coalesce(fully_checked_at < clock_timestamp() - interval '1 day', true) as is_full_due from ledger_checkpoint`,
  )
  const row = rows[0]
  if (row === undefined) throw new Error('ledger_checkpoint has no row.')
  return { isOpen: row.is_open, checkedAtMs: row.checked_at?.getTime() ?? null, isFullDue: row.is_full_due }
}
