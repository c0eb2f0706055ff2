import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Connections, Database, Param, QueryOptions, Row, TxOptions, Tx } from './db.ts'
import { createLink, stopAtOnce } from './embedded-link.ts'
import { keptEmptyCluster } from './empty-cluster.ts'
import { syncPath } from '#server/platform/process/durable-file.ts'
import { findForeign } from '#server/platform/process/folder-owner.ts'
import { givenUp } from './given-up.ts'
import { refuseMovedAway } from '#server/platform/process/move-mark.ts'
import { acquireProcessLock, readUnlocked } from '#server/platform/process/process-lock.ts'
import { createTxGuard, runTransaction } from './transaction.ts'

export interface EmbeddedOptions {
  /** The folder with the database in its subfolder `pg/`; null keeps the database in memory. */
  readonly dataDir: string | null
  /** Whether each commit calls fdatasync (default). False for tests, benchmarks and temporary copies. */
  readonly durable?: boolean
  readonly loadDump?: Blob
}

export interface EmbeddedDatabase extends Database {
  readonly engine: 'embedded'
  dump(): Promise<Blob>
  readonly connections: Connections
}

const LEAST_FREE_BYTES = 8_000_000

const TURNS = ['engine', 'sessions', 'bets', 'requests', 'publicReads'] as const
type Turn = (typeof TURNS)[number]

let syncCount = 0

export function embeddedSyncCount(): number {
  return syncCount
}

/** Opens PostgreSQL, with one connection, in this process. Throws LockHeldError if another process uses the folder. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (options.dataDir !== null) refuseMovedAway(options.dataDir)
  const lock = options.dataDir === null ? null : acquireProcessLock(options.dataDir)
  let pg: PGlite
  try {
    pg = options.dataDir === null ? await openInMemory(options) : await openInFolder(options.dataDir, options)
  } catch (error) {
    lock?.release()
    throw error
  }
  const link = createLink((request, onRawData) => pg.execProtocolRawStream(request, { syncToFs: false, onRawData }))
  const guard = createTxGuard()
  const exclusive = createExclusive()
  let closing: Promise<void> | null = null
  const close = (): Promise<void> =>
    (closing ??= exclusive('requests', async () => {
      // After a checkpoint, the next start has no write-ahead log to replay.
      if (lock !== null) await link.send('checkpoint')
      await pg.close()
      lock?.release()
    }))

  const databaseOf = (turn: Turn): Database & { readonly engine: 'embedded' } => ({
    engine: 'embedded',
    async query<R extends Row>(text: string, params?: readonly Param[], queryOptions?: QueryOptions) {
      guard.assertOutside()
      const signal = turn === 'publicReads' ? givenUp() : undefined
      return await exclusive(turn, async () => {
        // A running statement cannot be ended, but a statement for which nobody waits any more is not started.
        signal?.throwIfAborted()
        return await link.send<R>(text, params, queryOptions)
      })
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
      publicReads: databaseOf('publicReads'),
      requests,
      close,
    },
  }
}

/** Runs one task at a time: tasks of an earlier turn in TURNS first, and tasks of the same turn in order of arrival. */
function createExclusive(): <T>(turn: Turn, work: () => Promise<T>) => Promise<T> {
  const waiting = TURNS.map((): Array<() => Promise<unknown>> => [])
  let isBusy = false
  const next = (): void => {
    const turn = waiting.findIndex((works) => works.length > 0)
    const work = waiting[turn]?.shift()
    isBusy = work !== undefined
    // `setImmediate` gives the game engine time to queue its next statement, ahead of the waiting tasks of other turns.
    void work?.().finally(() => (TURNS[turn] === 'engine' ? setImmediate(next) : next()))
  }
  return (turn, work) =>
    new Promise((resolve, reject) => {
      waiting[TURNS.indexOf(turn)]?.push(() => Promise.resolve().then(work).then(resolve, reject))
      if (!isBusy) next()
    })
}

