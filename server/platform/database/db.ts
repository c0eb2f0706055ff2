/** A parameter of a statement. A JavaScript array becomes a PostgreSQL array; bigint is int8; Uint8Array is bytea. */
export type Param = string | number | bigint | boolean | Date | Uint8Array | null | readonly Param[]

export type Row = Record<string, unknown>

export interface QueryResult<R> {
  readonly rows: R[]
  readonly rowCount: number
}

export interface QueryOptions {
  /** A name, unique per SQL text, under which a connection prepares the statement once. For hot paths only. */
  readonly name?: string
  readonly timeoutMs?: number
}

/** The longest time that the driver's timers accept, for slow statements such as building an index of a large table. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1

export interface LastQueryOptions extends QueryOptions {
  readonly onWritten?: (() => void) | undefined
}

/**
 * Runs statements. Both engines decode values alike (sql-values.ts): for example int8 as bigint, int4 as number,
 * timestamptz as Date, jsonb parsed, bytea as Uint8Array, and uuid, numeric and xid8 as strings.
 */
export interface Queryable {
  query<R extends Row = Row>(text: string, params?: readonly Param[], options?: QueryOptions): Promise<QueryResult<R>>
}

export interface Tx extends Queryable {
  /** Registers an effect that runs once after an acknowledged COMMIT, and never after a rollback. It must not throw. */
  afterCommit(effect: () => void): void
  /**
   * Sends a last statement together with COMMIT; no query may follow. Throws if the statement fails, or if the server's
   * answer to COMMIT is lost or is not COMMIT.
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
   * The only way to begin a transaction. Statements that are not awaited one by one are answered in order; the native
   * engine pipelines them. Throws serialization failures and deadlocks; `retrying` repeats a transaction after these.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** Runs `work` on one connection without a transaction, for statements that PostgreSQL refuses in a transaction. */
  onOneConnection<T>(work: (connection: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The database of one process, split by purpose, so that many requests cannot delay rounds, sessions and bets. On
 * PostgreSQL each purpose has its own pool (POOL_SIZES). The embedded engine has one connection for all; if several
 * purposes wait for it, TURNS in embedded.ts gives their order.
 */
export interface Connections {
  readonly engine: Database
  readonly sessions: Database
  readonly bets: Database
  /**
   * For calls without a sign-in (rules §6.3). On PostgreSQL, a statement may take 2 s, and is cancelled once nobody
   * waits for its result. The embedded engine can only skip statements that it has not begun.
   */
  readonly publicReads: Database
  readonly requests: Database
  close(): Promise<void>
}

/** Thrown when the connection was lost between COMMIT and its answer: the outcome is unknown and must be looked up. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError'
}
