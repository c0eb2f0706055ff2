import type { Param, Queryable, Row } from '#server/platform/database/db.ts'
import type { ChainedRow, Json } from './chain.ts'

interface ActRow extends Row {
  seq: bigint
  at_micros: bigint
  actor: string
  act: string
  target: string
  before: Json
  after: Json
  reason: string | null
  previous_hash: Uint8Array
  hash: Uint8Array
}

/** Reads acts as they are stored, by their numbers. */
export async function readActs(q: Queryable, condition: string, params: readonly Param[]): Promise<ChainedRow[]> {
  const { rows } = await q.query<ActRow>(
    `select seq, (extract(epoch from at) * 1000000)::bigint as at_micros, actor, act, target, before, after, reason, previous_hash, hash
       from audit_log where ${condition}`,
    params,
  )
  return rows.map(({ at_micros: atMicros, previous_hash: previousHash, ...row }) => ({
    ...row,
    atMicros,
    previousHash,
  }))
}
