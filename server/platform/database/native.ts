import pg from 'pg'
import type { Connections, Database, Param, QueryOptions, Row, Tx, TxOptions } from './db.ts'
import { parseDatabaseAddress } from './database-address.ts'
import { givenUp } from './given-up.ts'
import { decoderOf, encodeParam } from './sql-values.ts'
import { connectionLost, createTxGuard, isRefusal, runTransaction, sqlState } from './transaction.ts'
import type { Answer, Link, TxGuard } from './transaction.ts'

export interface NativeOptions {
  /** The address (database-address.ts). Of several hosts, the one that accepts writes is used. */
  readonly url: string
  readonly max?: number
  readonly applicationName?: string
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  /** If a transaction is idle for longer than this (default 2 s), PostgreSQL ends its connection (25P03). */
  readonly idleInTxTimeoutMs?: number
  /** If set, statements are cancelled over this pool once nobody waits for them (given-up.ts). */
  readonly cancelOn?: Database
}

/** The most connections of a process, by purpose. The clock has one more (docs/operations/databases.md). */
export const POOL_SIZES = { engine: 6, sessions: 2, bets: 2, publicReads: 2, requests: 10 } as const
const PUBLIC_STATEMENT_TIMEOUT_MS = 2_000
/** This limit is short, because a wait for a locked row delays other rounds. A settlement that fails is retried. */
const ENGINE_LOCK_TIMEOUT_MS = 1_000
const LOCK_TIMEOUT_MS = 5_000
const IDLE_IN_TX_TIMEOUT_MS = 2_000
/** PostgreSQL ends a statement at its timeout. If no answer arrives this much later, the connection is dropped. */
const ANSWER_GRACE_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
const CONNECT_ONE_OF_SEVERAL_TIMEOUT_MS = 2_000
/** Connections are renewed, because a cached plan may date from when a table was almost empty. */
const CONNECTION_LIFETIME_S = 300

/** What pg-pool says if no connection of a full pool became free. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'
const READ_ONLY = '25006'

export function openNativeConnections(url: string): Connections {
  // All pools share one guard: the work of a transaction must not wait for a second connection of any pool.
  const guard = createTxGuard()
  const open = (name: keyof typeof POOL_SIZES, options: Partial<NativeOptions> = {}): Database =>
    openPool({ url, max: POOL_SIZES[name], applicationName: `kim-phien ${name}`, ...options }, guard)
  const sessions = open('sessions')
  const pools = {
    sessions,
    engine: open('engine', { lockTimeoutMs: ENGINE_LOCK_TIMEOUT_MS }),
    bets: open('bets'),
    publicReads: open('publicReads', { statementTimeoutMs: PUBLIC_STATEMENT_TIMEOUT_MS, cancelOn: sessions }),
    requests: open('requests'),
  }
  return {
    ...pools,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}

export const openNative = (options: NativeOptions): Database => openPool(options, createTxGuard())

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
function openPool(options: NativeOptions, guard: TxGuard): Database {
  const { url, max = 10, applicationName, statementTimeoutMs = 30_000 } = options
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, idleInTxTimeoutMs = IDLE_IN_TX_TIMEOUT_MS, cancelOn } = options
  const { urls, needsPrimary } = parseDatabaseAddress(url) ?? { urls: [url], needsPrimary: false }
  const connectTimeoutMs = urls.length > 1 ? CONNECT_ONE_OF_SEVERAL_TIMEOUT_MS : CONNECT_TIMEOUT_MS
  let current = 0
  const leave = (host: number): void => void (current === host && (current = (host + 1) % urls.length))
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const host = current
      super({ ...config, connectionString: urls[host] ?? url, connectionTimeoutMillis: connectTimeoutMs })
      // If connecting fails after the caller has stopped waiting, the pool reports the failure to nobody. So the client
      // itself changes to the next host.
      const left = (): void => leave(host)
      this.once('end', left).once('connect', () => this.off('end', left))
    }
  }
  const pool = new pg.Pool({
    Client,
    ...(needsPrimary && { verify: (client, done) => refuseReadOnly(client, connectTimeoutMs, done) }),
    max,
    pipeline: true,
    types: { getTypeParser: decoderOf as pg.CustomTypesConfig['getTypeParser'] },
    // For our short statements, JIT compilation and parallel workers cost more time than they save.
    options: '-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    keepAlive: true,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    // The pool also waits at most this long for a free connection.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTxTimeoutMs,
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
  })
  const losses = new WeakMap<pg.PoolClient, Error>()
  let closing: Promise<void> | null = null
  // Node.js ends the process at an `error` event without a listener. The pool itself listens to idle connections only.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (error) => void (losses.has(client) || losses.set(client, error)))
  })

  /** Takes a connection from the pool. If connecting fails, tries the next host, until each host was tried once. */
  async function connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; tried++) {
      const asked = current
      try {
        return await pool.connect()
      } catch (error) {
        const isBusy = (error as Error).message === WAITED_TOO_LONG
        if (!isBusy) leave(asked)
        if (isBusy || tried >= urls.length) throw connectionLost(error)
      }
    }
  }

  async function withLink<T>(work: (link: Link, client: pg.PoolClient) => Promise<T>): Promise<T> {
    guard.assertOutside()
    const client = await connect()
    const link = createLink(client, () => losses.get(client))
    try {
      return await work(link, client)
    } finally {
      // The connection is kept after an SQL error, but not after any other error or on a read-only server.
      client.release(link.isBroken())
    }
  }

  return {
    engine: 'native',
    query: <R extends Row>(text: string, params?: readonly Param[], options?: QueryOptions) =>
      withLink((link, client) => endedWith(cancelOn, client, () => link.send<R>(text, params, options))),
    tx: <T>(work: (tx: Tx) => Promise<T>, options: TxOptions = {}) =>
      withLink((link) => runTransaction(link, guard, work, options)),
    onOneConnection: (work) => withLink((link) => work({ query: (...statement) => link.send(...statement) })),
    close: () => (closing ??= pool.end()),
  }
}

