import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import * as z from 'zod/mini'
import { nullIfMissing, syncFolder } from '#server/platform/process/durable-file.ts'
import { nearestFolder } from '#server/platform/process/folder-owner.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { opening, sealing, SealBrokenError } from './sealed-stream.ts'

/** The last part of a backup: it lists all other parts, so that a missing part is noticed. */
const MANIFEST = 'manifest.json'

const manifestSchema = z.object({
  version: z.literal(1),
  takenAtMs: z.number(),
  parts: z.array(
    z.object({ name: z.string(), bytes: z.number(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
})
export type BackupManifest = z.infer<typeof manifestSchema>

export interface BackupWriter {
  addFolder(name: string): Promise<void>
  /** Adds a file at its present length: bytes appended later are left out. Returns false if the file is missing. */
  addFile(name: string, path: string): Promise<boolean>
  addText(name: string, text: string): Promise<void>
}

/**
 * Writes a tar of parts and their manifest, compressed and encrypted. The file gets the name `path` when it is complete
 * and on the disk.
 * @param fill adds the parts, and returns the time of the database's state that they contain, in Unix ms
 */
export async function writeBackupFile(
  path: string,
  secret: Uint8Array,
  fill: (writer: BackupWriter) => Promise<number>,
): Promise<{ readonly bytes: number; readonly parts: number }> {
  const aside = `${path}.part`
  const pack = tar.pack()
  const { writer, parts } = createWriter(pack)
  const stop = new AbortController()
  const writing = pipeline(
    Readable.from(pack),
    createGzip({ level: 1 }),
    sealing(secret),
    createWriteStream(aside, { mode: 0o600, flush: true }),
    { signal: stop.signal },
  )
  writing.catch((error: unknown) => pack.destroy(error as Error))
  try {
    const takenAtMs = await fill(writer)
    const manifest: BackupManifest = { version: 1, takenAtMs, parts: [...parts] }
    await writer.addText(MANIFEST, JSON.stringify(manifest))
    pack.finalize()
    await writing
    await rename(aside, path)
    await syncFolder(dirname(path))
    return { bytes: (await stat(path)).size, parts: parts.length }
  } catch (error) {
    stop.abort()
    // On a full disk, `writing` fails and makes `fill` fail, too. The error of `writing` says more.
    const reason = await writing.then(
      () => error,
      (failure: unknown) => ((failure as Error).name === 'AbortError' ? error : failure),
    )
    await rm(aside, { force: true })
    throw reason
  }
}

function createWriter(pack: tar.Pack) {
  const parts: BackupManifest['parts'] = []
  const add = async (name: string, bytes: number, content: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    const hash = createHash('sha256')
    await new Promise<void>((resolve, reject) => {
      const entry = pack.entry({ name, size: bytes, mode: 0o600 }, (error?: Error | null) =>
        error ? reject(error) : resolve(),
      )
      const pass = async (): Promise<void> => {
        for await (const chunk of content) {
          hash.update(chunk)
          if (!entry.write(chunk)) await once(entry, 'drain')
        }
        entry.end(null)
      }
      pass().catch(reject)
    })
    parts.push({ name, bytes, sha256: hash.digest('hex') })
  }
  return {
    parts,
    writer: {
      async addFolder(name) {
        await new Promise<void>((resolve, reject) =>
          pack.entry({ name, type: 'directory', mode: 0o700 }, (error) => (error ? reject(error) : resolve())),
        )
      },
      async addFile(name, from) {
        const file = await open(from, 'r').catch(nullIfMissing)
        if (file === null) return false
        try {
          const { size } = await file.stat()
          await add(name, size, exactly(file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }), size))
        } finally {
          await file.close()
        }
        return true
      },
      addText: (name, text) => add(name, Buffer.byteLength(text), [Buffer.from(text)]),
    } satisfies BackupWriter,
  }
}

/**
 * Yields exactly `size` bytes. If the file became shorter, zeros are added; the write-ahead log corrects them at a
 * restore.
 */
async function* exactly(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size
  if (left === 0) return
  for await (const chunk of bytes) {
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk
    left -= part.length
    yield part
    if (left === 0) return
  }
  for (; left > 0; left -= Math.min(left, 65_536)) yield Buffer.alloc(Math.min(left, 65_536))
}

/**
 * Unpacks a backup into an empty folder, and checks each chunk, each part and the list of parts.
 * @throws SealBrokenError when the file is not as it was written; the folder may then hold a part of the backup
 */
export async function unpackBackupFile(
  path: string,
  { secret, into, durable }: { readonly secret: Uint8Array; readonly into: string; readonly durable: boolean },
): Promise<BackupManifest> {
  const extract = tar.extract()
  const found = new Map<string, { readonly bytes: number; readonly sha256: string }>()
  let manifest: string | null = null
  const unpacking = (async () => {
    for await (const entry of extract) {
      const { name, type, size } = entry.header
      const target = join(into, name)
      if (normalize(name) !== name || name.startsWith('/') || name.startsWith('..'))
        throw new SealBrokenError('The backup names a file outside of its folder.')
      if (type === 'directory') {
        await mkdir(target, { recursive: true, mode: 0o700 })
        entry.resume()
      } else if (name === MANIFEST) {
        const chunks: Buffer[] = []
        for await (const chunk of entry) chunks.push(chunk as Buffer)
        manifest = Buffer.concat(chunks).toString('utf8')
      } else {
        const hash = createHash('sha256')
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await pipeline(
          Readable.from(entry),
          async function* (content: AsyncIterable<Buffer>) {
            for await (const chunk of content) {
              hash.update(chunk)
              yield chunk
            }
          },
          createWriteStream(target, { mode: 0o600, flush: durable, flags: 'wx' }),
        )
        found.set(name, { bytes: size, sha256: hash.digest('hex') })
      }
    }
  })()
  const reading = pipeline(createReadStream(path), opening(secret), createGunzip(), extract)
  try {
    await Promise.all([reading, unpacking])
  } catch (error) {
    extract.destroy()
    const [read] = await Promise.allSettled([reading, unpacking])
    // When `reading` fails, `unpacking` may fail first, with STREAM_DESTROYED. The error of `reading` then says why.
    const isEnded = (error as NodeJS.ErrnoException).code === 'STREAM_DESTROYED'
    throw isEnded && read.status === 'rejected' ? read.reason : error
  }
  return judge(manifest, found)
}

function judge(text: string | null, found: ReadonlyMap<string, { readonly bytes: number; readonly sha256: string }>) {
  if (text === null) throw new SealBrokenError('The backup has no manifest.')
  const manifest = manifestSchema.parse(JSON.parse(text))
  const wrong = manifest.parts.find(({ name, bytes, sha256 }) => {
    const part = found.get(name)
    return part?.bytes !== bytes || part.sha256 !== sha256
  })
  if (wrong !== undefined || manifest.parts.length !== found.size)
    throw new SealBrokenError(`The backup is not what its manifest says: ${wrong?.name ?? 'it has other parts'}.`)
  return manifest
}

const BACKUP_NAME = /^kim-phien-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.backup((?:\.[a-z]+)*)$/

export const backupName = (takenAtMs: number): string =>
  `kim-phien-${new Date(takenAtMs).toISOString().replaceAll(/[-:.]/g, '')}.backup`

export const backupFolderOf = ({ backupDir, dataDir }: Pick<Settings, 'backupDir' | 'dataDir'>): string =>
  backupDir ?? join(dataDir, 'backups')

/** Returns the size in bytes of what a backup contains. Files that a running server removes meanwhile count as 0. */
export const dataBytes = async (dataDir: string): Promise<number> =>
  (await bytesUnder(join(dataDir, 'pg'))) + (await bytesUnder(join(dataDir, 'uploads')))

async function bytesUnder(folder: string): Promise<number> {
  let bytes = 0
  // Sizes are read one after the other: reading those of many images at once would make other work wait for the disk.
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? await bytesUnder(path) : ((await stat(path).catch(nullIfMissing))?.size ?? 0)
  }
  return bytes
}

/** Less free space on a disk than this is a fault by itself. */
export const LEAST_FREE_BYTES = 1_000_000_000
/** Room for the write-ahead log that the server and the proof write meanwhile: `max_wal_size` of the engine. */
const LOG_BYTES = 128_000_000

/**
 * Throws if a folder on the disk of the database has no room for the unpacked data, a backup file and the log, since a
 * full disk ends the server.
 * @param copyBytes the size of the backup file; null if unknown: then the file is assumed to be as large as the data
 */
export async function requireRoom(folder: string, dataDir: string, copyBytes: number | null): Promise<void> {
  const data = await stat(dataDir).catch(nullIfMissing)
  if (data?.dev !== (await stat(folder)).dev) return
  const bytes = await dataBytes(dataDir)
  await requireFree(folder, bytes + (copyBytes ?? bytes) + LOG_BYTES)
}

/** Throws if the disk has less than `bytes` free. The folder need not exist yet. */
export async function requireFree(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(nearestFolder(folder))
  if (bavail * bsize >= bytes) return
  const text = (of: number) => `${(of / 1e9).toFixed(1)} GB`
  throw new Error(
    `The disk of ${folder} has ${text(bavail * bsize)} free, and ${text(bytes)} are needed: free some room, or take another disk`,
  )
}

const DAY_MS = 24 * 3_600_000

/** Returns the age (ms) above which the newest backup is too old. `everyMs` is null when BACKUP_EVERY is off. */
export const backupIsOldAfterMs = (everyMs: number | null): number => (everyMs === null ? DAY_MS : 2 * everyMs)

/** Lists the proved backups, newest first. A backup is proved once a test restore of it has succeeded. */
export async function listBackups(folder: string): Promise<readonly BackupFile[]> {
  return (await readNames(folder)).filter(({ end }) => end === '').toReversed()
}

interface BackupFile {
  readonly path: string
  readonly takenAtMs: number
  /** The part of the name after `.backup`, such as `.unproved`; empty for a proved backup. */
  readonly end: string
}

async function readNames(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? []
  return names.toSorted().flatMap((name) => {
    const [, year, month, day, hour, minute, second, ms, end] = BACKUP_NAME.exec(name) ?? []
    const takenAtMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
    if (end === undefined || Number.isNaN(takenAtMs)) return []
    return [{ path: join(folder, name), takenAtMs, end }]
  })
}

export async function keepNewestBackups(folder: string, count: number): Promise<void> {
  for (const { path } of (await listBackups(folder)).slice(count)) await rm(path, { force: true })
}

/** Suffix of backups made while the clock was ahead. Without it, they would count as newer than later backups. */
const AHEAD = '.ahead'
export async function setAheadAside(folder: string, nowMs: number): Promise<void> {
  for (const { path, takenAtMs } of await listBackups(folder)) if (takenAtMs > nowMs) await rename(path, path + AHEAD)
}
export const removeAhead = (folder: string): Promise<void> => removeAll(folder, ({ end }) => end === AHEAD)

/** Suffix of a backup whose proof has not ended, or has failed. */
const UNPROVED = '.unproved'
/** Suffix of the folder into which a backup is unpacked. While the folder exists, the proof runs or was interrupted. */
const PROVING = '.proving'
export const unprovedPath = (path: string): string => path + UNPROVED
export const provingPath = (path: string): string => path + PROVING

/** Returns the time of the newest backup whose proof has failed. */
export async function newestUnproved(folder: string): Promise<number | null> {
  const names = await readNames(folder)
  return names.findLast((name) => name.end === UNPROVED && !isBeingProved(name, names))?.takenAtMs ?? null
}

const isBeingProved = (copy: BackupFile, names: readonly BackupFile[]): boolean =>
  names.some(({ path }) => path === provingPath(copy.path))

export const removeUnfinished = (folder: string): Promise<void> =>
  removeAll(
    folder,
    (name, names) => name.end.endsWith('.part') || name.end.endsWith(PROVING) || isBeingProved(name, names),
  )

export const removeUnproved = (folder: string, kept: string | null): Promise<void> =>
  removeAll(folder, ({ end, path }) => end === UNPROVED && path !== kept)

async function removeAll(folder: string, isOver: (name: BackupFile, names: readonly BackupFile[]) => boolean) {
  const names = await readNames(folder)
  for (const { path } of names.filter((name) => isOver(name, names))) await rm(path, { recursive: true, force: true })
}
