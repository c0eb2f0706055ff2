import type { Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { toBookDirection } from '#domain/book/spelling.ts'
import { resultByPrice, type TickPrice } from '#domain/game/settle.ts'
import { queueEntries } from '#server/features/book/index.ts'
import { closeBets, type CloseBetsDeps } from './close-bets.ts'
import { hasBegunSql } from './queries.ts'
import { ROUND_COLUMNS, type RoundRow } from './rows.ts'

/**
 * `waiting`: the round cannot be settled yet, for example because a second has no tick row. `helping`: this attempt did
 * not finish the round, for example because another process is settling it, too.
 */
export type SettleProgress = 'ended' | 'waiting' | 'helping'

/**
 * Settles a due round, from the first step that no process has finished. If another process finishes a step first, this
 * process goes on with the next step, because the other process may have died (rules §2.8).
 */
export async function settleRound(deps: CloseBetsDeps, roundId: string): Promise<SettleProgress> {
  const { rows } = await deps.db.query<RoundRow>(`select ${ROUND_COLUMNS} from rounds r where r.id = $1`, [roundId])
  let row = rows[0]
  if (row === undefined || row.status === 'ended') return 'ended'

  const ticks = new Map<number, TickPrice>()
  if (row.deleted_at === null) {
    const prices = await deps.prices.ensureTicks(
      deps.db,
      row.price_source,
      Math.floor(row.opens_at.getTime() / 1000),
      row.closes_at.getTime() / 1000,
    )
    if (!prices.isComplete) return 'waiting'
    for (const tick of prices.ticks) ticks.set(tick.second, tick)
    if (row.status === 'running') row = await fixResult(deps, row, ticks)
  }
  await closeBets(deps, {
    id: row.id,
    type: row.type,
    closesAtMs: row.closes_at.getTime(),
    staffDirection: row.staff_direction,
    isDeleted: row.deleted_at !== null,
    priceSource: row.price_source,
    ticks,
  })
  return endRound(deps, row)
}

/**
 * Moves a round from running to settling and stores its open price, close price and result, unless the round was moved
 * or deleted since `row` was read. Returns the row as read under its lock, because staff may have announced a result
 * meanwhile.
 */
async function fixResult({ db, prices }: CloseBetsDeps, row: RoundRow, ticks: ReadonlyMap<number, TickPrice>) {
  const opensSecond = Math.floor(row.opens_at.getTime() / 1000)
  const closesSecond = row.closes_at.getTime() / 1000
  const openPrice = ticks.get(opensSecond)?.price ?? null
  const closePrice = ticks.get(closesSecond)?.price ?? null
  return db.tx(async (tx) => {
    const { rows } = await tx.query<RoundRow>(`select ${ROUND_COLUMNS} from rounds r where r.id = $1 for update`, [
      row.id,
    ])
    const locked = rows[0]
    if (locked === undefined || locked.status !== 'running' || locked.deleted_at !== null) return locked ?? row
    await prices.keepEvidence(tx, row.price_source, [opensSecond, closesSecond])
    const result = locked.staff_direction ?? resultByPrice(openPrice, closePrice)
    await tx.query(
      `update rounds set status = 'settling', open_price = $2, close_price = $3, result = $4, result_told = book <> 'out',
         settling_at = clock_timestamp() where id = $1 and status = 'running' and deleted_at is null`,
      [row.id, openPrice, closePrice, result],
    )
    if (locked.book !== 'out') {
      const told = loggedTicks(ticks, opensSecond, closesSecond, prices.isLive(row.price_source))
      const by = locked.staff_direction === null ? 'PRICE' : 'ADMIN'
      const fields = { round: row.id, ...told, result: result === null ? null : toBookDirection(result), by } as const
      await queueEntries(tx, [{ kind: 'result', fields }])
    }
    return locked
  })
}

/** Returns each second's price and, for live prices, the age in ms of the price's quote at that second. */
function loggedTicks(ticks: ReadonlyMap<number, TickPrice>, fromSecond: number, toSecond: number, isLive: boolean) {
  const seconds = Array.from({ length: toSecond - fromSecond + 1 }, (_, at) => ticks.get(fromSecond + at) ?? null)
  return {
    ticks: seconds.map((tick) => tick?.price ?? null),
    ages: isLive ? seconds.map((tick) => (tick?.quoteAtMs == null ? null : tick.second * 1000 - tick.quoteAtMs)) : null,
  }
}

/** Moves a settling or deleted round to ended, unless one of its bets is still open (rules §2.8). */
async function endRound({ db, hints, watch }: CloseBetsDeps, row: RoundRow): Promise<SettleProgress> {
  return db.tx(async (tx) => {
    const { rows } = await tx.query<{ status: string; isDue: boolean; isDeleted: boolean }>(
      `select status, (status = 'settling' or deleted_at is not null) as "isDue", deleted_at is not null as "isDeleted" from rounds where id = $1 for update`,
      [row.id],
    )
    const locked = rows[0]
    if (locked === undefined || locked.status === 'ended') return 'ended'
    if (!locked.isDue) return 'helping'
    // This statement's own snapshot shows every bet that was committed before the lock above was granted.
    const { rowCount } = await tx.query(
      `update rounds set status = 'ended', ended_at = clock_timestamp(),
         result = case when deleted_at is null then result end
        where id = $1 and not exists (select 1 from bets where round_id = $1 and status = 'open')`,
      [row.id],
    )
    if (rowCount === 0) return 'helping'
    tx.afterCommit(() => {
      hints.roundChanged(row.type)
      if (!locked.isDeleted) watch?.settled(row.closes_at.getTime())
    })
    return 'ended'
  })
}

export const DUE_AT_ONCE = 100

export interface DueRound {
  readonly id: string
  readonly isBeyondCalendar: boolean
  /** When the round closed, Unix ms. Null while the round is not over, and for a deleted round. */
  readonly closedAtMs: number | null
}

/** Returns at most DUE_AT_ONCE due rounds in the order of their ends, without the first `offset` ones. */
export async function listDueRounds({ db }: CloseBetsDeps, offset: number): Promise<DueRound[]> {
  const { rows } = await db.query<DueRound & Row>(
    `select id, status = 'running' and deleted_at is null and not (${hasBegunSql('opens_at')}) as "isBeyondCalendar",
            case when deleted_at is null and closes_at <= clock_timestamp() then ${msSql('closes_at')} end as "closedAtMs"
       from rounds
      where status <> 'ended' and (closes_at <= clock_timestamp() or status = 'settling' or deleted_at is not null
        or not (${hasBegunSql('opens_at')}))
      order by closes_at, id limit ${DUE_AT_ONCE} offset $1`,
    [offset],
    { name: 'due-rounds' },
  )
  return rows
}
