import type { RoundType } from '#domain/game/calendar.ts'
import { dayOf, type Day } from '#domain/day.ts'
import { type EndedBet, joinPlay, NO_PLAY, type Play, playOf, type Run, type Totals } from '#domain/statistics/play.ts'
import type { Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

/** Columns of an EndedBet. A bet ends when its round ends, or when the bet is settled, whichever comes first. */
export const BET_COLUMNS = `r.type, b.basis, b.status, b.stake as "stakeMinor", b.profit as "profitMinor",
  ${msSql('b.accepted_at')} as "acceptedAtMs", ${msSql('least(r.closes_at, b.settled_at)')} as "endedAtMs"`

/** Joins bets, which are in the order of acceptance, into one `Play` for each day in Vietnam. */
export function playByDay(bets: readonly EndedBet[]): Map<Day, Play> {
  const days = new Map<Day, Play>()
  for (const bet of bets) {
    const day = dayOf(bet.acceptedAtMs)
    days.set(day, joinPlay(days.get(day) ?? NO_PLAY, playOf(bet)))
  }
  return days
}

export interface DayRow extends Row {
  day: Day
  closing_balance: bigint | null
  left_out: number
  lead_bets: number
  lead_staked: bigint
  after_win_bets: number
  after_win_staked: bigint
  after_loss_bets: number
  after_loss_staked: bigint
  first_run_outcome: Run['outcome'] | null
  first_run: number | null
  last_run_outcome: Run['outcome'] | null
  last_run: number | null
  longest_wins: number
  longest_losses: number
  played_ms: bigint
  first_at_ms: bigint | null
  last_end_ms: bigint | null
}

export type TypeRow = { readonly day: Day; readonly type: RoundType } & Pick<Totals, keyof Totals>

export const TYPE_COLUMNS = `d.day, d.type, d.won, d.lost, d.voided, d.staked as "stakedMinor", d.net as "netMinor"`

export function toPlay(row: DayRow, types: readonly TypeRow[]): Play {
  const byType = new Map(types.map(({ day: _, type, ...totals }): [RoundType, Totals] => [type, totals]))
  return {
    byType,
    leftOut: row.left_out,
    lead: { bets: row.lead_bets, stakedMinor: row.lead_staked },
    afterWin: { bets: row.after_win_bets, stakedMinor: row.after_win_staked },
    afterLoss: { bets: row.after_loss_bets, stakedMinor: row.after_loss_staked },
    decided: types.reduce((sum, { won, lost }) => sum + won + lost, 0),
    firstRun: toRun(row.first_run_outcome, row.first_run),
    lastRun: toRun(row.last_run_outcome, row.last_run),
    longestWins: row.longest_wins,
    longestLosses: row.longest_losses,
    playedMs: Number(row.played_ms),
    firstAtMs: row.first_at_ms === null ? null : Number(row.first_at_ms),
    lastEndMs: row.last_end_ms === null ? null : Number(row.last_end_ms),
  }
}

const toRun = (outcome: Run['outcome'] | null, length: number | null): Run | null =>
  outcome === null || length === null ? null : { outcome, length }

/** SQL for the transfers of the wallet of user $1 after transfer number $2 of that wallet. */
export const LATER_TRANSFERS = `select t.wallet_seq, t.created_at, t.wallet_balance_after from ledger_accounts a
  join ledger_transfers t on t.wallet_account = a.id and t.wallet_seq > $2 where a.owner_id = $1 and a.kind = 'wallet'`

export interface ClosingRow extends Row {
  at: Date
  balance: bigint
  seq: bigint
}

const DAY_NUMBER = `floor((extract(epoch from created_at) + 25200) / 86400)`

/** Returns SQL that selects, from the given transfers of a wallet, the last one of each day in Vietnam. */
export const closingOf = (transfers: string): string =>
  `select distinct on (${DAY_NUMBER}) created_at as at, wallet_balance_after as balance, wallet_seq as seq
     from ${transfers} t order by ${DAY_NUMBER}, wallet_seq desc`
