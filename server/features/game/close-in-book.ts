import type { EntryFields } from '#domain/book/entry.ts'
import { leafHash, rootOf } from '#domain/book/merkle.ts'
import { countRound } from '#domain/book/rate-counts.ts'
import { encodeSettledLine } from '#domain/book/settled-line.ts'
import { toBookDirection } from '#domain/book/spelling.ts'
import {
  countRoundInRates,
  queueEntries,
  readResultEntry,
  readSettledBets,
  sha256,
} from '#server/features/book/index.ts'
import { readEvidenceHashes } from '#server/features/market/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { RoundPrices } from './ports.ts'
import { ROUND_COLUMNS, type RoundRow } from './rows.ts'

export interface CloseInBookDeps {
  readonly db: Database
  readonly prices: Pick<RoundPrices, 'isLive'>
  readonly log: Pick<Logger, 'error'>
}

interface ClosableRow extends RoundRow {
  generation: number
}

const AT_ONCE = 20

/**
 * SQL condition: all entries of a round except `closed` are sealed. Of these entries, `result` is queued last, under
 * the round's lock, so a sealed `result` proves that all are sealed. A deleted round has no `result`: its entry `round`
 * must be sealed, and no entry of the round may still be queued.
 */
const IS_SEALED = `case when r.deleted_at is null
    then exists (select from book_places p where p.round_id = r.id and p.generation = g.generation and p.kind = 'result')
    else exists (select from book_places p where p.round_id = r.id and p.generation = g.generation and p.kind = 'round')
      and not exists (select from book_queue q where q.round_id = r.id) end`

/**
 * Queues the last entry, `closed`, of ended rounds whose other entries are sealed (docs/open-book.md §2). Returns true
 * if such rounds may be left, or if a round that ended in the last 5 s is not closed in the book yet.
 */
export async function closeDueInBook(deps: CloseInBookDeps): Promise<boolean> {
  // Rounds that could not be closed stay first in the query's order. If all rows of a page failed, `offset` skips them.
  for (let unreadable = 0; ; unreadable += AT_ONCE) {
    const { rows } = await deps.db.query<ClosableRow>(
      `select ${ROUND_COLUMNS}, g.generation from rounds r
        cross join (select max(generation) as generation from book_tips) g
        where r.book = 'open' and r.status = 'ended' and r.closes_at <= clock_timestamp()
          and ${IS_SEALED}
        order by r.closes_at, r.id limit ${AT_ONCE} offset $1`,
      [unreadable],
      { name: 'closable-rounds' },
    )
    let failed = 0
    for (const row of rows)
      await closeInBook(deps, row).catch((error: unknown) => {
        failed++
        deps.log.error({ err: error, roundId: row.id }, 'an ended round could not be closed in the open book')
      })
    if (rows.length < AT_ONCE) break
    if (failed < AT_ONCE) return true
  }
  const { rows: young } = await deps.db.query(
    `select from rounds where book = 'open' and status = 'ended'
      and closes_at between clock_timestamp() - interval '5 seconds' and clock_timestamp() limit 1`,
    [],
    { name: 'young-unclosed-rounds' },
  )
  return young.length > 0
}

/**
 * Number of leaves that are hashed in one step. It is small, so that a step blocks the event loop only briefly, and a
 * power of two, so that the root of these leaves is a node of the whole tree (RFC 6962).
 */
const SUBTREE = 128

async function closeInBook({ db, prices }: CloseInBookDeps, row: ClosableRow): Promise<void> {
  const result = row.deleted_at === null ? await readResultEntry(db, row.id, row.generation) : null
  const closesAtMs = row.closes_at.getTime()
  const rates = countRound(closesAtMs, result)
  const count = { WIN: 0, LOSE: 0, VOID: 0 }
  let [staked, profit] = [0, 0]
  const seconds = new Set([Math.floor(row.opens_at.getTime() / 1000), closesAtMs / 1000])
  const subtrees: Uint8Array[] = []
  let leaves: Uint8Array[] = []
  for await (const slice of readSettledBets(db, row.id, row.generation)) {
    for (const { line, sealedAtMs } of slice) {
      rates.addLine(line, sealedAtMs)
      count[line.status]++
      if (line.basis === 'PRICE') {
        staked += line.stake
        profit += line.profit
      }
      if (line.entrySecond !== null) seconds.add(line.entrySecond)
      leaves.push(leafHash(sha256, Buffer.from(encodeSettledLine(line))))
      if (leaves.length < SUBTREE) continue
      subtrees.push(rootOf(sha256, leaves))
      leaves = []
    }
  }
  const evidence =
    prices.isLive(row.price_source) && row.deleted_at === null
      ? await readEvidenceHashes(db, row.price_source, [...seconds])
      : []
  const fields: EntryFields['closed'] = {
    round: row.id,
    deleted: row.deleted_at !== null,
    announce:
      row.staff_direction === null || row.staff_nonce === null
        ? null
        : {
            direction: toBookDirection(row.staff_direction),
            nonce: Buffer.from(row.staff_nonce).toString('base64'),
          },
    evidence: evidence.map(({ second, hash }) => [second, Buffer.from(hash).toString('base64')] as const),
    bets: count.WIN + count.LOSE + count.VOID,
    won: count.WIN,
    lost: count.LOSE,
    voided: count.VOID,
    staked,
    profit,
    root: Buffer.from(rootOf(sha256, leaves.length === 0 ? subtrees : [...subtrees, rootOf(sha256, leaves)])).toString(
      'base64',
    ),
  }
  await db.tx(async (tx) => {
    // The hashed lines contain indexes of one log. This lock keeps the next log from beginning before the commit. Whoever
    // waited here for `restartLog` has locked the log that it ended, so the update looks for the newest again.
    await tx.query('select from book_tips order by generation desc limit 1 for share')
    const { rows: changed } = await tx.query<{ isCounted: boolean }>(
      `update rounds set book = 'closed'
        where id = $1 and book = 'open' and $2 = (select max(generation) from book_tips)
        returning in_rates as "isCounted"`,
      [row.id, row.generation],
    )
    if (changed[0] === undefined) return
    await queueEntries(tx, [{ kind: 'closed', fields }])
    if (changed[0].isCounted) return
    // Called last, to lock the counted row only briefly: one row counts all rounds of one day, type and source.
    await countRoundInRates(
      tx,
      { type: row.type, source: row.price_source, opensAtMs: row.opens_at.getTime() },
      rates.counts(),
    )
  })
}

/** Reopens closed rounds: they get a `closed` entry in the next log, too. `in_rates` prevents counting them twice. */
export async function reopenInBook(tx: Tx, roundIds: readonly string[]): Promise<void> {
  await tx.query(`update rounds set book = 'open', in_rates = true where id = any($1::uuid[]) and book = 'closed'`, [
    roundIds,
  ])
}
