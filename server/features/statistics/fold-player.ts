import { dayAfter, dayOf, type Day, startOfDayMs } from '#domain/day.ts'
import { type EndedBet, NO_PLAY, type Play } from '#domain/statistics/play.ts'
import type { Database, Row, Tx } from '#server/platform/database/db.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { BET_COLUMNS, closingOf, type ClosingRow, LATER_TRANSFERS, playByDay } from './rows.ts'

/** About how many bets a transaction folds: few on the embedded engine, which runs no other query meanwhile. */
const CHUNK = { embedded: 500, native: 5_000 } as const
/** The largest number of transfers of a wallet that one bet causes: its stake, its return and its profit. */
const TRANSFERS_A_BET = 3n

/**
 * A day is folded this long after its end. By then, all bets accepted on that day are committed, and a clock that is
 * set back by less than this adds no bet to the day.
 */
const REST_MS = 3_600_000

export const openSince = (nowMs: number): Date => startOf(dayOf(nowMs - REST_MS))
const startOf = (day: Day): Date => new Date(startOfDayMs(day))

interface MarkRow extends Row {
  folded_before: Date
  bets: bigint
  wallet_seq: bigint
}

/**
 * Folds a player's finished days: stores the sums of each day, in transactions of about `CHUNK` bets (rules §6.8).
 * Several processes may run this, and each may be killed at any point: the days and the mark, which says what is
 * folded, are written together while the mark is locked. Returns the number of bets folded.
 */
export async function foldPlayer(db: Database, userId: string, nowMs: number): Promise<number> {
  const order: StepOrder = { userId, limit: openSince(nowMs), chunk: CHUNK[db.engine] }
  if (await isFolded(db, order)) return 0
  const isThere = await retrying(db, (tx) => checkMark(tx, order))
  if (!isThere) return 0
  while (!(await retrying(db, (tx) => foldBalances(tx, order))));
  let folded = 0
  for (;;) {
    const step = await retrying(db, (tx) => foldBets(tx, order))
    folded += step.folded
    if (step.isDone) return folded
  }
}

/**
 * Returns true if there is nothing to fold. Takes no lock. After a clock was set back, bets may have been added to
 * folded days. This function looks for them only in the last `RECOUNTED_DAYS` folded days, `checkMark` in all of them.
 */
async function isFolded(db: Database, { userId, limit }: StepOrder): Promise<boolean> {
  const { rows } = await db.query<{ is_folded: boolean }>(
    `select coalesce(
       (select m.folded_before >= $2
           and (select count(*) from bets b where b.user_id = $1 and b.accepted_at < m.folded_before
                   and b.accepted_at >= m.folded_before - interval '${RECOUNTED_DAYS} days')
             = (select coalesce(sum(won + lost + voided), 0) from statistics_types t
                 where t.user_id = $1 and t.day >= ${DAY_OF_MARK} - ${RECOUNTED_DAYS})
             + (select coalesce(sum(left_out), 0) from statistics_days d
                 where d.user_id = $1 and d.day >= ${DAY_OF_MARK} - ${RECOUNTED_DAYS})
          from statistics_marks m where m.user_id = $1),
       not exists (select 1 from bets where user_id = $1 and accepted_at < $2)) as is_folded`,
    [userId, limit],
  )
  return rows[0]?.is_folded === true
}

const RECOUNTED_DAYS = 2
const DAY_OF_MARK = `(m.folded_before at time zone 'UTC' + interval '7 hours')::date`

interface StepOrder {
  readonly userId: string
  /** A midnight. Bets accepted at this time or later are not folded. */
  readonly limit: Date
  readonly chunk: number
}

interface Step {
  readonly folded: number
  readonly isDone: boolean
}

const NOTHING: Step = { folded: 0, isDone: true }

const BEFORE_ALL = new Date(0)

/**
 * Creates a missing mark if the player has bets to fold. If the number of folded bets in the mark is not the number in
 * the table of bets, deletes the folded days and resets the mark. Returns true if the player has a mark.
 */
