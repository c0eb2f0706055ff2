import pg from 'pg'
import type { Connections, Database, Param, QueryOptions, Row, Tx, TxOptions } from './db.ts'
import { decoderOf, encodeParam } from './sql-values.ts'
import { connectionLost, createTxGuard, isRefusal, runTransaction, sqlState } from './transaction.ts'
import type { Answer, Link, TxGuard } from './transaction.ts'

export interface NativeOptions {
  /** postgres://user:password@host:port/database, with libpq's parameters (`sslmode` and so on). */
  readonly url: string
  /** Connections at most. Default 10. */
  readonly max?: number
  readonly applicationName?: string
  /** A statement that runs longer is cancelled by the server (57014). Default 30 s. */
  readonly statementTimeoutMs?: number
  /** A statement that waits longer for somebody else's lock fails (55P03). Default 5 s. */
  readonly lockTimeoutMs?: number
  /**
   * A transaction whose process sends nothing for so long is rolled back by the server and its connection ended (25P03),
   * so that a process that was suspended lets go of its locks. Default 2 s.
   */
  readonly idleInTxTimeoutMs?: number
}

/** How many connections a process takes at most, by who uses them; with the clock's one 21 (docs/operations.md). */
export const POOL_SIZES = { engine: 6, sessions: 2, bets: 2, requests: 10 } as const
/** Whoever settles goes around what is locked and comes back: long waits would hold the other rounds up. */
const ENGINE_LOCK_TIMEOUT_MS = 1_000
const LOCK_TIMEOUT_MS = 5_000
const IDLE_IN_TX_TIMEOUT_MS = 2_000
/** A connection on which not even the server's own time limit is answered is taken for dead after this much more. */
const ANSWER_GRACE_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/** Plans that were cached while a table was almost empty would otherwise stay for ever. */
const CONNECTION_LIFETIME_S = 300

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006'

/** Opens a pool for each of those who must not wait for another; nothing is connected before the first statement. */
export function openNativeConnections(url: string): Connections {
  // One for all of them: a transaction that asked for a connection of another pool could wait for itself as well.
  const guard = createTxGuard()
  const open = (name: keyof typeof POOL_SIZES, options: Partial<NativeOptions> = {}): Database =>
    openPool({ url, max: POOL_SIZES[name], applicationName: `kim-phien ${name}`, ...options }, guard)
  const pools = {
    engine: open('engine', { lockTimeoutMs: ENGINE_LOCK_TIMEOUT_MS }),
    sessions: open('sessions'),
    bets: open('bets'),
    requests: open('requests'),
  }
  return {
    ...pools,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}

/** Opens a pool of connections to a PostgreSQL server; nothing is connected before the first statement. */
export const openNative = (options: NativeOptions): Database => openPool(options, createTxGuard())

function openPool(options: NativeOptions, guard: TxGuard): Database {
  const { url, max = 10, applicationName, statementTimeoutMs = 30_000 } = options
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, idleInTxTimeoutMs = IDLE_IN_TX_TIMEOUT_MS } = options
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
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTxTimeoutMs,
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
  })
  /** Why a connection was lost: what the server said as it ended it, if it said anything. */
  const losses = new WeakMap<pg.PoolClient, Error>()
  let closing: Promise<void> | null = null
  // A connection that dies is reported to whoever awaits a statement on it, and replaced; without these listeners
  // Node would end the process. The pool listens to idle connections only.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (error) => void (losses.has(client) || losses.set(client, error)))
  })

  async function withLink<T>(work: (link: Link) => Promise<T>): Promise<T> {
    guard.assertOutside()
    const client = await pool.connect().catch((error: unknown) => {
      throw connectionLost(error)
    })
    const link = createLink(client, () => losses.get(client))
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
    onOneConnection: (work) => withLink((link) => work({ query: (...statement) => link.send(...statement) })),
    close: () => (closing ??= pool.end()),
  }
}

function createLink(client: pg.PoolClient, lossOf: () => Error | undefined): Link & { isBroken(): boolean } {
  let isBroken = false
  let loss: unknown = null
  let isCorked = false
  const { stream } = (client as unknown as { connection: pg.Connection }).connection

  return {
    isBroken: () => isBroken,
    async send<R extends Row>(text: string, params?: readonly Param[], { name, timeoutMs }: QueryOptions = {}) {
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
          ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
        })
        // A text of several statements is answered by a list; its last one counts.
        const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<R>
        return { rows: last.rows, rowCount: last.rowCount ?? 0, command: last.command } satisfies Answer<R>
      } catch (error) {
        // A server that became read-only is no longer the first one: the next connection goes where that one is.
        isBroken ||= !isRefusal(error) || sqlState(error) === READ_ONLY
        if (isRefusal(error)) throw error
        // "Terminated" and "not queryable" say less than what the server said first, to whatever was sent then.
        loss ??= lossOf() ?? error
        throw connectionLost(loss)
      }
    },
  }
}