const commonSettings = [
  ...['-c', 'timezone=UTC'],
  // Less than the default of 128 MB, because the engine fills this memory with zeros when it opens.
  ...['-c', 'shared_buffers=32MB'],
  // Keeps files of the write-ahead log for reuse: a new file is filled with zeros first, which would delay a commit.
  ...['-c', 'min_wal_size=96MB', '-c', 'max_wal_size=128MB'],
  // ANALYZE blocks this process, so it takes a tenth of the usual sample.
  ...['-c', 'default_statistics_target=10'],
]

/** The folder in DATA_DIR into which a restore unpacks a backup, before it renames each part into its place. */
export const RESTORING = 'restoring'

async function openInMemory({ loadDump }: EmbeddedOptions): Promise<PGlite> {
  return await PGlite.create({
    startParams: [...PGlite.defaultStartParams, ...commonSettings],
    ...(loadDump === undefined ? {} : { loadDataDir: loadDump }),
  })
}

async function openInFolder(dataDir: string, { durable = true, loadDump }: EmbeddedOptions): Promise<PGlite> {
  const clusterDir = join(dataDir, 'pg')
  // This file exists while the database is created. If an interruption left it, the unfinished files are deleted.
  const creatingMark = join(dataDir, 'pg.creating')
  mkdirSync(dataDir, { recursive: true })
  if (existsSync(creatingMark)) rmSync(clusterDir, { recursive: true, force: true })
  const isNew = !existsSync(join(clusterDir, 'PG_VERSION'))
  if (isNew && existsSync(join(dataDir, RESTORING, 'pg')))
    throw new Error(
      `A restore in ${dataDir} was interrupted: run it again, or move back what is in replaced-… and delete ${join(dataDir, RESTORING)}.`,
    )
  if (isNew) {
    closeSync(openSync(creatingMark, 'w'))
    if (durable) syncPath(dataDir)
    mkdirSync(clusterDir, { recursive: true, mode: 0o700 })
  } else {
    // Removes the engine's own lock file. A power cut can leave it empty, and the engine would then not start. Our lock
    // has already kept other processes out.
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  }
  const startParams = durable
    ? [
        // -F would switch fsync off. The method is fsync, because fdatasync would not call the fsync of DurableNodeFS.
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
    const { bavail, bsize } = statfsSync(dataDir)
    // When the disk is full, the engine's file system throws an object without a message, so the free space is checked.
    const isFull = bavail * bsize < LEAST_FREE_BYTES
    const reason =
      said.findLast((text) => /FATAL|PANIC|ERROR/.test(text)) ??
      (isFull ? 'its disk is full; free some room' : inspect(error))
    const foreign = findForeign(dataDir)
    const hint = foreign === null ? '' : `. ${foreign} is not its owner’s: chown -R that user ${dataDir}`
    throw new Error(`The embedded database in ${dataDir} could not be opened: ${reason.trim()}${hint}`, {
      cause: error,
    })
  })
  if (isNew) {
    // The files of a new database were copied in without any fsync, so they are synced here.
    if (durable) syncTree(clusterDir)
    rmSync(creatingMark)
    if (durable) syncPath(dataDir)
  }
  return pg
}

/** Copies the database of a stopped server into an empty temporary folder. */
export async function copyDatabase(dataDir: string, copy: string): Promise<void> {
  try {
    await readUnlocked(dataDir, () =>
      cp(join(dataDir, 'pg'), join(copy, 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE }),
    )
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
      ? new Error(`No room for a copy of the database in ${tmpdir()}: start the server first, or set TMPDIR`, {
          cause: error,
        })
      : error
  }
}

interface NodeFsModule {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } }
}

/** PGlite's own `NodeFS` ignores fsync; this file system calls the operating system's fdatasync instead. */
class DurableNodeFS extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const syncForReal = (mod: unknown): void => {
      ;(mod as NodeFsModule).NODEFS.stream_ops.fsync = (stream) => {
        try {
          syncCount++
          fdatasyncSync(stream.nfd)
        } catch (error) {
          // After a failed fsync, the next one could report success although data is lost. So no answer may leave this
          // process any more; a restart recovers from the data on the disk.
          stopAtOnce(`The disk refused to store the database: ${String(error)}`)
        }
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncForReal] } }
  }
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

export async function newClusterDump(): Promise<Blob> {
  const pg = await PGlite.create()
  try {
    return await pg.dumpDataDir('none')
  } finally {
    await pg.close()
  }
}