/**
 * Runs a statement, and cancels it once nobody waits for it. Returns only after the cancel request was answered,
 * because a late cancel could end the next statement on this connection.
 */
async function endedWith<T>(cancelOn: Database | undefined, client: pg.PoolClient, run: () => Promise<T>): Promise<T> {
  const signal = cancelOn === undefined ? undefined : givenUp()
  if (cancelOn === undefined || signal === undefined) return await run()
  signal.throwIfAborted()
  const { processID } = client as unknown as { readonly processID: number }
  let cancelling: Promise<unknown> | undefined
  const cancel = (): void => {
    cancelling = cancelOn.query('select pg_cancel_backend($1::integer)', [processID]).catch(() => {})
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await run()
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelling
  }
}

const POOLED =
  'something in between, such as PgBouncer, keeps the settings of a connection from PostgreSQL: connect to PostgreSQL itself or through HAProxy'

/** Throws if a pooler such as PgBouncer does not pass a connection's settings, such as time limits, to PostgreSQL. */
export async function requireOwnSession(db: Database): Promise<void> {
  const { rows } = await db
    .query<{ jit: string; idle: string }>(
      `select current_setting('jit') as jit, current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    .catch((error: unknown) => {
      throw /unsupported startup parameter/.test((error as Error).message) ? new Error(POOLED, { cause: error }) : error
    })
  if (db.engine === 'native' && (rows[0]?.jit !== 'off' || rows[0].idle === '0')) throw new Error(POOLED)
}

function refuseReadOnly(client: pg.PoolClient, timeoutMs: number, done: (error?: Error) => void): void {
  const asking = {
    text: `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`,
    query_timeout: timeoutMs,
  }
  client
    .query<{ is_read_only: boolean }>(asking)
    .then(({ rows }) => (rows[0]?.is_read_only === false ? undefined : new Error('This server takes no writes')))
    .then(done, done)
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
        // Statements sent in one step of the event loop are written to the socket together.
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
        const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<R>
        return { rows: last.rows, rowCount: last.rowCount ?? 0, command: last.command } satisfies Answer<R>
      } catch (error) {
        // A server that became read-only is no longer the primary, so the pool has to connect anew.
        isBroken ||= !isRefusal(error) || sqlState(error) === READ_ONLY
        if (isRefusal(error)) throw error
        // The first error of the connection says more than the driver's later "Terminated" and "not queryable".
        loss ??= lossOf() ?? error
        throw connectionLost(loss)
      }
    },
  }
}
