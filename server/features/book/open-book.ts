import { readFileSync } from 'node:fs'
import type { StopWhy } from '#contract/book-status.ts'
import { equalBytes, toBase64, toHex, toUtf8 } from '#domain/book/bytes.ts'
import { parseCheckpoint } from '#domain/book/checkpoint.ts'
import { encodeFields } from '#domain/book/entry.ts'
import { parseVkey, verifyNote } from '#domain/book/note.ts'
import { hashesAt } from '#domain/book/tiles.ts'
import { LOCK_BEFORE_END_LIVE_MS, LOCK_BEFORE_END_MS, RATE_PERCENT } from '#domain/game/calendar.ts'
import { monotonicMs } from '#server/platform/clock.ts'
import { CommitUnknownError, type Database, type Queryable, type Row, type Tx } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { repeating } from '#server/platform/repeating.ts'
import { type BookKey, type BookSigner, sha256, verifyEd25519 } from './key.ts'
import { appendAndCommit, BATCH, readBeat, type SignedHead, takeQueued } from './sealing.ts'
import { isTileWhole, readEdge, rootOfEdge, StoredHashesError } from './stored-tiles.ts'
import { readTipFile, writeTipFile } from './tip-file.ts'

/** Why this process signs nothing. */
export type SignStop = Exclude<StopWhy, 'SILENT'>
/** Reasons that hold for every process. */
export type StoredStop = Exclude<SignStop, 'OTHER_KEY' | 'OTHER_LOG'>

export interface OpenBook {
  /** Signs promises to bets; null while nothing may be signed. */
  signer(): BookSigner | null
  /** The newest note that this process may show; null before the first one. */
  head(): SignedHead | null
  /** Why this process signs nothing; null while it signs. */
  stopWhy(): SignStop | null
  /** Ms since a newer note was seen, or since the start. */
  noteAgeMs(): number
  /** Ends all signing of this log, by every process, until the operator begins the next one. */
  stopSigning(why: StoredStop, detail: string): Promise<void>
  /** Calls back whenever this process shows a newer note. */
  onSealed(listener: (head: SignedHead) => void): void
  /** One turn: takes over what other processes sealed, then seals what waits, or a beat when one is due. */
  turn(): Promise<void>
  /** Takes a turn every 500 ms. */
  start(): void
  stop(): Promise<void>
}

export interface OpenBookDeps {
  /** Connections on which no request waits. */
  readonly db: Database
  /** Connections that may wait for a lock at the start; default `db`. */
  readonly startDb?: Database
  readonly key: BookKey
  /** LOG_ORIGIN; null for the key's own. It counts for the first log of an installation. */
  readonly origin: string | null
  /** Where the newest note is kept outside the database; null keeps it nowhere. */
  readonly dataDir: string | null
  /** The market's SQL for ticks whose second has come. */
  readonly ticksSql: string
  readonly log: Logger
  /** Default: docs/rules.md of this version. */
  readonly rulesText?: string
  /** How long after the newest beat another one is due, in ms. */
  readonly beatEveryMs?: number
  /** How often a full tile is compared with its entries, in ms; all of them, one after the other. */
  readonly lookEveryMs?: number
}

const TURN_EVERY_MS = 500
/** A beat at least every 10 s (docs/open-book.md §2), with a second for the sealing itself. */
const BEAT_EVERY_MS = 9_000
const SEEDS_EVERY_MS = 60_000
const LOOK_EVERY_MS = 2_000
/** A failing turn is said this often. */
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

/** The rules' text, as a `rules` entry names it. */
export const readRulesText = (): string => readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')

/**
 * Opens the public log: begins it at an installation's first start, and enters rules and seeds that it does not have
 * yet. It seals from `start()` on.
 */
