import type { Tx } from '#server/platform/database/db.ts'

export type BetSeal =
  | { readonly is: 'sealed'; readonly generation: number; readonly index: number }
  | { readonly is: 'waiting' }
  /** The newest log has no entry of the bet, and will get none: for example, the entry is in a log that has ended. */
  | { readonly is: 'none' }

/** Reads the place of a bet in the newest log, and keeps that log from ending unless the bet still waits. */
export async function readSeal(tx: Tx, betId: string): Promise<BetSeal> {
  // The sealing takes the lock as well. It must not be left out because of those who ask for bets that wait for it.
  const seal = await readUnlocked(tx, betId)
  if (seal.is === 'waiting') return seal
  // While this transaction locks the newest log's row, no newer log can begin: `restartLog` locks that row, too.
  await tx.query('select from book_tips order by generation desc limit 1 for share')
  return readUnlocked(tx, betId)
}

async function readUnlocked(tx: Tx, betId: string): Promise<BetSeal> {
  const { rows } = await tx.query<{ generation: number | null; index: number | null; isWaiting: boolean }>(
    `select p.generation, p.index::float8 as index, r.book <> 'out' and b.salt is not null
              and not exists (select from book_places o where o.bet_id = b.id) as "isWaiting"
       from bets b
       join rounds r on r.id = b.round_id
       left join book_places p on p.bet_id = b.id and p.generation = (select max(generation) from book_tips)
      where b.id = $1`,
    [betId],
  )
  const row = rows[0]
  if (row === undefined) return { is: 'none' }
  if (row.generation !== null && row.index !== null)
    return { is: 'sealed', generation: row.generation, index: row.index }
  return { is: row.isWaiting ? 'waiting' : 'none' }
}
