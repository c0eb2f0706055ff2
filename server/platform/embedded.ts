import { fdatasyncSync, existsSync, mkdirSync, openSync, closeSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { type DatabaseError, serialize } from 'pg-protocol'
import type { CommandCompleteMessage, RowDescriptionMessage } from 'pg-protocol/dist/messages.js'
import { Parser } from 'pg-protocol/dist/parser.js'
import type { Connections, Database, Param, QueryOptions, Row, TxOptions, Tx } from './db.ts'
import { keptEmptyCluster } from './empty-cluster.ts'
import { acquireProcessLock } from './process-lock.ts'
import { decoderOf, encodeParam } from './sql-values.ts'
import type { Decode } from './sql-values.ts'
import { createTxGuard, runTransaction } from './transaction.ts'
import type { Answer, Link } from './transaction.ts'

export interface EmbeddedOptions {
  /** The folder of the database, which is in its subfolder `pg/`; null keeps it in memory. */
  readonly dataDir: string | null
  /**
   * One fdatasync per commit. Only tests and benchmarks turn it off. Default true; a database in memory never syncs.
   */
  readonly durable?: boolean
  /** A dump() to start from instead of an empty database; used only for a new database. */
  readonly loadDump?: Blob
}

export interface EmbeddedDatabase extends Database {
  readonly engine: 'embedded'
  /** An uncompressed tar of the whole database, taken between two transactions, for `loadDump`. */
  dump(): Promise<Blob>
  /** The same database for each purpose that must not wait for another. This object is the one for `requests`. */
  readonly connections: Connections
}

/** The order of purposes when several wait for the one connection. */
const TURNS = ['engine', 'sessions', 'bets', 'requests'] as const
type Turn = (typeof TURNS)[number]

/** After this much uninterrupted work in the engine, in ms, timers and sockets are served. */
const ENGINE_TURN_MS = 8

/** How many fdatasync calls the engine has made since the process started. */
let syncCount = 0

/** The number of fdatasync calls this process made for its embedded databases. A durable commit makes at least one. */
export function embeddedSyncCount(): number {
  return syncCount
}

/**
 * Opens PostgreSQL inside this process. There is one connection, so transactions wait for each other. Throws
 * LockHeldError when another process has this folder open.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = options.dataDir === null ? null : acquireProcessLock(options.dataDir)
  let pg: PGlite
  try {
    pg = options.dataDir === null ? await openInMemory(options) : await openInFolder(options.dataDir, options)
  } catch (error) {
    lock?.release()
    throw error
  }
  const link = createLink(pg)
  const guard = createTxGuard()
  const exclusive = createExclusive()
  let closing: Promise<void> | null = null
  const close = (): Promise<void> =>
    (closing ??= exclusive('requests', async () => {
      // After a checkpoint the next start has no write-ahead log to replay.
      if (lock !== null) await link.send('checkpoint')
      await pg.close()
      lock?.release()
    }))

  const databaseOf = (turn: Turn): Database & { readonly engine: 'embedded' } => ({
    engine: 'embedded',
    async query<R extends Row>(text: string, params?: readonly Param[], queryOptions?: QueryOptions) {
      guard.assertOutside()
      return await exclusive(turn, () => link.send<R>(text, params, queryOptions))
    },
    async tx<T>(work: (tx: Tx) => Promise<T>, txOptions: TxOptions = {}) {
      guard.assertOutside()
      return await exclusive(turn, () => runTransaction(link, guard, work, txOptions))
    },
    async onOneConnection(work) {
      guard.assertOutside()
      return await exclusive(turn, () => work({ query: (...statement) => link.send(...statement) }))
    },
    close,
  })
  const requests = databaseOf('requests')
  return {
    ...requests,
    dump: () => exclusive('requests', async () => await pg.dumpDataDir('none')),
    connections: {
      engine: databaseOf('engine'),
      sessions: databaseOf('sessions'),
      bets: databaseOf('bets'),
      requests,
      close,
    },
  }
}

/** Runs one work at a time; the next one is the oldest of the first purpose that waits. */
function createExclusive(): <T>(turn: Turn, work: () => Promise<T>) => Promise<T> {
  const waiting: Readonly<Record<Turn, Array<() => Promise<unknown>>>> = {
    engine: [],
    sessions: [],
    bets: [],
    requests: [],
  }
  let isBusy = false
  const next = (): void => {
    const turn = TURNS.find((name) => waiting[name].length > 0)
    const work = turn === undefined ? undefined : waiting[turn].shift()
    isBusy = work !== undefined
    // The next statement of the engine's purpose depends on this answer: setImmediate lets it be queued first.
    void work?.().finally(() => (turn === 'engine' ? setImmediate(next) : next()))
  }
  return (turn, work) =>
    new Promise((resolve, reject) => {
      waiting[turn].push(() => Promise.resolve().then(work).then(resolve, reject))
      if (!isBusy) next()
    })
}

const commonSettings = [
  ...['-c', 'timezone=UTC'],
  // Recycled log files need not be filled with zeros first, which would delay a commit.
  ...['-c', 'min_wal_size=96MB', '-c', 'max_wal_size=128MB'],
  // ANALYZE blocks everything else in this process: with a tenth of the usual sample it takes tens of ms on large
  // tables.
  ...['-c', 'default_statistics_target=10'],
]

async function openInMemory({ loadDump }: EmbeddedOptions): Promise<PGlite> {
  return await PGlite.create({
    startParams: [...PGlite.defaultStartParams, ...commonSettings],
    ...(loadDump === undefined ? {} : { loadDataDir: loadDump }),
  })
}

async function openInFolder(dataDir: string, { durable = true, loadDump }: EmbeddedOptions): Promise<PGlite> {
  const clusterDir = join(dataDir, 'pg')
  // Exists while the database is being created: after an interruption its files are deleted.
  const creatingMark = join(dataDir, 'pg.creating')
  mkdirSync(dataDir, { recursive: true })
  if (existsSync(creatingMark)) rmSync(clusterDir, { recursive: true, force: true })
  const isNew = !existsSync(join(clusterDir, 'PG_VERSION'))
  if (isNew) {
    closeSync(openSync(creatingMark, 'w'))
    if (durable) syncFile(dataDir)
    mkdirSync(clusterDir, { recursive: true, mode: 0o700 })
  } else {
    // The engine's own lock file. A power cut at a start can leave it empty, which the engine would refuse for ever; our
    // lock has already kept other processes out.
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  }
  const startParams = durable
    ? [
        // -F would switch fsync off; with wal_sync_method=fdatasync the engine would then never call it.
        ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
        ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
        ...commonSettings,
      ]
    : [...PGlite.defaultStartParams, ...commonSettings]
  const beginning = isNew ? (loadDump ?? (await keptEmptyCluster())) : null
  const said: string[] = []
  const pg = await PGlite.create({
    fs: durable ? new DurableNodeFS(clusterDir) : new NodeFS(clusterDir),
    startParams,
    onStderr: (text) => said.push(text) > 0,
    ...(beginning === null ? {} : { loadDataDir: beginning }),
  }).catch((error: unknown) => {
    const reason = said.findLast((text) => /FATAL|PANIC|ERROR/.test(text)) ?? String(error)
    throw new Error(`The embedded database in ${dataDir} could not be opened: ${reason.trim()}`, { cause: error })
  })
  if (isNew) {
    // The files of a new database were copied in without any fsync.
    if (durable) syncTree(clusterDir)
    rmSync(creatingMark)
    if (durable) syncFile(dataDir)
  }
  return pg
}

interface NodeFsModule {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } }
}

