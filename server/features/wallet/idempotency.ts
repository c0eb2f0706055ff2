import { hash } from 'node:crypto'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { type Sql, sql, sqlText, statement } from '#server/platform/database/sql.ts'

export interface IdempotencyClaim {
  readonly key: string
  readonly inputHash: Uint8Array
}

/** Makes a claim whose hash does not depend on the order of the input's fields. */
export function claimOf(key: string, input: Record<string, unknown>): IdempotencyClaim {
  const sorted = Object.keys(input)
    .toSorted()
    .map((name) => [name, typeof input[name] === 'bigint' ? String(input[name]) : input[name]])
  return { key, inputHash: hash('sha256', JSON.stringify(sorted), 'buffer') }
}

export type Repeat =
  | { readonly is: 'new' }
  | { readonly is: 'repeated'; readonly json: string }
  | { readonly is: 'reused' }

interface KeyRow extends Record<string, unknown> {
  user_id: string
  key: string
  input_hash: Uint8Array
  answer: unknown
}

const judge = (row: KeyRow | undefined, claim: IdempotencyClaim): Repeat =>
  row === undefined
    ? { is: 'new' }
    : Buffer.compare(row.input_hash, claim.inputHash) === 0
      ? { is: 'repeated', json: JSON.stringify(row.answer) }
      : { is: 'reused' }

/**
 * Finds the answers stored under the keys of `claims`. Must be called after the users' accounts are locked: a duplicate
 * call in flight has then either committed, so that its answer is found here, or it waits for these locks.
 */
export async function findRepeats(
  tx: Tx,
  route: string,
  claims: ReadonlyArray<{ readonly userId: string; readonly claim: IdempotencyClaim }>,
): Promise<Map<string, Repeat>> {
  const { rows } = await tx.query<KeyRow>(
    // The limit makes the planner look up each key in the index: while the table is almost empty, a plain join would be
    // planned as a full scan.
    `select c.user_id, c.key, k.input_hash, k.answer
       from unnest($2::uuid[], $3::text[]) as c (user_id, key)
      cross join lateral (
        select input_hash, answer from idempotency_keys
         where user_id = c.user_id and route = $1 and key = c.key limit 1
      ) k`,
    [route, claims.map(({ userId }) => userId), claims.map(({ claim }) => claim.key)],
    { name: 'find-repeats' },
  )
  const found = new Map(rows.map((row) => [row.user_id, row]))
  return new Map(claims.map(({ userId, claim }) => [userId, judge(found.get(userId), claim)]))
}

export async function findRepeat(
  tx: Tx,
  route: string,
  userId: string,
  claim: IdempotencyClaim | null,
): Promise<Repeat> {
  if (claim === null) return { is: 'new' }
  return (await findRepeats(tx, route, [{ userId, claim }])).get(userId) ?? { is: 'new' }
}

const KEEP = statement(sql`insert into idempotency_keys (user_id, route, key, input_hash, answer)
  values (${'userId'}, ${'route'}, ${'key'}, ${'inputHash'}, ${'json'}::jsonb)`)

/** Stores an answer in the transaction of the act that it answers. Refusals must not be stored. */
export async function keepAnswer(
  tx: Tx,
  route: string,
  userId: string,
  claim: IdempotencyClaim | null,
  json: string,
): Promise<void> {
  if (claim === null) return
  await tx.query(...KEEP({ userId, route, key: claim.key, inputHash: claim.inputHash, json }))
}

export interface KeptAnswersValues {
  readonly keptUserIds: readonly string[]
  readonly keptKeys: readonly string[]
  readonly keptHashes: readonly Uint8Array[]
  /** All answers as one JSON list: in an SQL array of texts, every quote would have to be escaped. */
  readonly keptAnswers: string
  readonly keptAt: Date
}

/**
 * Makes the CTE `kept_answers`, by which a statement stores answers together with the rows that the answers confirm.
 * @param route must be a constant, because it becomes a part of the SQL text
 */
export const keptAnswersCte = (route: string): Sql<keyof KeptAnswersValues> => sql`kept_answers as (
    insert into idempotency_keys (user_id, route, key, input_hash, answer, created_at)
    select k.user_id, ${sqlText(`'${route}'`)}, k.key, k.input_hash, k.answer, ${'keptAt'}::timestamptz
      from rows from (unnest(${'keptUserIds'}::uuid[], ${'keptKeys'}::text[], ${'keptHashes'}::bytea[]),
        jsonb_array_elements(${'keptAnswers'}::jsonb)) as k (user_id, key, input_hash, answer)
    returning 1
  )`

export const keptAnswersValues = (
  kept: ReadonlyArray<{ userId: string; claim: IdempotencyClaim; answer: string }>,
  at: Date,
): KeptAnswersValues => ({
  keptUserIds: kept.map((row) => row.userId),
  keptKeys: kept.map((row) => row.claim.key),
  keptHashes: kept.map((row) => row.claim.inputHash),
  keptAnswers: `[${kept.map((row) => row.answer).join(',')}]`,
  keptAt: at,
})

/** Deletes stored answers that are older than 7 days (rules §3.5). Returns the number deleted. */
export const forgetOldAnswers = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from idempotency_keys', 'ctid', `created_at < clock_timestamp() - interval '7 days'`)