export async function openBook(deps: OpenBookDeps): Promise<OpenBook> {
  const { db, key, dataDir, ticksSql, log, beatEveryMs = BEAT_EVERY_MS, lookEveryMs = LOOK_EVERY_MS } = deps
  await beginLog(deps)

  let tip = await readTip(db)
  let head: SignedHead | null = null
  let localStop: SignStop | null = null
  let seenAtMs = monotonicMs()
  let seedsAtMs = Number.NEGATIVE_INFINITY
  let saidAtMs = Number.NEGATIVE_INFINITY
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let looked = { level: 0, n: -1 }
  const listeners: Array<(head: SignedHead) => void> = []
  const signers = new Map<string, BookSigner>()

  const ownSigner = (): BookSigner => {
    let signer = signers.get(tip.origin)
    if (signer === undefined) signers.set(tip.origin, (signer = key.signerOf(tip.origin)))
    return signer
  }
  const stopWhy = (): SignStop | null =>
    tip.stopped ?? localStop ?? (ownSigner().vkey === tip.vkey ? null : 'OTHER_KEY')
  const saidStops = new Set<string>()
  const sayStop = (detail?: string): void => {
    const why = stopWhy()
    if (why === null || saidStops.has(`${tip.generation} ${why}`)) return
    saidStops.add(`${tip.generation} ${why}`)
    log.error({ why, origin: tip.origin, detail }, SAID[why])
  }

  const stopSigning = async (why: StoredStop, detail: string): Promise<void> => {
    tip = { ...tip, stopped: tip.stopped ?? why }
    sayStop(detail)
    await storeStop()
  }
  const storeStop = () =>
    db.query('update book_tips set stopped = $2 where generation = $1 and stopped is null', [
      tip.generation,
      tip.stopped,
    ])

  /** Shows a note from now on, once it is on this machine's disk. */
  const show = async (next: SignedHead): Promise<void> => {
    if (dataDir !== null) await writeTipFile(dataDir, next.note)
    head = next
    seenAtMs = monotonicMs()
    for (const listener of listeners) listener(next)
  }

  /** Whether a log's first entries, as they are stored, lead to this root. */
  const isStored = async (size: number, root: Uint8Array): Promise<boolean> => {
    try {
      return equalBytes(rootOfEdge(await readEdge(db, tip.generation, size, false)), root)
    } catch (error) {
      if (error instanceof StoredHashesError) return false
      throw error
    }
  }

  /** Compares the note that this machine stored last with the database. */
  const compareTipFile = async (): Promise<void> => {
    const known = dataDir === null ? null : readTipFile(dataDir)
    if (known === null) return
    const origin = known.split('\n', 1)[0] ?? ''
    const { rows } = await db.query<{ generation: number }>('select generation from book_logs where origin = $1', [
      origin,
    ])
    if (rows[0] === undefined) {
      const { rows: firsts } = await db.query<{ origin: string }>('select origin from book_logs where generation = 1')
      // A later log of this installation that the database does not have: it was restored to before a restart.
      if (origin.startsWith(`${firsts[0]?.origin ?? ''}/`)) return stopSigning('AHEAD', `log-tip is of ${origin}`)
      localStop = 'OTHER_LOG'
      return sayStop(`log-tip is of ${origin}`)
    }
    // The log before a restart: its last note stands in the first entry of the next.
    if (rows[0].generation < tip.generation) return
    const read = readHead(known, tip)
    if (read === null) return stopSigning('DIFFERS', 'log-tip is no note by the key of this log')
    if (read.size > Number(tip.size))
      return stopSigning('AHEAD', `log-tip has ${read.size} entries, the database ${tip.size}`)
    if (!(await isStored(read.size, read.root)))
      return stopSigning('DIFFERS', `the stored hashes do not lead to the note of ${read.size} entries in log-tip`)
    head = { ...read, beatAtMs: Number(tip.beat_at_ms) }
  }

  /** Takes over the database's newest note, after the checks that it extends the one that was shown last. */
  const follow = async (): Promise<void> => {
    const next = await readTip(db)
    if (next.generation !== tip.generation) {
      head = null
      localStop = null
      log.warn({ origin: next.origin }, 'The open book goes on in its next log')
    }
    const shown = head
    const stopped = next.generation === tip.generation ? tip.stopped : null
    tip = { ...next, stopped: next.stopped ?? stopped }
    if (next.stopped === null && stopped !== null) await storeStop()
    sayStop()
    if (tip.note === null || tip.note === shown?.note) {
      if (shown !== null && tip.note === null && stopWhy() === null)
        await stopSigning('AHEAD', `this process knows ${shown.size} entries, the database none`)
      return
    }
    if (tip.stopped !== null) return
    const read = readHead(tip.note, tip)
    if (read === null || read.size !== Number(tip.size))
      return stopSigning('DAMAGED', 'the newest note is not signed by the key of this log')
    if (shown !== null && read.size < shown.size)
      return stopSigning('AHEAD', `this process knows ${shown.size} entries, the database ${read.size}`)
    if (shown !== null && !(await isStored(shown.size, shown.root)))
      return stopSigning('DIFFERS', `the stored hashes do not lead to the note of ${shown.size} entries`)
    if (!(await isStored(read.size, read.root)))
      return stopSigning('DAMAGED', `the stored hashes do not lead to the note of ${read.size} entries`)
    await show({ ...read, beatAtMs: Number(tip.beat_at_ms) })
  }

  /** Seals one batch. True when more waits. */
  const seal = async (): Promise<boolean> => {
    const shown = head
    const signer = ownSigner()
    const { generation } = tip
    try {
      const sealed = await db.tx(async (tx) => {
        // Whoever holds the tip seals; the others take over what it sealed in their next turn.
        const locked = await lockTip(tx, generation)
        if (locked === null || locked.stopped !== null || locked.note !== (shown?.note ?? null)) return null
        const [entries, edge, beat, newest] = await Promise.all([
          takeQueued(tx, BATCH),
          readEdge(tx, generation, Number(locked.size), true),
          readBeat(tx, ticksSql, Number(locked.beat_at_ms), locked.ticks_told),
          tx.query<{ newest: number }>('select max(generation) as newest from book_logs'),
        ])
        if (newest.rows[0]?.newest !== generation) throw new SupersededError()
        if (!equalBytes(rootOfEdge(edge), shown?.root ?? rootOfEdge({ size: 0, levels: [] })))
          throw new StoredHashesError(`they do not lead to the note of ${edge.size} entries`)
        const next = await appendAndCommit(tx, generation, signer, edge, entries, beat)
        return { next, isFull: entries.length >= BATCH }
      })
      if (sealed === null) return false
      await show(sealed.next)
      return sealed.isFull
    } catch (error) {
      if (error instanceof StoredHashesError) {
        await stopSigning('DAMAGED', `stored hashes: ${error.message}`)
        return false
      }
      // An unknown COMMIT is looked up by the next turn, which reads the tip as another process's.
      if (error instanceof CommitUnknownError || error instanceof SupersededError) return false
      throw error
    }
  }

  /** Compares the next full tile with what is stored below and above it, from the log's first to its last. */
  const lookAtTile = async (size: number): Promise<void> => {
    lookedAtMs = monotonicMs()
    const next = [
      { level: looked.level, n: looked.n + 1 },
      { level: looked.level + 1, n: 0 },
      { level: 0, n: 0 },
    ].find(({ level, n }) => n < hashesAt(level + 1, size))
    if (next === undefined) return
    looked = next
    const { level, n } = looked
    if (!(await isTileWhole(db, tip.generation, level, n)))
      await stopSigning('DAMAGED', `tile ${n} of level ${level} is not what was signed`)
  }

  const turn = async (): Promise<void> => {
    await follow()
    if (stopWhy() === null && head !== null && monotonicMs() - lookedAtMs >= lookEveryMs) await lookAtTile(head.size)
    if (stopWhy() !== null) return
    if (monotonicMs() - seedsAtMs > SEEDS_EVERY_MS) {
      seedsAtMs = monotonicMs()
      await db.tx((tx) => queueOpenedSeeds(tx, tip.generation))
    }
    if (!tip.waits && monotonicMs() - seenAtMs < beatEveryMs) return
    while ((await seal()) && stopWhy() === null);
  }

  await compareTipFile()
  sayStop()
  let stopTurns: () => Promise<void> = async () => {}

  return {
    signer: () => (stopWhy() === null ? ownSigner() : null),
    head: () => head,
    stopWhy,
    noteAgeMs: () => monotonicMs() - seenAtMs,
    stopSigning,
    onSealed: (listener) => void listeners.push(listener),
    turn,
    start() {
      stopTurns = repeating(TURN_EVERY_MS, turn, (error) => {
        if (monotonicMs() - saidAtMs < SAY_EVERY_MS) return
        saidAtMs = monotonicMs()
        log.error({ err: error }, 'The open book could not be sealed; it is tried again')
      })
    },
    stop: () => stopTurns(),
  }
}

