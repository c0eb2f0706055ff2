import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { type Engine, openTestDatabase } from '#testing/database/test-database.ts'

/** A test's database whose clock the test sets, as an operator or a faulty time server would. */
export interface SettableDatabase extends Database {
  /** The database's URL, for more connections and processes with the same clock; null where it is embedded. */
  readonly url: string | null
  /** Sets the difference of the database's clock from the machine's, in ms; negative is behind. */
  setAhead(ms: number): Promise<void>
  /** Stops the database's clock at an instant, Unix ms. */
  freezeAt(ms: number): Promise<void>
  /** The last value of setAhead, for a process's own clock where the database is embedded. */
  aheadMs(): number
}

/** Functions that hide those of pg_catalog from every statement that is parsed on this database. */
const SETTABLE_TIME = `
  create schema settable;
  create table settable.time (ahead interval not null, frozen_at timestamptz);
  insert into settable.time values ('0', null);
  create function settable.clock_timestamp() returns timestamptz language sql volatile as
    'select coalesce(t.frozen_at, pg_catalog.clock_timestamp() + t.ahead) from settable.time t';
  create function settable.statement_timestamp() returns timestamptz language sql stable as 'select settable.clock_timestamp()';`
const SEARCH_PATH = 'settable, public, pg_catalog'

export async function openSettableDatabase(engine: Engine): Promise<SettableDatabase> {
  const db = await openTestDatabase(engine)
  if (db.url === null) {
    for (const statement of SETTABLE_TIME.split(';\n')) await db.query(statement)
    await db.query(`set search_path = ${SEARCH_PATH}`)
  } else {
    // Set by a connection that is closed afterwards: later connections have the new search path.
    const first = openNative({ url: db.url, max: 1 })
    await first.query(
      `${SETTABLE_TIME} do $$ begin
         execute format('alter database %I set search_path = ${SEARCH_PATH}', current_database()); end $$`,
    )
    await first.close()
  }
  let aheadMs = 0
  return {
    ...db,
    url: db.url,
    async setAhead(ms) {
      aheadMs = ms
      await db.query(`update settable.time set ahead = $1 * interval '1 millisecond', frozen_at = null`, [ms])
    },
    async freezeAt(ms) {
      await db.query(`update settable.time set frozen_at = $1`, [new Date(ms)])
    },
    aheadMs: () => aheadMs,
    async close() {
      // The embedded engine is kept for the next file.
      if (db.url === null) await db.query('drop schema settable cascade; reset search_path')
      await db.close()
    },
  }
}