async function checkMark(tx: Tx, { userId, limit }: StepOrder): Promise<boolean> {
  await tx.query(
    `insert into statistics_marks (user_id, folded_before, bets, wallet_seq)
     select $1, $3, 0, 0 where exists (select 1 from bets where user_id = $1 and accepted_at < $2)
     on conflict do nothing`,
    [userId, limit, BEFORE_ALL],
  )
  const mark = await lockMark(tx, userId)
  if (mark === null) return false
  const { rows } = await tx.query<{ n: bigint }>(
    `select count(*) as n from bets where user_id = $1 and accepted_at < $2`,
    [userId, mark.folded_before],
  )
  if (rows[0]?.n === mark.bets) return true
  await tx.query(`delete from statistics_days where user_id = $1`, [userId])
  await tx.query(`delete from statistics_types where user_id = $1`, [userId])
  await tx.query(`update statistics_marks set folded_before = $2, bets = 0, wallet_seq = 0 where user_id = $1`, [
    userId,
    BEFORE_ALL,
  ])
  return true
}

async function lockMark(tx: Tx, userId: string): Promise<MarkRow | null> {
  const { rows } = await tx.query<MarkRow>(
    `select folded_before, bets, wallet_seq from statistics_marks where user_id = $1 for update`,
    [userId],
  )
  return rows[0] ?? null
}

async function foldBets(tx: Tx, order: StepOrder): Promise<Step> {
  const { userId, limit } = order
  const mark = await lockMark(tx, userId)
  if (mark === null || mark.folded_before >= limit) return NOTHING
  const from = mark.folded_before
  const until = await nextEnd(tx, order, from)
  if (until === null) return NOTHING
  const { rows: bets } = await tx.query<EndedBet & Row>(
    `select ${BET_COLUMNS} from bets b join rounds r on r.id = b.round_id
      where b.user_id = $1 and b.accepted_at >= $2 and b.accepted_at < $3 order by b.accepted_at, b.id`,
    [userId, from, until],
  )
  await writePlays(tx, userId, playByDay(bets))
  await tx.query(`update statistics_marks set folded_before = $2, bets = bets + $3 where user_id = $1`, [
    userId,
    until,
    BigInt(bets.length),
  ])
  return { folded: bets.length, isDone: until >= limit }
}

/**
 * Returns the midnight up to which the next step folds: whole days with about `chunk` bets, of which none is open.
 * Returns null if the first of these days has an open bet.
 */
async function nextEnd(tx: Tx, { userId, limit, chunk }: StepOrder, from: Date): Promise<Date | null> {
  const { rows } = await tx.query<{ n: bigint; first: Date | null; last: Date | null }>(
    `select count(*) as n, min(accepted_at) as first, max(accepted_at) as last
       from (select accepted_at from bets where user_id = $1 and accepted_at >= $2 and accepted_at < $3
              order by accepted_at limit $4) next`,
    [userId, from, limit, chunk],
  )
  const { n = 0n, first = null, last = null } = rows[0] ?? {}
  if (first === null || last === null) return limit
  const [firstDay, lastDay] = [dayOf(first.getTime()), dayOf(last.getTime())]
  // A full chunk may end in the middle of a day. The next step folds that day, unless the chunk has only that day.
  const end = n < BigInt(chunk) ? limit : startOf(lastDay === firstDay ? dayAfter(firstDay) : lastDay)
  const { rows: open } = await tx.query<{ at: Date }>(
    `select accepted_at as at from bets where user_id = $1 and accepted_at >= $2 and accepted_at < $3
        and status = 'open' order by accepted_at limit 1`,
    [userId, from, end],
  )
  const openDay = open[0] === undefined ? null : dayOf(open[0].at.getTime())
  return openDay === null ? end : openDay === firstDay ? null : startOf(openDay)
}

/**
 * Reads the wallet's next transfers, in the order of their positions, and stores the closing balance of each day.
 * Returns true if no transfer before `limit` is left.
 */