/** PGlite's own folder file system ignores fsync; this one calls the operating system's. */
class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const syncForReal = (mod: unknown): void => {
      ;(mod as NodeFsModule).NODEFS.stream_ops.fsync = (stream) => {
        try {
          syncCount++
          fdatasyncSync(stream.nfd)
        } catch (error) {
          // After a failed fsync the state of the disk is unknown, and a second fsync would report success. No answer
          // may leave this process any more. A restart recovers from what did reach the disk.
          stopAtOnce(`The disk refused to store the database: ${String(error)}`)
        }
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncForReal] } }
  }
}

function stopAtOnce(reason: string): never {
  writeSync(2, `${reason}. Ending this process; what was acknowledged is safe.\n`)
  process.exit(1)
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncFile(path)
  }
  syncFile(folder)
}

/** A folder can be synced like a file, which makes the names in it durable. */
function syncFile(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fdatasyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Uses PostgreSQL's protocol with the engine directly: statements stay prepared, and we decode the types. */
function createLink(pg: PGlite): Link {
  const prepared = new Map<string, string>()
  let tail: Promise<unknown> = Promise.resolve()
  let engineMs = 0

  async function send<R extends Row>(
    text: string,
    params?: readonly Param[],
    { name = '' }: QueryOptions = {},
  ): Promise<Answer<R>> {
    if (engineMs > ENGINE_TURN_MS) {
      engineMs = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    const known = prepared.get(name)
    if (name !== '' && known !== undefined && known !== text)
      throw new Error(`The statement name ${name} is used for two texts`)
    const request =
      params === undefined && name === ''
        ? // The simple protocol takes several statements at once, such as a migration's.
          [serialize.query(text)]
        : [
            ...(known === undefined ? [serialize.parse({ text, name })] : []),
            serialize.bind({ statement: name, values: (params ?? []).map(toBound) }),
            serialize.describe({ type: 'P', name: '' }),
            serialize.execute({}),
            serialize.sync(),
          ]
    const startedAt = performance.now()
    // The engine passes views of its own memory. They are read after it returned, because an exception must not cross
    // it.
    const chunks: Uint8Array[] = []
    try {
      await pg.execProtocolRawStream(Buffer.concat(request), {
        syncToFs: false,
        onRawData: (bytes) => chunks.push(bytes.slice()),
      })
    } finally {
      engineMs += performance.now() - startedAt
    }
    const reply = readReply<R>(chunks)
    if (name !== '' && reply.isParsed) prepared.set(name, text)
    if (reply.error !== null) {
      // The engine shut itself down, on a full disk for example: the next call would never return.
      if (/PANIC|FATAL/.test(reply.severity)) stopAtOnce(`The embedded database stopped: ${reply.error.message}`)
      throw reply.error
    }
    return reply.answer
  }

  return {
    send(text, params, options) {
      const answer = tail.then(() => send(text, params, options))
      tail = answer.catch(() => {})
      return answer as never
    },
  }
}

/** pg-protocol sends a Buffer as bytes and any other object as text. */
function toBound(param: Param): string | Buffer | null {
  const value = encodeParam(param)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}

/**
 * PGlite's own parser decodes every field with a TextDecoder, which takes longer than many a statement; pg-protocol, that
 * of the PostgreSQL client, reads them from a Buffer.
 */
function readReply<R extends Row>(chunks: readonly Uint8Array[]) {
  let rows: R[] = []
  let columns: Array<readonly [name: string, decode: Decode]> = []
  let done = { rows, tag: '' }
  let isParsed = false
  let isReady = false
  let error: Error | null = null
  let severity = ''
  const readers: Readonly<Record<string, (message: never) => void>> = {
    dataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }) {
      const row: Row = {}
      fields.forEach((field, index) => {
        const [column, decode] = columns[index] as (typeof columns)[number]
        row[column] = field === null ? null : decode(field)
      })
      rows.push(row as R)
    },
    rowDescription({ fields }: RowDescriptionMessage) {
      columns = fields.map((field) => [field.name, decoderOf(field.dataTypeID)] as const)
    },
    commandComplete({ text }: CommandCompleteMessage) {
      // Several statements give several answers; the last one counts.
      done = { rows, tag: text }
      rows = []
    },
    error(message: DatabaseError) {
      error ??= message
      severity += message.severity ?? ''
    },
    parseComplete() {
      isParsed = true
    },
    readyForQuery() {
      isReady = true
    },
  }
  new Parser().parse(Buffer.concat(chunks), (message) => readers[message.name]?.(message as never))
  if (!isReady) error ??= new Error('The embedded database did not answer')
  const words = done.tag.split(' ')
  const answer: Answer<R> = { rows: done.rows, rowCount: Number(words.at(-1)) || 0, command: words[0] as string }
  return { answer, isParsed, error, severity }
}

/** The files of a new, empty database as a tar, stored for first starts (empty-cluster.ts). */
export async function newClusterDump(): Promise<Blob> {
  const pg = await PGlite.create()
  try {
    return await pg.dumpDataDir('none')
  } finally {
    await pg.close()
  }
}
