import type { Database, Queryable } from '#server/platform/database/db.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { newId } from '#server/platform/process/ids.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

const EVERY_MS = 20_000
/** A process begins a pass only if the totals (`as_of`) are at least this old. */
const REST_MS = 15_000
/** A claim expires if it is not renewed for this many seconds, since its process may have died. */
const CLAIM_S = 30
/** Rows per statement: fewer on the embedded engine, which blocks the event loop during a statement. */
const CHUNK = { embedded: { transfers: 1_000n, users: 500 }, native: { transfers: 5_000n, users: 5_000 } } as const
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the database time as of which the totals are right, Unix ms. Null until every user has totals. */
export async function readTotalsAtMs(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>(`select ${msSql('as_of')} as ms from account_totals_mark`)
  return rows[0]?.ms ?? null
}

/**
 * Brings `account_totals` up to the moment of the call (rules §6.1). The first pass writes the totals of every user; if
 * interrupted, a later call continues the pass. Later passes update only users with new transfers. The next pass begins
 * at the xmin of this pass's snapshot, so that the next pass sees the transfers that are uncommitted now.
 * @param isStopping is called between two batches; true stops the pass
 * @param restMs no new pass begins within this time after the last one
 * @returns false if the totals are fresh, another process updates them, or this pass was stopped or lost its claim
 */
export async function totalAccounts(
  db: Database,
  isStopping: () => boolean = () => false,
  restMs: number = 0,
): Promise<boolean> {
  const claim = newId()
  const mark = await claimPass(db, claim, restMs)
  if (mark === null) return false
  const goesOn = async () => !isStopping() && (await keepClaim(db, claim))
  try {
    const { at, xmin, xmax, foreignTo } = await readSnapshot(db)
    // True if the data comes from a backup of another cluster, whose transaction ids mean nothing in this cluster.
    const isForeign =
      (mark.xmin !== null && BigInt(mark.xmin) > BigInt(xmin)) || (foreignTo !== null && foreignTo !== mark.foreignTo)
    const isNew = mark.xmin === null || isForeign
    const fromXmin = mark.xmin === null || isForeign ? xmin : mark.xmin
    if (isNew)
      await db.query(
        `update account_totals_mark set snapshot_xmin = $2::xid8, foreign_to = $3::xid8, filled_to = $4, as_of = null
          where claimed_by = $1`,
        [claim, xmin, foreignTo, NO_ID],
      )
    const fillFrom = isNew ? NO_ID : mark.filledTo
    if (fillFrom !== null) {
      if (!(await fill(db, claim, fillFrom, goesOn))) return false
      // Without planner statistics, PostgreSQL would sort all users for each page of a list that is sorted by balance.
      await db.query('analyze account_totals')
    }
    if (!(await follow(db, { fromXmin, xmax }, goesOn))) return false
    const { rowCount } = await db.query(
      `update account_totals_mark set snapshot_xmin = $2::xid8, as_of = $3, filled_to = null where claimed_by = $1`,
      [claim, xmin, at],
    )
    return rowCount === 1
  } finally {
    await db.query(`update account_totals_mark set claimed_by = null, claimed_until = null where claimed_by = $1`, [
      claim,
    ])
  }
}

async function claimPass(db: Queryable, claim: string, restMs: number) {
  const { rows } = await db.query<{ xmin: string | null; foreignTo: string | null; filledTo: string | null }>(
    `update account_totals_mark set claimed_by = $1, claimed_until = clock_timestamp() + interval '${CLAIM_S} s'
      where (claimed_until is null or claimed_until < clock_timestamp())
        and (as_of is null or as_of <= clock_timestamp() - $2 * interval '1 ms')
      returning snapshot_xmin::text as xmin, foreign_to::text as "foreignTo", filled_to as "filledTo"`,
    [claim, restMs],
  )
  return rows[0] ?? null
}

