import type { StopWhy } from '#contract/book-status.ts'
import { equalBytes } from '#domain/book/bytes.ts'
import { parseCheckpoint } from '#domain/book/checkpoint.ts'
import { parseVkey, verifyNote } from '#domain/book/note.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { hashesAt } from '#domain/book/tiles.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { CommitUnknownError, type Database, type Queryable, type Row, type Tx } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { repeating, type Stop } from '#server/platform/process/jobs.ts'
import { beginLog, queueOpenedSeeds } from './begin-log.ts'
import { type BookKey, type BookSigner, sha256, verifyEd25519 } from './key.ts'
import { appendAndCommit, BATCH, readBeat, type SignedHead, takeQueued } from './sealing.ts'
import { readSealed, SealedEntryError } from './stored-entries.ts'
import { isTileWhole, readEdge, rootOfEdge, StoredHashesError } from './stored-tiles.ts'
import { readTipFile, writeTipFile } from './tip-file.ts'

export type SignStop = Exclude<StopWhy, 'SILENT'>
export type StoredStop = Exclude<SignStop, 'OTHER_KEY' | 'OTHER_LOG'>

export interface OpenBook {
  /** Returns the signer of the newest log; null while this process may sign nothing (`stopWhy`). */
  signer(): BookSigner | null
  /** Returns the newest note of the newest log that this process has signed or verified; null if there is none. */
  head(): SignedHead | null
  stopWhy(): SignStop | null
  /** Returns the ms since this process last published a new note; since `openBook` if it has published none. */
  noteAgeMs(): number
  /** Ends the signing of the newest log by all processes, until the operator begins the next log. */
  stopSigning(why: StoredStop, detail: string): Promise<void>
  onSealed(listener: (head: SignedHead) => void): void
  /**
   * Verifies and publishes the newest note. Then, unless signing is stopped, seals the queued entries. If no entry is
   * queued and a `beat` is due, seals the beat alone. At longer intervals, verifies one stored tile and queues the
   * `seed-open` entries that are due.
   */
  turn(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export interface OpenBookDeps {
  readonly db: Database
  readonly startDb?: Database
  readonly key: BookKey
  /** The setting LOG_ORIGIN, the name of an installation's first log; null means `key.defaultOrigin`. */
  readonly origin: string | null
  /** Folder of the file `log-tip`, which keeps the newest note outside the database; null if no such file is kept. */
  readonly dataDir: string | null
  readonly ticksSql: string
  readonly log: Logger
  readonly rulesText?: string
  /** A `beat` entry is due after this many ms without a new note. */
  readonly beatEveryMs?: number
  /** The interval, in ms, at which one full stored tile is verified (`isTileWhole`). */
  readonly lookEveryMs?: number
}

const TURN_EVERY_MS = 500
/** At most 10 s may pass between two beats (docs/open-book.md §2). One second is left for the sealing. */
const BEAT_EVERY_MS = 9_000
const SEEDS_EVERY_MS = 60_000
const LOOK_EVERY_MS = 2_000
const SAY_EVERY_MS = 60_000

interface TipRow extends Row {
  generation: number
  origin: string
  vkey: string
  size: bigint
  note: string | null
  beat_at_ms: bigint
  ticks_told: Record<string, number>
  stopped: StoredStop | null
  waits: boolean
}

const NEWEST_TIP = `
  select l.generation, l.origin, l.vkey, t.size, t.note, t.beat_at_ms, t.ticks_told, t.stopped,
         exists (select from book_queue) as waits
    from book_tips t join book_logs l using (generation) order by l.generation desc limit 1`

const NEXT_STEP = 'find out which history is the right one, then run: npm run log:restart -- --why RESTORED'
const SAID: Readonly<Record<SignStop, string>> = {
  OTHER_KEY:
    'The open book is signed with another key than this process has: it signs nothing. Set LOG_KEY (or AUDIT_KEY, or restore log.key); if the key is lost, run: npm run log:restart -- --why KEY_LOST',
  OTHER_LOG:
    'log-tip in DATA_DIR belongs to the log of another database: nothing is signed. Move the file away if this DATA_DIR served another installation',
  AHEAD: `The database has fewer entries of the open book than were signed, as after a restored backup: nothing is signed any more; ${NEXT_STEP}`,
  DIFFERS: `A note that was signed does not fit the open book in the database: nothing is signed any more; ${NEXT_STEP}`,
  DAMAGED: `The open book in the database is not what was signed: nothing is signed any more; ${NEXT_STEP}`,
  WITNESS: `A witness of the open book has seen a log that is ahead of the database's: nothing is signed any more; ${NEXT_STEP}`,
}

async function beginOpening(deps: OpenBookDeps) {
  const { db, key, dataDir, ticksSql, log, beatEveryMs = BEAT_EVERY_MS, lookEveryMs = LOOK_EVERY_MS } = deps
  return {
    ...{ db, key, dataDir, ticksSql, log, beatEveryMs, lookEveryMs },
    tip: await readTip(db),
    head: null as SignedHead | null,
    localStop: null as SignStop | null,
    seenAtMs: monotonicMs(),
    seedsAtMs: Number.NEGATIVE_INFINITY,
    lookedAtMs: Number.NEGATIVE_INFINITY,
    looked: { level: 0, n: -1 },
    listeners: [] as Array<(head: SignedHead) => void>,
    signers: new Map<string, BookSigner>(),
    saidStops: new Set<string>(),
  }
}

type OpenLog = Awaited<ReturnType<typeof beginOpening>>

/** Opens the newest log, and begins the first if there is none. Compares the log with the file `log-tip`, if any. */
export async function openBook(deps: OpenBookDeps): Promise<OpenBook> {
  const { db, startDb = db, key, origin, log, rulesText } = deps
  await beginLog(startDb, key.signerOf(origin ?? key.defaultOrigin), rulesText)
  const book = await beginOpening(deps)
  await compareTipFile(book)
  // Reads the newest note now, so that `head()` has it before the first turn even if there is no file log-tip.
  await follow(book)
  let saidAtMs = Number.NEGATIVE_INFINITY
  let stopTurns: Stop = async () => {}
  return {
    signer: () => (stopWhy(book) === null ? ownSigner(book) : null),
    head: () => book.head,
    stopWhy: () => stopWhy(book),
    noteAgeMs: () => monotonicMs() - book.seenAtMs,
    stopSigning: (why, detail) => stopSigning(book, why, detail),
    onSealed: (listener) => void book.listeners.push(listener),
    turn: () => turn(book),
    start() {
      stopTurns = repeating(
        TURN_EVERY_MS,
        () => turn(book),
        (error) => {
          if (monotonicMs() - saidAtMs < SAY_EVERY_MS) return
          saidAtMs = monotonicMs()
          log.error({ err: error }, 'The open book could not be sealed; it is tried again')
        },
      )
    },
    stop: () => stopTurns(),
  }
}

function ownSigner(book: OpenLog): BookSigner {
  let signer = book.signers.get(book.tip.origin)
  if (signer === undefined) book.signers.set(book.tip.origin, (signer = book.key.signerOf(book.tip.origin)))
  return signer
}

const stopWhy = (book: OpenLog): SignStop | null =>
  book.tip.stopped ?? book.localStop ?? (ownSigner(book).vkey === book.tip.vkey ? null : 'OTHER_KEY')

function sayStop(book: OpenLog, detail?: string): void {
  const why = stopWhy(book)
  if (why === null || book.saidStops.has(`${book.tip.generation} ${why}`)) return
  book.saidStops.add(`${book.tip.generation} ${why}`)
  book.log.error({ why, origin: book.tip.origin, detail }, SAID[why])
}

async function stopSigning(book: OpenLog, why: StoredStop, detail: string): Promise<void> {
  book.tip = { ...book.tip, stopped: book.tip.stopped ?? why }
  sayStop(book, detail)
  await storeStop(book)
}

const storeStop = (book: OpenLog): Promise<unknown> =>
  book.db.query('update book_tips set stopped = $2 where generation = $1 and stopped is null', [
    book.tip.generation,
    book.tip.stopped,
  ])

/** Writes a note to the file `log-tip`, if there is a `dataDir`, and then gives it to `head()` and the listeners. */
async function show(book: OpenLog, next: SignedHead): Promise<void> {
  if (book.dataDir !== null) await writeTipFile(book.dataDir, next.note)
  book.head = next
  book.seenAtMs = monotonicMs()
  for (const listener of book.listeners) listener(next)
}

async function isStored(book: OpenLog, size: number, root: Uint8Array): Promise<boolean> {
  try {
    return equalBytes(rootOfEdge(await readEdge(book.db, book.tip.generation, size, false)), root)
  } catch (error) {
    if (error instanceof StoredHashesError) return false
    throw error
  }
}

async function compareTipFile(book: OpenLog): Promise<void> {
  const known = book.dataDir === null ? null : readTipFile(book.dataDir)
  if (known === null) return
  const origin = known.split('\n', 1)[0] ?? ''
  const { rows } = await book.db.query<{ generation: number }>('select generation from book_logs where origin = $1', [
    origin,
  ])
  if (rows[0] === undefined) {
    const { rows: firsts } = await book.db.query<{ origin: string }>(
      'select origin from book_logs where generation = 1',
    )
    // A note of a later log than the database has: the database was restored from a backup older than that log.
    if (origin.startsWith(`${firsts[0]?.origin ?? ''}/`)) return stopSigning(book, 'AHEAD', `log-tip is of ${origin}`)
    book.localStop = 'OTHER_LOG'
    return sayStop(book, `log-tip is of ${origin}`)
  }
  // A note of an earlier log, which has ended, is not compared.
  if (rows[0].generation < book.tip.generation) return
  const read = readHead(known, book.tip)
  if (read === null) return stopSigning(book, 'DIFFERS', 'log-tip is no note by the key of this log')
  if (read.size > Number(book.tip.size))
    return stopSigning(book, 'AHEAD', `log-tip has ${read.size} entries, the database ${book.tip.size}`)
  if (!(await isStored(book, read.size, read.root)))
    return stopSigning(book, 'DIFFERS', `the stored hashes do not lead to the note of ${read.size} entries in log-tip`)
  const beatAtMs = await readBeatTime(book, read.size)
  if (beatAtMs === null) return stopSigning(book, 'DAMAGED', `entry ${read.size - 1} is not a beat`)
  book.head = { ...read, beatAtMs }
}

/** Returns the time of the beat that ends the log's first `size` entries; null if the stored entry is not a beat. */
async function readBeatTime({ db, tip }: OpenLog, size: number): Promise<number | null> {
  const [last] = await readSealed(db, tip.generation, [size - 1]).catch((error: unknown) => {
    if (error instanceof SealedEntryError) return []
    throw error
  })
  const parsed = parseEntry(last?.entry ?? '')
  return parsed.is === 'entry' && parsed.entry.k === 'beat' ? parsed.entry.at : null
}

/** Publishes a new note of the log. Ends the signing if the note is invalid or does not extend the last one. */
async function follow(book: OpenLog): Promise<void> {
  const next = await readTip(book.db)
  if (next.generation !== book.tip.generation) {
    book.head = null
    book.localStop = null
    book.log.warn({ origin: next.origin }, 'The open book goes on in its next log')
  }
  const shown = book.head
  const stopped = next.generation === book.tip.generation ? book.tip.stopped : null
  book.tip = { ...next, stopped: next.stopped ?? stopped }
  if (next.stopped === null && stopped !== null) await storeStop(book)
  sayStop(book)
  if (book.tip.note === null || book.tip.note === shown?.note) {
    if (shown !== null && book.tip.note === null && stopWhy(book) === null)
      await stopSigning(book, 'AHEAD', `this process knows ${shown.size} entries, the database none`)
    return
  }
  if (book.tip.stopped !== null) return
  const read = readHead(book.tip.note, book.tip)
  if (read === null || read.size !== Number(book.tip.size))
    return stopSigning(book, 'DAMAGED', 'the newest note is not signed by the key of this log')
  if (shown !== null && read.size < shown.size)
    return stopSigning(book, 'AHEAD', `this process knows ${shown.size} entries, the database ${read.size}`)
  if (shown !== null && !(await isStored(book, shown.size, shown.root)))
    return stopSigning(book, 'DIFFERS', `the stored hashes do not lead to the note of ${shown.size} entries`)
  if (!(await isStored(book, read.size, read.root)))
    return stopSigning(book, 'DAMAGED', `the stored hashes do not lead to the note of ${read.size} entries`)
  await show(book, { ...read, beatAtMs: Number(book.tip.beat_at_ms) })
}

/** Seals one batch: queued entries, if any, and a beat. Returns true if more entries may be waiting. */
async function seal(book: OpenLog): Promise<boolean> {
  const shown = book.head
  const signer = ownSigner(book)
  const { generation } = book.tip
  try {
    const sealed = await book.db.tx(async (tx) => {
      // Only the process that locks the tip seals. The others read the new note in their next turn.
      const locked = await lockTip(tx, generation)
      if (locked === null || locked.stopped !== null || locked.note !== (shown?.note ?? null)) return null
      const [entries, edge, beat, newest] = await Promise.all([
        takeQueued(tx, BATCH),
        readEdge(tx, generation, Number(locked.size), true),
        readBeat(tx, book.ticksSql, Number(locked.beat_at_ms), locked.ticks_told),
        tx.query<{ newest: number }>('select max(generation) as newest from book_logs'),
      ])
      if (newest.rows[0]?.newest !== generation) throw new SupersededError()
      if (!equalBytes(rootOfEdge(edge), shown?.root ?? rootOfEdge({ size: 0, levels: [] })))
        throw new StoredHashesError(`they do not lead to the note of ${edge.size} entries`)
      const next = await appendAndCommit(tx, generation, signer, edge, entries, beat)
      return { next, isFull: entries.length >= BATCH }
    })
    if (sealed === null) return false
    await show(book, sealed.next)
    return sealed.isFull
  } catch (error) {
    if (error instanceof StoredHashesError) {
      await stopSigning(book, 'DAMAGED', `stored hashes: ${error.message}`)
      return false
    }
    // The next turn reads the tip, which shows whether the COMMIT succeeded, or which log is the newest now.
    if (error instanceof CommitUnknownError || error instanceof SupersededError) return false
    throw error
  }
}

async function lookAtTile(book: OpenLog, size: number): Promise<void> {
  book.lookedAtMs = monotonicMs()
  const next = [
    { level: book.looked.level, n: book.looked.n + 1 },
    { level: book.looked.level + 1, n: 0 },
    { level: 0, n: 0 },
  ].find(({ level, n }) => n < hashesAt(level + 1, size))
  if (next === undefined) return
  book.looked = next
  const { level, n } = book.looked
  if (!(await isTileWhole(book.db, book.tip.generation, level, n)))
    await stopSigning(book, 'DAMAGED', `tile ${n} of level ${level} is not what was signed`)
}

async function turn(book: OpenLog): Promise<void> {
  await follow(book)
  if (stopWhy(book) === null && book.head !== null && monotonicMs() - book.lookedAtMs >= book.lookEveryMs)
    await lookAtTile(book, book.head.size)
  if (stopWhy(book) !== null) return
  if (monotonicMs() - book.seedsAtMs > SEEDS_EVERY_MS) {
    book.seedsAtMs = monotonicMs()
    await queueSeeds(book.db, book.tip.generation)
  }
  if (!book.tip.waits && monotonicMs() - book.seenAtMs < book.beatEveryMs) return
  while ((await seal(book)) && stopWhy(book) === null);
}

/** Queues the `seed-open` entries that are due, unless another process has locked the tip. */
const queueSeeds = (db: Database, generation: number): Promise<unknown> =>
  db.tx(async (tx) => ((await lockTip(tx, generation)) === null ? undefined : queueOpenedSeeds(tx, generation)))

class SupersededError extends Error {
  override readonly name = 'SupersededError'
}

async function readTip(q: Queryable): Promise<TipRow> {
  const { rows } = await q.query<TipRow>(NEWEST_TIP, [], { name: 'book_newest_tip' })
  if (rows[0] === undefined) throw new Error('The open book has lost its tip')
  return rows[0]
}

/** Locks the log's tip; returns null if another process has locked it. */
async function lockTip(tx: Tx, generation: number): Promise<TipRow | null> {
  const { rows } = await tx.query<TipRow>(
    'select size, note, beat_at_ms, ticks_told, stopped from book_tips where generation = $1 for update skip locked',
    [generation],
    { name: 'book_lock_tip' },
  )
  return rows[0] ?? null
}

/** Verifies a note. Null if it is no checkpoint of this log, is not signed by the log's key, or has extension lines. */
export function readHead(
  note: string,
  { generation, origin, vkey }: Pick<TipRow, 'generation' | 'origin' | 'vkey'>,
): Omit<SignedHead, 'beatAtMs'> | null {
  const verifier = parseVkey(sha256, vkey)
  const verified = verifier === null ? 'malformed' : verifyNote(note, [verifier], verifyEd25519)
  const checkpoint = typeof verified === 'string' ? null : parseCheckpoint(verified.text)
  if (checkpoint === null || checkpoint.origin !== origin || checkpoint.extensions.length > 0) return null
  return { generation, size: checkpoint.size, root: checkpoint.root, note }
}
