import type { Database, Param } from '#server/platform/database/db.ts'

/** A statement, or one with its parameters. */
type Change = string | readonly [text: string, params: readonly Param[]]

/** Changes rows that no command may change, as somebody who controls the database could: no trigger or key refuses. */
export const tamperWith = (db: Database, ...changes: readonly Change[]): Promise<void> =>
  db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const change of changes) await (typeof change === 'string' ? tx.query(change) : tx.query(...change))
  })