async function keepClaim(db: Queryable, claim: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update account_totals_mark set claimed_until = clock_timestamp() + interval '${CLAIM_S} s' where claimed_by = $1`,
    [claim],
  )
  return rowCount === 1
}

/**
 * Reads the present snapshot; `at` is the statement's start. `foreignTo` is null if this cluster has assigned the
 * ledger's highest transaction id. Otherwise that id comes from another cluster, and `foreignTo` is that id.
 */
async function readSnapshot(db: Queryable) {
  return onlyRow(
    await db.query<{ at: Date; xmin: string; xmax: string; foreignTo: string | null }>(
      `select statement_timestamp() as at, pg_snapshot_xmin(s.now)::text as xmin, pg_snapshot_xmax(s.now)::text as xmax,
              (select tx_id::text from ledger_transfers where tx_id >= pg_snapshot_xmax(s.now)
                order by tx_id desc limit 1) as "foreignTo"
         from (select pg_current_snapshot() as now) s`,
    ),
  )
}

/** SQL that selects the balances and transfer counts of the users in the CTE `owners` of `fill` and `follow`. */
const NOW = `select a.owner_id, sum(a.balance) filter (where a.kind = 'wallet')::bigint as balance,
      sum(a.balance) filter (where a.kind = 'staked')::bigint as staked, sum(a.transfer_count)::bigint as transfers
    from owners o join ledger_accounts a on a.owner_id = o.id group by a.owner_id`

async function fill(db: Database, claim: string, fromId: string, goesOn: () => Promise<boolean>): Promise<boolean> {
  const users = CHUNK[db.engine].users
  for (let afterId = fromId; ;) {
    const { rows } = await db.query<{ last: string | null; n: bigint }>(
      `with owners as materialized (select id from users where id > $1 order by id limit ${users}), now as (${NOW}),
        written as (
          insert into account_totals as t (user_id, balance, staked, transfers) select * from now order by owner_id
          on conflict (user_id) do update
            set balance = excluded.balance, staked = excluded.staked, transfers = excluded.transfers
            where t.transfers < excluded.transfers)
       select (select id from owners order by id desc limit 1) as last, (select count(*) from owners) as n`,
      [afterId],
    )
    const { last, n } = rows[0] ?? { last: null, n: 0n }
    if (last === null || Number(n) < users) return await goesOn()
    afterId = last
    await db.query(`update account_totals_mark set filled_to = $2 where claimed_by = $1`, [claim, last])
    if (!(await goesOn())) return false
  }
}

async function follow(
  db: Database,
  { fromXmin, xmax }: { readonly fromXmin: string; readonly xmax: string },
  goesOn: () => Promise<boolean>,
): Promise<boolean> {
  const { rows } = await db.query<{ low: bigint | null; high: bigint | null }>(
    `select min(seq) as low, max(seq) as high from ledger_transfers where tx_id >= $1::xid8 and tx_id < $2::xid8`,
    [fromXmin, xmax],
  )
  const { low, high } = rows[0] ?? { low: null, high: null }
  if (low === null || high === null) return true
  const chunk = CHUNK[db.engine].transfers
  for (let from = low; from <= high; from += chunk) {
    await db.query(
      `with moved as materialized (
         select from_account, to_account from ledger_transfers
          where seq >= $1 and seq < $2 and tx_id >= $3::xid8 and tx_id < $4::xid8),
       owners as materialized (
         select distinct owner_id as id from ledger_accounts where owner_id is not null
            and id in (select from_account from moved union select to_account from moved)),
       now as (${NOW})
       update account_totals t set balance = now.balance, staked = now.staked, transfers = now.transfers
         from now where t.user_id = now.owner_id and t.transfers < now.transfers`,
      [from, from + chunk, fromXmin, xmax],
    )
    if (!(await goesOn())) return false
  }
  return true
}

/** Brings the totals up to date at intervals; other processes may do the same. */
export function startTotalling(db: Database, log: Logger): Stop {
  const failed = logging(log, 'The totals of accounts could not be brought up to date')
  return repeating(EVERY_MS, (signal) => totalAccounts(db, () => signal.aborted, REST_MS), failed, { isAtOnce: true })
}
