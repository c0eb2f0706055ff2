/** A statement's parameter. A JavaScript array becomes a PostgreSQL array; bigint is int8; Uint8Array is bytea. */
export type Param = string | number | bigint | boolean | Date | Uint8Array | null | readonly Param[]

export type Row = Record<string, unknown>

export interface QueryResult<R> {
  readonly rows: R[]
  /** The number of rows returned or changed. */
  readonly rowCount: number
}

export interface QueryOptions {
  /** A name of our own, unique per SQL text: the statement is prepared once per connection. For hot paths only. */
  readonly name?: string
  /** How long to wait for the answer, in ms, where the connection's own limit is too short. */
  readonly timeoutMs?: number
}

export interface LastQueryOptions extends QueryOptions {
  /** Called when the statement has been answered, and COMMIT not yet. */
  readonly onWritten?: (() => void) | undefined
}

/**
 * Both engines return the same JavaScript types: int8 is bigint, int4 is number, timestamptz is Date, jsonb is parsed,
 * bytea is Uint8Array, uuid and xid8 are strings.
 */
export interface Queryable {
  query<R extends Row = Row>(text: string, params?: readonly Param[], options?: QueryOptions): Promise<QueryResult<R>>
}

export interface Tx extends Queryable {
  /** Runs once, after COMMIT was acknowledged; never after a rollback. Must not throw. */
  afterCommit(effect: () => void): void
  /**
   * Sends a last statement and COMMIT in one flush and resolves when both are acknowledged. No query may follow. Throws
   * when the statement failed or COMMIT did not answer COMMIT.
   */
  commitWith<R extends Row = Row>(
    text: string,
    params?: readonly Param[],
    options?: LastQueryOptions,
  ): Promise<QueryResult<R>>
}

export interface TxOptions {
  readonly isolation?: 'read committed' | 'repeatable read'
  readonly readOnly?: boolean
}

export interface Database extends Queryable {
  readonly engine: 'embedded' | 'native'
  /**
   * The only way to begin a transaction. BEGIN is sent with the first statement; statements that are not awaited one by
   * one are pipelined (native) and answered in order. There are no retries: serialization and deadlock errors (40001,
   * 40P01) reach the caller unless `work` is passed to `retrying`.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /**
   * Runs several statements on one connection without a transaction, for statements that PostgreSQL refuses inside one.
   */
  onOneConnection<T>(work: (connection: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The database of one process, divided by purpose: however many requests wait, rounds are settled, sessions are checked
 * and bets are placed. On PostgreSQL each purpose has connections of its own, by POOL_SIZES. The embedded engine has
 * one connection, and gives it next to the first of these purposes that waits.
 */
export interface Connections {
  /** Rounds, ticks and the ledger's state: work that no request may delay. */
  readonly engine: Database
  /** Look-ups of sessions, a short statement each. */
  readonly sessions: Database
  readonly bets: Database
  /**
   * Connections for calls that anybody may make without signing in: statements of 2 s at most, which end when nobody
   * waits for them any more (rules §6.3).
   */
  readonly publicReads: Database
  /** The pool for everything else. */
  readonly requests: Database
  close(): Promise<void>
}

/** The same database for every purpose, for tests and tools. */
export const sharedByAll = (db: Database): Connections => ({
  engine: db,
  sessions: db,
  bets: db,
  publicReads: db,
  requests: db,
  close: () => db.close(),
})

/** The connection died between COMMIT and its acknowledgement: the outcome is unknown and must be looked up. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError'
}