/** The next log began while this one was about to be sealed. */
class SupersededError extends Error {
  override readonly name = 'SupersededError'
}

async function readTip(q: Queryable): Promise<TipRow> {
  const { rows } = await q.query<TipRow>(NEWEST_TIP, [], { name: 'book_newest_tip' })
  if (rows[0] === undefined) throw new Error('The open book has lost its tip')
  return rows[0]
}

/** The tip of a log, locked; null while another process holds it. */
async function lockTip(tx: Tx, generation: number): Promise<TipRow | null> {
  const { rows } = await tx.query<TipRow>(
    'select size, note, beat_at_ms, ticks_told, stopped from book_tips where generation = $1 for update skip locked',
    [generation],
    { name: 'book_lock_tip' },
  )
  return rows[0] ?? null
}

/** A note of a log, verified by its key; null when it is none. */
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

/** Begins the first log where there is none, and enters rules and seeds that the newest log does not have. */
async function beginLog({ db, startDb = db, key, origin, rulesText = readRulesText() }: OpenBookDeps): Promise<void> {
  const signer = key.signerOf(origin ?? key.defaultOrigin)
  await startDb.tx(async (tx) => {
    await tx.query(
      `with begun as (
         insert into book_logs (generation, origin, vkey)
         select 1, $1, $2 where not exists (select from book_logs) on conflict do nothing returning generation)
       insert into book_tips (generation) select generation from begun`,
      [signer.origin, signer.vkey],
    )
    // A process that starts at the same moment waits here, and then sees what this one has entered.
    const { rows } = await tx.query<{ generation: number }>(
      'select generation from book_tips order by generation desc limit 1 for update',
    )
    const generation = rows[0]?.generation
    if (generation === undefined) throw new Error('The open book has lost its tip')
    await queueRules(tx, generation, rulesText)
    await queueMissingSeeds(tx, generation)
  })
}

