import type { Statistics } from '#contract/statistics.ts'
import { dayAfter, dayOf, type Day, startOfDayMs } from '#domain/day.ts'
import { type EndedBet, joinAll, joinPlay, NO_PLAY, NO_TOTALS, totalOf, typesOf } from '#domain/statistics/play.ts'
import type { Database, Row, Tx } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { readBalanceChanges } from './balance-changes.ts'
import { foldPlayer } from './fold-player.ts'
import {
  BET_COLUMNS,
  closingOf,
  type ClosingRow,
  type DayRow,
  LATER_TRANSFERS,
  playByDay,
  toPlay,
  TYPE_COLUMNS,
  type TypeRow,
} from './rows.ts'

/** Days in Vietnam, both included; null leaves that end open. */
export interface DayRange {
  readonly from: Day | null
  readonly to: Day | null
}

/**
 * Folds the days that are due, reads the folded days, and computes later days from the bets themselves (rules §6.8).
 * Reads in one snapshot, so that no bet is missed or counted twice while another process folds days.
 */
export async function readStatistics(db: Database, userId: string, range: DayRange): Promise<Statistics> {
  const nowMs = await readNowMs(db)
  await foldPlayer(db, userId, nowMs)
  const { plays, balances, openingBalanceMinor, moved } = await db.tx(
    async (tx) => {
      const read = await readDays(tx, userId, range)
      return { ...read, moved: await readBalanceChanges(tx, userId, range, read.openingBalanceMinor) }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
  const days = [...new Set([...plays.keys(), ...balances.keys()])].toSorted()
  const all = joinAll(days.map((day) => plays.get(day) ?? NO_PLAY))
  return {
    firstDay: days[0] ?? null,
    today: dayOf(nowMs),
    openingBalanceMinor,
    ...moved,
    days: days.map((day) => {
      const play = plays.get(day) ?? NO_PLAY
      return { day, ...totalOf(play), playedMs: play.playedMs, balanceMinor: balances.get(day) ?? null }
    }),
    types: typesOf(all).map((type) => ({ type, ...(all.byType.get(type) ?? NO_TOTALS) })),
    afterWin: all.afterWin,
    afterLoss: all.afterLoss,
    playedMs: all.playedMs,
    longestWins: all.longestWins,
    longestLosses: all.longestLosses,
    leftOut: all.leftOut,
    serverTimeMs: nowMs,
  }
}

async function readDays(tx: Tx, userId: string, { from, to }: DayRange) {
  const [folded, types, mark] = await Promise.all([
    tx.query<DayRow>(`select d.* from statistics_days d where ${IN_RANGE} order by d.day`, [userId, from, to]),
    tx.query<TypeRow>(`select ${TYPE_COLUMNS} from statistics_types d where ${IN_RANGE}`, [userId, from, to]),
    tx.query<MarkRow>(`select folded_before, wallet_seq from statistics_marks where user_id = $1`, [userId]),
  ])
  const { folded_before: foldedBefore = new Date(0), wallet_seq: walletSeq = 0n } = mark.rows[0] ?? {}
  const [bets, closings, opening] = await Promise.all([
    tx.query<EndedBet & Row>(
      `select ${BET_COLUMNS} from bets b join rounds r on r.id = b.round_id
        where b.user_id = $1 and b.status <> 'open' and b.accepted_at >= $2 and ($3::timestamptz is null or b.accepted_at < $3)
        order by b.accepted_at, b.id`,
      [userId, laterOf(foldedBefore, from), to === null ? null : new Date(startOfDayMs(dayAfter(to)))],
    ),
    tx.query<ClosingRow>(closingOf(`(${LATER_TRANSFERS})`), [userId, walletSeq]),
    tx.query<{ balance: bigint }>(
      `select closing_balance as balance from statistics_days
        where user_id = $1 and day < $2::date and closing_balance is not null order by day desc limit 1`,
      [userId, from],
    ),
  ])
  const typesOfDay = Map.groupBy(types.rows, ({ day }) => day)
  const plays = new Map(folded.rows.map((row) => [row.day, toPlay(row, typesOfDay.get(row.day) ?? [])]))
  for (const [day, play] of playByDay(bets.rows)) plays.set(day, joinPlay(plays.get(day) ?? NO_PLAY, play))
  const balances = new Map(
    folded.rows.flatMap((row) => (row.closing_balance === null ? [] : [[row.day, row.closing_balance] as const])),
  )
  let openingBalanceMinor = opening.rows[0]?.balance ?? null
  for (const { at, balance } of closings.rows) {
    const day = dayOf(at.getTime())
    if (from !== null && day < from) openingBalanceMinor = balance
    else if (to === null || day <= to) balances.set(day, balance)
  }
  return { plays, balances, openingBalanceMinor }
}

const IN_RANGE = `d.user_id = $1 and ($2::date is null or d.day >= $2) and ($3::date is null or d.day <= $3)`

interface MarkRow extends Row {
  folded_before: Date
  wallet_seq: bigint
}

function laterOf(foldedBefore: Date, from: Day | null): Date {
  if (from === null) return foldedBefore
  return new Date(Math.max(foldedBefore.getTime(), startOfDayMs(from)))
}
