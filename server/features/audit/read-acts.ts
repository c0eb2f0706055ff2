import type { Param, Queryable, Row } from '#server/platform/database/db.ts'
import type { ChainedRow } from './chain.ts'

export async function readActs(q: Queryable, condition: string, params: readonly Param[]): Promise<ChainedRow[]> {
  const { rows } = await q.query<ChainedRow & Row>(
    `select seq, (extract(epoch from at) * 1000000)::bigint as "atMicros", actor, act, target, before, after, reason,
            previous_hash as "previousHash", hash
       from audit_log where ${condition}`,
    params,
  )
  return rows
}