/** The fields of the `rules` entry for a text, and the text itself kept for whoever asks for it. */
export async function rulesFieldsOf(tx: Tx, rulesText: string): Promise<string> {
  const hash = sha256(toUtf8(rulesText))
  await tx.query('insert into book_texts (hash, text) values ($1, $2) on conflict do nothing', [hash, rulesText])
  return encodeFields('rules', {
    product: 'kim-phien',
    rates: RATE_PERCENT,
    lockMs: { simulated: LOCK_BEFORE_END_MS, live: LOCK_BEFORE_END_LIVE_MS },
    text: toHex(hash),
  })
}

/** Enters the rules where they are not the newest that the log has. The tip is locked. */
async function queueRules(tx: Tx, generation: number, rulesText: string): Promise<void> {
  const fields = await rulesFieldsOf(tx, rulesText)
  await tx.query(
    `insert into book_queue (kind, fields)
     select 'rules', $2::text
      where $2::text is distinct from coalesce(
        (select fields from book_queue where kind = 'rules' order by seq desc limit 1),
        (select substring(line from '^\\{"k":"rules","v":1,"at":[0-9]+(.*)$') from book_notable
          where kind = 'rules' and generation = $1 order by index desc limit 1))`,
    [generation, fields],
  )
}

/** Days whose seed the log has or is about to have. */
const DAYS_ENTERED = `
  select (line::jsonb ->> 'day')::integer as day from book_notable where kind = 'seed' and generation = $1
  union all select (('{' || substring(fields from 2))::jsonb ->> 'day')::integer from book_queue where kind = 'seed'`

/** A secret seed of a day that is not over, and its commitment. */
export interface CommittedSeed {
  readonly day: number
  readonly commitment: Uint8Array
}

/**
 * Seeds of days that are not over and that the log does not have: those of an installation that is older than its log,
 * and of a process that was. The tip is locked; the lock on the seeds waits for whoever is adding some.
 */
export async function readMissingSeeds(tx: Tx, generation: number): Promise<CommittedSeed[]> {
  await tx.query('lock table simulated_seeds in share mode')
  const { rows } = await tx.query<{ day: number; commitment: Uint8Array }>(
    `select s.day - date '1970-01-01' as day, s.commitment from simulated_seeds s
      where not s.is_public_history and s.day >= (clock_timestamp() at time zone 'UTC')::date
        and s.day - date '1970-01-01' not in (select entered.day from (${DAYS_ENTERED}) entered)
      order by s.day`,
    [generation],
  )
  return rows
}

export const seedFields = ({ day, commitment }: CommittedSeed): string =>
  encodeFields('seed', { day, commitment: toBase64(commitment) })

async function queueMissingSeeds(tx: Tx, generation: number): Promise<void> {
  const seeds = await readMissingSeeds(tx, generation)
  if (seeds.length > 0)
    await tx.query(`insert into book_queue (kind, fields) select 'seed', * from unnest($1::text[])`, [
      seeds.map(seedFields),
    ])
}

/**
 * Enters the seeds of days that ended 10 minutes ago, once each, of those that the log has committed to. Without the
 * tip, which another process holds, it leaves them to a later turn.
 */
async function queueOpenedSeeds(tx: Tx, generation: number): Promise<void> {
  if ((await lockTip(tx, generation)) === null) return
  const { rows } = await tx.query<{ day: number; seed: Uint8Array; start_price: number }>(
    `select s.day - date '1970-01-01' as day, s.seed, s.start_price
       from (select (line::jsonb ->> 'day')::integer as day from book_notable
              where kind = 'seed' and generation = $1
             except
             select (line::jsonb ->> 'day')::integer from book_notable where kind = 'seed-open' and generation = $1
             except
             select (('{' || substring(fields from 2))::jsonb ->> 'day')::integer from book_queue
              where kind = 'seed-open') due
       join simulated_seeds s on s.day = date '1970-01-01' + due.day
      where clock_timestamp() >= ((s.day + 1)::timestamp at time zone 'UTC') + interval '10 minutes'
      order by s.day`,
    [generation],
  )
  if (rows.length === 0) return
  await tx.query(`insert into book_queue (kind, fields) select 'seed-open', * from unnest($1::text[])`, [
    rows.map(({ day, seed, start_price }) =>
      encodeFields('seed-open', { day, seed: toBase64(seed), startPrice: start_price }),
    ),
  ])
}
