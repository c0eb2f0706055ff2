import type { BookRates, RatesQuery } from '#contract/book-pages.ts'
import { dayOfRound, type RateCounts } from '#domain/book/rate-counts.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import type { Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { whoeverWaits } from '#server/platform/database/given-up.ts'
import { sql, sqlText, statement } from '#server/platform/database/sql.ts'

const COUNT_ROUND = statement(
  sql`insert into book_rates as r (day, type, source, up, down, ties, missing, won, lost, tied, voided, staked, profit,
        squares, late, late_won, late_lost)
      values (${'day'}, ${'type'}, ${'source'}, ${'up'}, ${'down'}, ${'ties'}, ${'missing'}, ${'won'}, ${'lost'},
        ${'tied'}, ${'voided'}, ${'staked'}, ${'profit'}, ${'squares'}, ${'late'}, ${'lateWon'}, ${'lateLost'})
      on conflict (day, type, source) do update set up = r.up + excluded.up, down = r.down + excluded.down,
        ties = r.ties + excluded.ties, missing = r.missing + excluded.missing, won = r.won + excluded.won,
        lost = r.lost + excluded.lost, tied = r.tied + excluded.tied, voided = r.voided + excluded.voided,
        staked = r.staked + excluded.staked, profit = r.profit + excluded.profit,
        squares = r.squares + excluded.squares, late = r.late + excluded.late,
        late_won = r.late_won + excluded.late_won, late_lost = r.late_lost + excluded.late_lost`,
  { name: 'count_round_in_rates' },
)

/**
 * Adds the counts of a round to the rates of its day (docs/open-book.md §6). Must be called once per round. The row of
 * that day, type and source stays locked until the commit.
 */
export async function countRoundInRates(
  tx: Tx,
  round: { readonly type: RoundType; readonly source: string; readonly opensAtMs: number },
  counts: RateCounts,
): Promise<void> {
  const { type, source, opensAtMs } = round
  await tx.query(
    ...COUNT_ROUND({ ...counts, type, source, day: dayOfRound(opensAtMs), squares: String(counts.squares) }),
  )
}

type TypeRow = Omit<BookRates['types'][number], 'squares'> & { readonly squares: string }

const WITHIN = sql`day between coalesce(${'from'}::date, '1970-01-01') - date '1970-01-01'
  and coalesce(${'to'}::date, '9999-12-31') - date '1970-01-01'`

const summed = (column: string, name = column) => sqlText(`sum(${column})::float8 as "${name}"`)
const READ_TYPES = statement(
  sql`select type, source, ${summed('up')}, ${summed('down')}, ${summed('ties')}, ${summed('missing')}, ${summed('won')},
        ${summed('lost')}, ${summed('tied')}, ${summed('voided')}, sum(staked)::bigint as "stakedMinor",
        sum(profit)::bigint as "profitMinor", sum(squares)::text as squares, ${summed('late')},
        ${summed('late_won', 'lateWon')}, ${summed('late_lost', 'lateLost')}
      from book_rates where ${WITHIN} group by type, source`,
)
const READ_DAYS = statement(
  sql`select to_char(date '1970-01-01' + day, 'YYYY-MM-DD') as day, sum(profit)::bigint as "profitMinor",
        sum(squares)::text as squares
      from book_rates where ${WITHIN} group by book_rates.day order by book_rates.day`,
)

type DisputeCounts = BookRates['disputes']

interface DisputeRow extends Row {
  generation: number
  index: bigint
  at_ms: bigint
  state: string
  bet: string | null
}

const DISPUTES_AT_ONCE = 2_000

/**
 * Returns a function that counts the disputes of all logs. A dispute is open until a later entry about the same bet
 * answers it, or until its log ends. Entries do not change, so each call reads only the entries since the last call.
 */
export function createDisputeCounts(db: Queryable): () => Promise<DisputeCounts> {
  let last = { generation: 0, index: -1n }
  const counts: Record<string, number> = { upheld: 0, rejected: 0 }
  const open = new Map<string, bigint>()
  let counted: Promise<void> = Promise.resolve()

  /** If `generation` is that of a later log, drops the open disputes of the log before it, which has ended. */
  const beginLog = (generation: number): void => {
    if (generation === last.generation) return
    last = { generation, index: -1n }
    open.clear()
  }
  const count = ({ generation, index, at_ms: atMs, state, bet }: DisputeRow): void => {
    beginLog(generation)
    last = { generation, index }
    const key = bet ?? `without ${index}`
    if (state === 'opened') open.set(key, atMs)
    else open.delete(key)
    if (state in counts) counts[state] = (counts[state] ?? 0) + 1
  }
  const goOn = async (): Promise<void> => {
    // Read before the entries: a log that has ended gets no more of them, so none of the logs before this one is missed.
    const { rows: newest } = await db.query<{ generation: number | null }>(
      'select max(generation) as generation from book_tips',
      [],
      { name: 'newest-log' },
    )
    for (;;) {
      const { rows } = await db.query<DisputeRow>(
        `select generation, index, at_ms, line::jsonb ->> 'state' as state, line::jsonb ->> 'bet' as bet
           from book_notable where kind = 'dispute' and (generation, index) > ($1, $2)
          order by generation, index limit ${DISPUTES_AT_ONCE}`,
        [last.generation, last.index],
        { name: 'new-disputes' },
      )
      rows.forEach(count)
      if (rows.length < DISPUTES_AT_ONCE) break
    }
    beginLog(Math.max(newest[0]?.generation ?? 0, last.generation))
  }

  return async () => {
    // Later callers wait for this read, so it goes on even if the request that began it is aborted.
    const mine = (counted = counted.catch(() => {}).then(() => whoeverWaits(goOn)))
    await mine
    const { upheld = 0, rejected = 0 } = counts
    let oldest: bigint | null = null
    for (const atMs of open.values()) if (oldest === null || atMs < oldest) oldest = atMs
    return { open: open.size, upheld, rejected, oldestOpenAtMs: oldest === null ? null : Number(oldest) }
  }
}

/** Reads the rates of the UTC days `from` through `to`, such as `2026-01-31`, but counts the disputes of all days. */
export async function readRates(
  db: Queryable,
  { from, to }: RatesQuery,
  countDisputes: () => Promise<DisputeCounts>,
): Promise<BookRates> {
  const range = { from: from ?? null, to: to ?? null }
  const [types, days, disputes] = await Promise.all([
    db.query<TypeRow & Row>(...READ_TYPES(range)),
    db.query<{ day: string; profitMinor: bigint; squares: string }>(...READ_DAYS(range)),
    countDisputes(),
  ])
  return {
    types: types.rows
      .map((row) => ({ ...row, squares: BigInt(row.squares) }))
      .toSorted((a, b) => ROUND_TYPES.indexOf(a.type) - ROUND_TYPES.indexOf(b.type) || (a.source < b.source ? -1 : 1)),
    days: days.rows.map((row) => ({ ...row, squares: BigInt(row.squares) })),
    disputes,
  }
}
