import { toBase64 } from '#domain/book/bytes.ts'
import { parseCheckpoint } from '#domain/book/checkpoint.ts'
import { encodeEntry, encodeFields, type EntryFields, type EntryKind, type RestartWhy } from '#domain/book/entry.ts'
import { parseNote } from '#domain/book/note.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import type { BookKey } from './key.ts'
import { readRulesText, rulesFieldsOf, seedFields } from './begin-log.ts'
import { appendAndCommit, type NewEntry, newEntry, type SignedHead, takeQueued } from './sealing.ts'
import { readSealed } from './stored-entries.ts'
import { EMPTY_EDGE } from './stored-tiles.ts'
import { readTipFile, writeTipFile } from './tip-file.ts'

export const RESTART_WHYS = ['RESTORED', 'KEY_LOST', 'KEY_EXPOSED'] as const satisfies readonly RestartWhy[]

export interface RestartDeps {
  readonly db: Database
  readonly key: BookKey
  readonly dataDir: string | null
  readonly rulesText?: string
  readonly reopenRounds: (tx: Tx, roundIds: readonly string[]) => Promise<void>
}

export type RestartReport =
  | {
      readonly is: 'restarted'
      readonly origin: string
      readonly vkey: string
      readonly size: number
      readonly previousSize: number
      readonly rounds: number
    }
  /** `NOT_BEGUN`: no signed note is known. `SAME_KEY`: `key` is the log's key, which `why` calls lost or exposed. */
  | { readonly is: 'refused'; readonly why: 'NOT_BEGUN' | 'SAME_KEY' }

type KnownNote = Pick<SignedHead, 'generation' | 'size' | 'note'>

/**
 * Ends the newest log and begins the next one, in one transaction. The next log begins with the last known note, the
 * rules and the seeds (`readSeeds`). Then follow the entries of rounds without a sealed `closed` entry, and the acts
 * and feed changes that are still queued.
 */
export async function restartLog(deps: RestartDeps, why: RestartWhy): Promise<RestartReport> {
  const { db, key, dataDir, rulesText = readRulesText(), reopenRounds } = deps
  const outcome = await db.tx(async (tx) => {
    const { rows } = await tx.query<{
      generation: number
      vkey: string
      origin: string
      size: bigint
      note: string | null
    }>(
      `select t.generation, l.vkey, l.origin, t.size, t.note from book_tips t join book_logs l using (generation)
        order by t.generation desc limit 1 for update of t`,
    )
    const { rows: firsts } = await tx.query<{ origin: string }>('select origin from book_logs where generation = 1')
    const [old, first] = [rows[0], firsts[0]?.origin]
    if (old === undefined || first === undefined) throw new Error('The open book has lost its tip')
    if (why !== 'RESTORED' && key.signerOf(old.origin).vkey === old.vkey)
      return { is: 'refused', why: 'SAME_KEY' } as const

    const previous = newestNote(
      old.note === null ? null : { generation: old.generation, size: Number(old.size), note: old.note },
      dataDir === null ? null : readTipFile(dataDir),
      first,
    )
    if (previous === null) return { is: 'refused', why: 'NOT_BEGUN' } as const
    // After a restore, the database may lack the log that log-tip names. The number of that log must not be used again.
    const generation = Math.max(old.generation, previous.generation) + 1
    const signer = key.signerOf(`${first}/${generation}`)
    await tx.query(`insert into book_logs (generation, origin, vkey, why) values ($1, $2, $3, $4)`, [
      generation,
      signer.origin,
      signer.vkey,
      why,
    ])
    await tx.query('insert into book_tips (generation) values ($1)', [generation])

    // The table is locked before the queue is read. Without the lock, a seed that is added between that read and
    // `readSeeds` would be entered twice.
    await tx.query('lock table simulated_seeds in share mode')
    const again = await collectUnfinished(tx, old.generation)
    await reopenRounds(tx, again.toReopen)
    const atMs = await readNowMs(tx)
    const seeds = await readSeeds(tx, old.generation, again.rounds)
    const now = (kind: EntryKind, fields: string): NewEntry => newEntry(kind, atMs, fields)
    const entries = [
      now('restart', encodeFields('restart', { previous: toBase64(Buffer.from(previous.note)), why })),
      now('rules', await rulesFieldsOf(tx, rulesText)),
      ...seeds.map((seed) => now('seed', seedFields(seed))),
      ...again.entries,
    ]
    const after = { origin: signer.origin, why }
    await recordAct(tx, 'system', 'log.restart', 'book', { after })
    const head = await appendAndCommit(tx, generation, signer, EMPTY_EDGE, entries, { atMs, ticks: [], told: {} })
    return { is: 'restarted', signer, head, previous, rounds: again.rounds.length } as const
  })
  if (outcome.is === 'refused') return outcome
  const { signer, head, previous, rounds } = outcome
  if (dataDir !== null) await writeTipFile(dataDir, head.note)
  const { origin, vkey } = signer
  return { is: 'restarted', origin, vkey, size: head.size, previousSize: previous.size, rounds }
}

/**
 * Ends the signing of a restored database's newest log, if that log has a note: entries that the backup lacks may have
 * been signed, and the file log-tip, which would show this, may be lost.
 */
export async function stopAsRestored(db: Database): Promise<void> {
  await db.query(
    `update book_tips set stopped = 'AHEAD'
      where generation = (select max(generation) from book_tips) and note is not null and stopped is null`,
  )
}

