import { readFileSync } from 'node:fs'
import { toBase64, toHex, toUtf8 } from '#domain/book/bytes.ts'
import { encodeFields } from '#domain/book/entry.ts'
import { LOCK_BEFORE_END_LIVE_MS, LOCK_BEFORE_END_MS, RATE_PERCENT } from '#domain/game/calendar.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { type BookSigner, sha256 } from './key.ts'

export const readRulesText = (): string => readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')

const LOCK_NEWEST_TIP = 'select generation from book_tips order by generation desc limit 1 for update'

/** Begins the first log if there is none, and queues the `rules` and `seed` entries that the newest log lacks. */
export async function beginLog(db: Database, signer: BookSigner, rulesText = readRulesText()): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(
      `with begun as (
         insert into book_logs (generation, origin, vkey)
         select 1, $1, $2 where not exists (select from book_logs) on conflict do nothing returning generation)
       insert into book_tips (generation) select generation from begun`,
      [signer.origin, signer.vkey],
    )
    // Another process that starts at the same time waits for this lock, and then finds the entries queued below. Whoever
    // waits for `restartLog` here locks the log that it ended, and so has to ask again for the newest.
    await tx.query(LOCK_NEWEST_TIP)
    const { rows } = await tx.query<{ generation: number }>(LOCK_NEWEST_TIP)
    const generation = rows[0]?.generation
    if (generation === undefined) throw new Error('The open book has lost its tip')
    await queueRules(tx, generation, rulesText)
    await queueMissingSeeds(tx, generation)
  })
}

export async function rulesFieldsOf(tx: Tx, rulesText: string): Promise<string> {
  const hash = sha256(toUtf8(rulesText))
  await tx.query('insert into book_texts (hash, text) values ($1, $2) on conflict do nothing', [hash, rulesText])
  return encodeFields('rules', {
    product: 'kim-phien',
    rates: RATE_PERCENT,
    lockMs: { simulated: LOCK_BEFORE_END_MS, live: LOCK_BEFORE_END_LIVE_MS },
    text: toHex(hash),
  })
}

async function queueRules(tx: Tx, generation: number, rulesText: string): Promise<void> {
  const fields = await rulesFieldsOf(tx, rulesText)
  await tx.query(
    `insert into book_queue (kind, fields)
     select 'rules', $2::text
      where $2::text is distinct from coalesce(
        (select fields from book_queue where kind = 'rules' order by seq desc limit 1),
        (select substring(line from '^\\{"k":"rules","v":1,"at":[0-9]+(.*)$') from book_notable
          where kind = 'rules' and generation = $1 order by index desc limit 1))`,
    [generation, fields],
  )
}

const DAYS_ENTERED = `
  select (line::jsonb ->> 'day')::integer as day from book_notable where kind = 'seed' and generation = $1
  union all select (('{' || substring(fields from 2))::jsonb ->> 'day')::integer from book_queue where kind = 'seed'`

export const seedFields = ({ day, commitment }: { readonly day: number; readonly commitment: Uint8Array }): string =>
  encodeFields('seed', { day, commitment: toBase64(commitment) })

/**
 * Queues the `seed` entries of today and later days that the log lacks. The lock on `simulated_seeds` waits for
 * transactions that are adding seeds and their `seed` entries. The caller has locked the tip.
 */
async function queueMissingSeeds(tx: Tx, generation: number): Promise<void> {
  await tx.query('lock table simulated_seeds in share mode')
  const { rows: seeds } = await tx.query<{ day: number; commitment: Uint8Array }>(
    `select s.day - date '1970-01-01' as day, s.commitment from simulated_seeds s
      where not s.is_public_history and s.day >= (clock_timestamp() at time zone 'UTC')::date
        and s.day - date '1970-01-01' not in (select entered.day from (${DAYS_ENTERED}) entered)
      order by s.day`,
    [generation],
  )
  if (seeds.length > 0)
    await tx.query(`insert into book_queue (kind, fields) select 'seed', * from unnest($1::text[])`, [
      seeds.map(seedFields),
    ])
}

/**
 * Queues a `seed-open` entry for each day that has a `seed` entry in the log and ended at least 10 minutes ago, unless
 * the `seed-open` entry is sealed or queued already. The caller has locked the tip.
 */
export async function queueOpenedSeeds(tx: Tx, generation: number): Promise<void> {
  const { rows } = await tx.query<{ day: number; seed: Uint8Array; start_price: number }>(
    `select s.day - date '1970-01-01' as day, s.seed, s.start_price
       from (select (line::jsonb ->> 'day')::integer as day from book_notable
              where kind = 'seed' and generation = $1
             except
             select (line::jsonb ->> 'day')::integer from book_notable where kind = 'seed-open' and generation = $1
             except
             select (('{' || substring(fields from 2))::jsonb ->> 'day')::integer from book_queue
              where kind = 'seed-open') due
       join simulated_seeds s on s.day = date '1970-01-01' + due.day
      where clock_timestamp() >= ((s.day + 1)::timestamp at time zone 'UTC') + interval '10 minutes'
      order by s.day`,
    [generation],
  )
  if (rows.length === 0) return
  await tx.query(`insert into book_queue (kind, fields) select 'seed-open', * from unnest($1::text[])`, [
    rows.map(({ day, seed, start_price }) =>
      encodeFields('seed-open', { day, seed: toBase64(seed), startPrice: start_price }),
    ),
  ])
}
