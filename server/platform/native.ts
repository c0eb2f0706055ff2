import pg from 'pg'
import type { Database, Param, QueryOptions, Row, Tx, TxOptions } from './db.ts'
import { decoderOf, encodeParam } from './sql-values.ts'
import { connectionLost, createTxGuard, isRefusal, runTransaction, sqlState } from './transaction.ts'
import type { Answer, Link } from './transaction.ts'

export interface NativeOptions {
  /** postgres://user:password@host:port/database, with libpq's parameters (`sslmode` and so on). */
  readonly url: string
  /** Connections at most. Default 10. */
  readonly max?: number
  readonly applicationName?: string
  /** A statement that runs longer is cancelled by the server (57014). Default 30 s. */
  readonly statementTimeoutMs?: number
}

/** A transaction whose process stopped sending statements loses its connection, and its locks, after this. */
const IDLE_IN_TX_TIMEOUT_MS = 30_000
/** A connection on which not even the server's own time limit is answered is taken for dead after this much more. */
const ANSWER_GRACE_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/** Plans that were cached while a table was almost empty would otherwise stay for ever. */
const CONNECTION_LIFETIME_S = 300

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006'

/** Opens a pool of connections to a PostgreSQL server; nothing is connected before the first statement. */
export function openNative({ url, max = 10, applicationName, statementTimeoutMs = 30_000 }: NativeOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    types: { getTypeParser: decoderOf as pg.CustomTypesConfig['getTypeParser'] },
    // Every statement here is short: compiling it or handing it to helpers takes longer than running it.
    options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    keepAlive: true,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TX_TIMEOUT_MS,
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
  })
  const guard = createTxGuard()
  let closing: Promise<void> | null = null
  // A connection that dies is reported to whoever awaits a statement on it, and replaced; without these listeners
  // Node would end the process. The pool listens to idle connections only.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))

  async function withLink<T>(work: (link: Link) => Promise<T>): Promise<T> {
    guard.assertOutside()
    const client = await pool.connect().catch((error: unknown) => {
      throw connectionLost(error)
    })
    const link = createLink(client)
    try {
      return await work(link)
    } finally {
      // An SQL error costs no connection; anything else does.
      client.release(link.isBroken())
    }
  }

  return {
    engine: 'native',
    query: <R extends Row>(text: string, params?: readonly Param[], options?: QueryOptions) =>
      withLink((link) => link.send<R>(text, params, options)),
    tx: <T>(work: (tx: Tx) => Promise<T>, options: TxOptions = {}) =>
      withLink((link) => runTransaction(link, guard, work, options)),
    close: () => (closing ??= pool.end()),
  }
}

function createLink(client: pg.PoolClient): Link & { isBroken(): boolean } {
  let isBroken = false
  let isCorked = false
  const { stream } = (client as unknown as { connection: pg.Connection }).connection

  return {
    isBroken: () => isBroken,
    async send<R extends Row>(text: string, params?: readonly Param[], { name }: QueryOptions = {}) {
      if (!isCorked) {
        // What is sent before this turn of the event loop ends leaves as one write.
        isCorked = true
        stream.cork()
        process.nextTick(() => {
          isCorked = false
          stream.uncork()
        })
      }
      const values = params?.map(encodeParam)
      try {
        const result = await client.query<R>({
          text,
          ...(values === undefined ? {} : { values }),
          ...(name === undefined ? {} : { name }),
        })
        // A text of several statements is answered by a list; its last one counts.
        const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<R>
        return { rows: last.rows, rowCount: last.rowCount ?? 0, command: last.command } satisfies Answer<R>
      } catch (error) {
        // A server that became read-only is no longer the first one: the next connection goes where that one is.
        isBroken ||= !isRefusal(error) || sqlState(error) === READ_ONLY
        throw isRefusal(error) ? error : connectionLost(error)
      }
    },
  }
}