/** Returns the newest note in the database, or the note in this machine's file log-tip if that note is newer. */
function newestNote(stored: KnownNote | null, tipFile: string | null, firstOrigin: string): KnownNote | null {
  const note = tipFile === null ? null : parseNote(tipFile)
  const checkpoint = note === null ? null : parseCheckpoint(note.text)
  if (tipFile === null || checkpoint === null) return stored
  const generation =
    checkpoint.origin === firstOrigin
      ? 1
      : checkpoint.origin.startsWith(`${firstOrigin}/`)
        ? Number(checkpoint.origin.slice(firstOrigin.length + 1))
        : Number.NaN
  const isAhead =
    stored === null ||
    generation > stored.generation ||
    (generation === stored.generation && checkpoint.size > stored.size)
  return Number.isSafeInteger(generation) && isAhead ? { generation, size: checkpoint.size, note: tipFile } : stored
}

const OF_ROUNDS: ReadonlySet<EntryKind> = new Set<EntryKind>(['round', 'bet', 'announce', 'result'])

interface Placed extends Record<string, unknown> {
  readonly round_id: string | null
  readonly index: bigint
  readonly kind: EntryKind
  readonly bet_id: string | null
  readonly line?: string
}

/** Reads the sealed acts that force-created or deleted these rounds, to repeat them in the next log. */
async function readActsOn(tx: Tx, generation: number, roundIds: readonly (string | null)[]): Promise<Placed[]> {
  const { rows } = await tx.query<Placed & { readonly line: string }>(
    `select null as round_id, index, kind, null as bet_id, line from book_notable
      where generation = $1 and kind = 'act' and line::jsonb ->> 'round' = any($2::text[])
        and line::jsonb ->> 'act' in ('round.delete', 'round.force-create')
      order by index`,
    [generation, roundIds],
  )
  return rows
}

async function collectUnfinished(tx: Tx, oldGeneration: number) {
  const queued = await takeQueued(tx, Number.MAX_SAFE_INTEGER)
  // Queued `closed` entries depend on indexes of the old log. They are dropped, and `reopenRounds` has new ones made.
  const toReopen = queued.flatMap(({ kind, roundId }) => (kind === 'closed' && roundId !== null ? [roundId] : []))
  const { rows } = await tx.query<Placed>(
    `select p.round_id, p.index, p.kind, p.bet_id from book_places p
      where p.generation = $1 and p.round_id in (
        select id from rounds where book = 'open' union select unnest($2::uuid[]))
      order by p.index`,
    [oldGeneration, [...new Set(queued.flatMap(({ roundId }) => (roundId === null ? [] : [roundId])))]],
  )
  const placed = rows.filter(({ kind }) => OF_ROUNDS.has(kind))
  const acts = await readActsOn(tx, oldGeneration, [...new Set(placed.map(({ round_id }) => round_id))])
  const indexes = placed.map(({ index }) => Number(index))
  const lines = await readSealed(tx, oldGeneration, indexes)
  const lineAt = new Map(lines.map(({ index, entry }) => [index, entry]))
  const sealed = [...placed, ...acts]
    .toSorted((a, b) => Number(a.index - b.index))
    .map(({ round_id, index, kind, bet_id, line = lineAt.get(Number(index)) }): NewEntry => {
      if (line === undefined) throw new Error(`The log before has lost its entry ${index}: restore its rows first`)
      return { kind, line, atMs: (JSON.parse(line) as { at: number }).at, roundId: round_id, betId: bet_id }
    })
  const waiting = queued.flatMap((entry) => (OF_ROUNDS.has(entry.kind) ? [entry] : inNextLog(entry)))
  const entries = [...sealed, ...waiting]
  const rounds = [...new Set(entries.flatMap(({ roundId }) => (roundId === null ? [] : [roundId])))]
  return { entries, rounds, toReopen }
}

/**
 * Returns the next log's entries for a queued entry that is not in `OF_ROUNDS`. A feed change stays as it is. An act
 * loses `bet`, an index of the old log. A dispute is left out, because it needs that index. Entries of other kinds are
 * not carried over, but made anew for the next log.
 */
function inNextLog(entry: NewEntry): NewEntry[] {
  if (entry.kind === 'feed') return [entry]
  if (entry.kind !== 'act') return []
  const parsed = parseEntry(entry.line)
  if (parsed.is !== 'entry' || parsed.entry.k !== 'act') return []
  const fields: EntryFields['act'] = { ...parsed.entry, bet: null }
  return [{ ...entry, line: encodeEntry('act', entry.atMs, encodeFields('act', fields)) }]
}

/**
 * Reads the commitments to the seeds of days that are not over, of days with a `seed` but no `seed-open` entry in the
 * old log, and of the days of these rounds.
 */
async function readSeeds(tx: Tx, oldGeneration: number, roundIds: readonly string[]) {
  const { rows } = await tx.query<{ day: number; commitment: Uint8Array }>(
    `select s.day - date '1970-01-01' as day, s.commitment from simulated_seeds s
      where not s.is_public_history and (
        s.day >= (clock_timestamp() at time zone 'UTC')::date
        or s.day - date '1970-01-01' in (
          select (line::jsonb ->> 'day')::integer from book_notable where kind = 'seed' and generation = $1
          except
          select (line::jsonb ->> 'day')::integer from book_notable where kind = 'seed-open' and generation = $1)
        or exists (select from rounds r where r.id = any($2::uuid[])
          and s.day between (r.opens_at at time zone 'UTC')::date and (r.closes_at at time zone 'UTC')::date))
      order by s.day`,
    [oldGeneration, roundIds],
  )
  return rows
}

export const isRestartWhy = (text: string): text is RestartWhy => RESTART_WHYS.some((why) => why === text)
