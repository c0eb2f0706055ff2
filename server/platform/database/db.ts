/** A parameter of a statement, encoded by sql-values.ts. A JavaScript array becomes a PostgreSQL array. */
export type Param = string | number | bigint | boolean | Date | Uint8Array | null | readonly Param[]

export type Row = Record<string, unknown>

export interface QueryResult<R> {
  readonly rows: R[]
  readonly rowCount: number
}

export interface QueryOptions {
  /** Under this name, a connection prepares the statement once. Two SQL texts must not share a name. */
  readonly name?: string
  readonly timeoutMs?: number
}

/** The longest delay of a Node.js timer, for statements that may take hours, such as building an index. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1

export interface LastQueryOptions extends QueryOptions {
  readonly onWritten?: (() => void) | undefined
}

/** Runs statements. Both engines decode values alike (sql-values.ts): for example int8 as bigint and uuid as string. */
export interface Queryable {
  query<R extends Row = Row>(text: string, params?: readonly Param[], options?: QueryOptions): Promise<QueryResult<R>>
}

export interface Tx extends Queryable {
  /** Registers an effect that runs after COMMIT was acknowledged. An error that the effect throws is only logged. */
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
  /** Runs `work` in a transaction. Throws all errors, also serialization failures and deadlocks (see `retrying`). */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** Runs `work` on one connection without a transaction, for statements that PostgreSQL refuses in a transaction. */
  onOneConnection<T>(work: (connection: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The connections of one process, by purpose, so that rounds, sessions and bets do not queue behind other requests. On
 * PostgreSQL each purpose has its own pool. The embedded engine has one connection: waiting tasks run by priority.
 */
export interface Connections {
  readonly engine: Database
  readonly sessions: Database
  readonly bets: Database
  /** For calls without a sign-in (rules §6.3). On PostgreSQL, a statement ends after 2 s or when no caller waits. */
  readonly publicReads: Database
  readonly requests: Database
  close(): Promise<void>
}

/** Thrown when the answer to COMMIT did not arrive: the caller has to look up whether the transaction is committed. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError'
}