async function foldBalances(tx: Tx, { userId, limit, chunk }: StepOrder): Promise<boolean> {
  const mark = await lockMark(tx, userId)
  if (mark === null) return true
  const lastOfChunk = mark.wallet_seq + BigInt(chunk) * TRANSFERS_A_BET
  const next = `${LATER_TRANSFERS} and t.wallet_seq <= $3`
  const { rows } = await tx.query<ClosingRow>(
    `with next as materialized (${next})
     ${closingOf(`(select * from next where wallet_seq <= (select max(wallet_seq) from next where created_at < $4))`)}`,
    [userId, mark.wallet_seq, lastOfChunk, limit],
  )
  const lastSeq = rows.reduce((most, { seq }) => (seq > most ? seq : most), mark.wallet_seq)
  if (lastSeq === mark.wallet_seq) return true
  await tx.query(
    `insert into statistics_days (user_id, day, closing_balance, ${PLAY_COLUMNS})
     select $1, c.day, c.balance, ${PLAY_COLUMNS} from unnest($2::date[], $3::bigint[]) as c (day, balance)
      cross join jsonb_populate_record(null::statistics_days, $4::text::jsonb) p
     on conflict (user_id, day) do update set closing_balance = excluded.closing_balance`,
    [
      userId,
      rows.map(({ at }) => dayOf(at.getTime())),
      rows.map(({ balance }) => balance),
      JSON.stringify(playFields(NO_PLAY)),
    ],
  )
  await tx.query(`update statistics_marks set wallet_seq = $2 where user_id = $1`, [userId, lastSeq])
  return lastSeq < lastOfChunk
}

/** Writes folded days. The row of a day exists already if `foldBalances` has stored a closing balance in it. */
async function writePlays(tx: Tx, userId: string, plays: ReadonlyMap<Day, Play>): Promise<void> {
  const days = [...plays].map(([day, play]) => ({ user_id: userId, day, ...playFields(play) }))
  const types = [...plays].flatMap(([day, { byType }]) =>
    [...byType].map(([type, { won, lost, voided, stakedMinor, netMinor }]) => ({
      ...{ user_id: userId, day, type, won, lost, voided },
      staked: String(stakedMinor),
      net: String(netMinor),
    })),
  )
  await tx.query(
    `insert into statistics_days select * from jsonb_populate_recordset(null::statistics_days, $1::text::jsonb)
     on conflict (user_id, day) do update set (${PLAY_COLUMNS}) = row(${PLAY_COLUMNS_GIVEN})`,
    [JSON.stringify(days)],
  )
  await tx.query(
    `insert into statistics_types select * from jsonb_populate_recordset(null::statistics_types, $1::text::jsonb)`,
    [JSON.stringify(types)],
  )
}

/** Amounts are texts, since numbers in JSON cannot carry every bigint. */
const playFields = (play: Play) => ({
  left_out: play.leftOut,
  lead_bets: play.lead.bets,
  lead_staked: String(play.lead.stakedMinor),
  after_win_bets: play.afterWin.bets,
  after_win_staked: String(play.afterWin.stakedMinor),
  after_loss_bets: play.afterLoss.bets,
  after_loss_staked: String(play.afterLoss.stakedMinor),
  first_run_outcome: play.firstRun?.outcome ?? null,
  first_run: play.firstRun?.length ?? null,
  last_run_outcome: play.lastRun?.outcome ?? null,
  last_run: play.lastRun?.length ?? null,
  longest_wins: play.longestWins,
  longest_losses: play.longestLosses,
  played_ms: play.playedMs,
  first_at_ms: play.firstAtMs,
  last_end_ms: play.lastEndMs,
})

const columns = Object.keys(playFields(NO_PLAY))
const PLAY_COLUMNS = columns.join(', ')
const PLAY_COLUMNS_GIVEN = columns.map((column) => `excluded.${column}`).join(', ')
