import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BookAnswer, openBookSource } from '#domain/book/book-source.ts'
import { fromUtf8 } from '#domain/book/bytes.ts'
import { checkBook, checkRound } from '#domain/book/check-book.ts'
import type { Entry, EntryOf } from '#domain/book/entry.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import type { SettledLine } from '#domain/book/settled-line.ts'
import { evidenceOf, makeWorld, publish } from '#domain/book/testing/book-world.ts'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, type TestApp, testBookKey, openTestBook } from '#testing/app/app.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { sha256, verifyEd25519 } from './key.ts'
import { type OpenBook } from './open-book.ts'
import { appendAndCommit, type NewEntry } from './sealing.ts'
import { readEdge } from './stored-tiles.ts'

/*
 * Somebody who may do everything in SQL, but does not have the key, changes what is stored. Each change is found by
 * whoever checks the log from outside, or by the server, which then signs nothing any more (docs/open-book.md §1).
 */

/** How many changes are tried: one of each kind or two, and 200 with TAMPERINGS. */
const TAMPERINGS = Number(process.env['TAMPERINGS'] ?? (inject('isFull') ? 66 : 33))
/** Sealed in two batches at least, so that an older note is known. */
const FIRST_BATCH = 300

interface Tampering {
  readonly what: string
  readonly sql: string
  /** A round whose receipt it changes, where the whole log need not show it. */
  readonly round?: string | undefined
}

let db: Database
let app: TestApp
let entries: Entry[]
let settled: ReadonlyMap<string, readonly string[]>
let olderNote: string
beforeAll(async () => {
  db = await openTestDatabase(testEngines.includes('native') ? 'native' : 'embedded')
  app = await buildTestApp(db)
  const seconds = inject('isFull') ? 1_500 : 900
  const world = makeWorld({ sha256, seed: 5, fromSecond: 50_400, seconds, betsPerRound: 5, beatEvery: 10 })
  const published = publish(sha256, world)
  settled = published.settled
  entries = published.lines.map((line) => {
    const parsed = parseEntry(line)
    if (parsed.is !== 'entry') throw new Error(`not an entry: ${line}`)
    return parsed.entry
  })
  await storeRounds(published.lines)
  // Shows the note; nothing waits and no beat is due.
  await app.book.turn()
})
afterAll(async () => {
  await app.close()
  await db.close()
})

const beats = (): number[] => entries.flatMap((entry, index) => (entry.k === 'beat' ? [index] : []))

/** Stores the world's rounds and settled bets as the game does, and its log as it was sealed. */
async function storeRounds(lines: readonly string[]): Promise<void> {
  const [player] = await createPlayers(db, 1)
  const rounds = entries.filter((entry): entry is EntryOf<'round'> => entry.k === 'round')
  const bets = [...settled.entries()].flatMap(([round, all]) =>
    all.map((line) => ({ round, line: JSON.parse(line) as SettledLine })),
  )
  const json = (rows: readonly object[]) => JSON.stringify(rows)
  await asSuperuser(async (run) => {
    await run(
      `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, status, price_source, book)
       select id, type, index, attempt, to_timestamp(opens), to_timestamp(locks), to_timestamp(closes), 'ended', source, 'closed'
         from json_to_recordset($1::json) as r (id uuid, type text, index bigint, attempt integer, opens float8, locks float8, closes float8, source text)`,
      [
        json(
          rounds.map((round) => ({
            ...{ id: round.round, type: round.type, index: round.n - 1, attempt: round.attempt, source: round.source },
            ...{ opens: round.opens / 1000, locks: round.locks / 1000, closes: round.closes / 1000 },
          })),
        ),
      ],
    )
    await run(
      `insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, scripted_outcome, accepted_at,
         entry_from, status, void_reason, entry_second, entry_price, exit_price, profit, settled_at, salt)
       select id, $2::uuid, round, lower(direction), stake, basis, basis, lower(script),
              timestamptz 'epoch' + at * interval '1 millisecond', "entryFrom",
              case status when 'WIN' then 'won' when 'LOSE' then 'lost' else 'voided' end, why, "entrySecond", entry,
              "exit", profit, clock_timestamp(), decode(salt, 'base64')
         from json_to_recordset($1::json) as b (id uuid, round uuid, direction text, stake bigint, basis text, script text,
           at bigint, "entryFrom" bigint, status text, why text, "entrySecond" bigint, entry integer, "exit" integer,
           profit bigint, salt text)`,
      [json(bets.map(({ round, line }) => ({ round, ...line }))), player?.id ?? ''],
    )
    await run(
      `with told as (select * from json_to_recordset($1::json) as t (source text, second bigint, price integer, signed text)),
            stored as (insert into ticks (source, second, price, quote_at)
              select distinct on (source, second) source, second, price, to_timestamp(second) from told on conflict do nothing)
       insert into tick_evidence (source, second, evidence)
       select distinct on (source, second) source, second, convert_to(signed, 'UTF8') from told`,
      [json(signedQuotes(rounds))],
    )
    await run('delete from book_queue')
  })
  const betAt = new Map(bets.map(({ line }) => [line.i, line.id]))
  const newEntries = entries.map((entry, index): NewEntry => ({
    kind: entry.k,
    line: lines[index] ?? '',
    atMs: entry.at,
    roundId: 'round' in entry ? entry.round : null,
    // A bet of a round that is not closed has no line: any id will do.
    betId: entry.k === 'bet' ? (betAt.get(index) ?? crypto.randomUUID()) : null,
  }))
  let from = 0
  const ends = [beats().find((index) => index >= FIRST_BATCH) ?? 0, beats().at(-1) ?? 0]
  for (const end of ends) {
    const beat = entries[end]
    if (beat?.k !== 'beat') throw new Error('A batch ends with a beat.')
    const first = from
    const head = await db.tx(async (tx) => {
      const signer = testBookKey.signerOf(testBookKey.defaultOrigin)
      const edge = await readEdge(tx, 1, first, true)
      const sealing = { atMs: beat.at, ticks: beat.ticks, told: {} }
      return appendAndCommit(tx, 1, signer, edge, newEntries.slice(first, end), sealing)
    })
    if (end === ends[0]) olderNote = head.note
    from = end + 1
  }
  entries = entries.slice(0, from)
}

/** The signed quotes of every decisive second, each with the price that became its tick. */
function signedQuotes(rounds: readonly EntryOf<'round'>[]): object[] {
  const opened = new Map(rounds.map((round) => [round.round, round]))
  const prices = new Map(
    entries.flatMap((entry) => (entry.k === 'result' ? [[entry.round, entry.ticks] as const] : [])),
  )
  return entries.flatMap((entry) => {
    const round = entry.k === 'closed' ? opened.get(entry.round) : undefined
    if (entry.k !== 'closed' || round === undefined) return []
    return entry.evidence.map(([second]) => ({
      ...{ source: round.source, second, price: prices.get(entry.round)?.[second - round.opens / 1000] },
      signed: fromUtf8(evidenceOf(second)),
    }))
  })
}

/** With triggers, foreign keys and walls off. */
const asSuperuser = (
  work: (run: (sql: string, params?: readonly (string | number)[]) => Promise<unknown>) => Promise<void>,
) =>
  db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await work((sql, params) => tx.query(sql, params))
  })

const get = async (path: string): Promise<BookAnswer> => {
  const answer = await app.http.inject({ url: path })
  return { status: answer.statusCode, bytes: new Uint8Array(answer.rawPayload) }
}

/** Kinds of faults that a stranger finds, who looks at the log for the first time. */
async function faultsFound(round?: string): Promise<string[]> {
  try {
    const source = await openBookSource({ get, sha256, verifyEd25519 })
    const all = await checkBook(source, { sha256, rounds: 'all' })
    if (all.faultCount > 0 || round === undefined) return all.faults.map(({ kind }) => kind)
    return (await checkRound(source, round, { sha256 })).faults.map(({ kind }) => kind)
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)]
  }
}

const openAgain = (): Promise<OpenBook> => openTestBook(db, { rulesText: '', beatEveryMs: 1e9, lookEveryMs: 0 })

/** Whether a server that starts on this database signs nothing. */
async function isRefused(): Promise<boolean> {
  const before = await db.query('select size, note from book_tips')
  try {
    const book = await openAgain()
    // In as many turns it looks at every full tile.
    for (let turn = 0; turn <= entries.length / 256; turn++) await book.turn()
    if (book.stopWhy() !== null) return true
  } catch (error) {
    return error instanceof Error && error.message === 'The open book has lost its tip'
  }
  expect(await db.query('select size, note from book_tips')).not.toEqual(before)
  return false
}

function* tamperings(): Generator<Tampering> {
  const rounds = [...settled.keys()]
  const bets = [...settled.values()].flatMap((lines) => lines.map((line) => JSON.parse(line) as SettledLine))
  const size = entries.length
  const bundles = Array.from({ length: Math.floor(size / 256) }, (_, at) => at * 256)
  const pick = <T>(all: readonly T[], nth: number): T => all[(nth * 7 + 3) % all.length] as T
  for (let nth = 0; ; nth++) {
    const first = `(select max(first_index) from book_entries where first_index <= ${(nth * 397) % size})`
    const other = `(select first_index from book_entries where first_index <> ${first} order by first_index limit 1)`
    const round = pick(rounds, nth)
    const bet = pick(bets, nth)
    const place = (kind: string) => `round_id = '${round}' and kind = '${kind}'`
    const flip = (column: string, at: string) =>
      `${column} = set_byte(${column}, ${at}, get_byte(${column}, ${at}) # ${1 << (nth % 7)})`
    const all: Tampering[] = [
      {
        what: 'an entry',
        sql: `update book_entries set ${flip('entries', `${20 + nth * 11} % octet_length(entries)`)} where first_index = ${first}`,
      },
      {
        what: 'a leaf hash',
        sql: `update book_entries set ${flip('leaf_hashes', `${nth * 37} % octet_length(leaf_hashes)`)} where first_index = ${first}`,
      },
      {
        what: 'an entry and its leaf hash',
        sql: `update book_entries set entries = replace(encode(entries, 'escape'), '"at":17', '"at":16')::bytea, leaf_hashes = sha256('x') || substring(leaf_hashes from 33) where first_index = ${first}`,
      },
      {
        what: 'a node',
        sql: `update book_nodes set ${flip('hash', String(nth % 32))} where level = 1 and index = ${pick(bundles, nth) / 256}`,
      },
      { what: 'a bundle is gone', sql: `delete from book_entries where first_index = ${first}` },
      { what: 'a node is gone', sql: `delete from book_nodes where level = 1 and index = ${pick(bundles, nth) / 256}` },
      {
        what: 'two bundles swapped',
        sql: `update book_entries e set entries = o.entries, leaf_hashes = o.leaf_hashes, count = o.count from book_entries o where e.first_index in (${first}, ${other}) and o.first_index in (${first}, ${other}) and o.first_index <> e.first_index`,
      },
      {
        what: 'more entries than signed',
        sql: `insert into book_entries select generation, ${size + nth}, 1, ''::bytea, sha256('x') from book_tips`,
      },
      { what: 'the tip’s size', sql: `update book_tips set size = size - ${1 + nth}` },
      { what: 'the tip’s note', sql: `update book_tips set note = overlay(note placing 'A' from ${25 + nth} for 1)` },
      {
        what: 'an older note',
        sql: `update book_tips set note = '${olderNote}', size = ${nth % 2 === 0 ? 'size' : olderNote.split('\n')[1]}`,
      },
      { what: 'the tip is gone', sql: 'delete from book_tips' },
      { what: 'the log’s key', sql: `update book_logs set vkey = replace(vkey, '+A', '+B')` },
      {
        what: 'the place of a round',
        sql: `update book_places set index = index + ${1 + nth} where ${place('round')}`,
        round,
      },
      {
        what: 'the place of a result',
        sql: `update book_places set index = index - 1 where ${place('result')}`,
        round,
      },
      { what: 'the place of a bet', sql: `update book_places set index = index + 100000 where bet_id = '${bet.id}'` },
      { what: 'the place of a bet is gone', sql: `delete from book_places where bet_id = '${bet.id}'` },
      { what: 'the place of the last entry is gone', sql: `delete from book_places where ${place('closed')}`, round },
      {
        what: 'two rounds’ places swapped',
        sql: `update book_places set round_id = case round_id when '${round}' then '${pick(rounds, nth + 1)}' else '${round}' end::uuid where round_id in ('${round}', '${pick(rounds, nth + 1)}')`,
        round,
      },
      { what: 'a stake', sql: `update bets set stake = stake + 100 where id = '${bet.id}'` },
      { what: 'a profit', sql: `update bets set profit = profit + 1 where id = '${bet.id}'` },
      {
        what: 'a side',
        sql: `update bets set direction = case direction when 'up' then 'down' else 'up' end where id = '${bet.id}'`,
      },
      { what: 'a salt', sql: `update bets set ${flip('salt', String(nth % 16))} where id = '${bet.id}'` },
      {
        what: 'a time',
        sql: `update bets set accepted_at = accepted_at + interval '1 millisecond' where id = '${bet.id}'`,
      },
      {
        what: 'an entry price',
        sql: `update bets set entry_price = coalesce(entry_price, 0) + 1 where id = '${bet.id}'`,
      },
      { what: 'a first second', sql: `update bets set entry_from = entry_from + 1 where id = '${bet.id}'` },
      {
        what: 'an ending',
        sql: `update bets set status = 'won', void_reason = null, profit = 5 where id = (select id from bets where status <> 'won' order by id limit 1 offset ${nth})`,
      },
      { what: 'a bet is gone', sql: `delete from bets where id = '${bet.id}'` },
      { what: 'a bet’s id', sql: `update bets set id = '${crypto.randomUUID()}' where id = '${bet.id}'` },
    ]
    for (const one of all) yield { ...one, what: `${one.what} (${nth})` }
  }
}

const TABLES = [
  'book_logs',
  'book_tips',
  'book_entries',
  'book_nodes',
  'book_places',
  'book_notable',
  'book_queue',
  'bets',
]

async function copyTables(): Promise<void> {
  // Whoever changes places by hand is not stopped by them either.
  await db.query('drop index book_places_once, book_places_of_bet')
  await db.query('alter table book_entries drop constraint book_entries_check, drop constraint book_entries_check1')
  await db.query('create schema kept')
  for (const table of TABLES) await db.query(`create table kept.${table} as table public.${table}`)
}

const restoreTables = () =>
  asSuperuser(async (run) => {
    for (const table of TABLES) {
      await run(`delete from public.${table}`)
      const identity = table === 'book_queue' ? 'overriding system value' : ''
      await run(`insert into public.${table} ${identity} table kept.${table}`)
    }
  })

test('every change of what is stored is found, or nothing is signed any more', { timeout: 600_000 }, async () => {
  expect(await faultsFound()).toEqual([])
  expect(await faultsFound([...settled.keys()][3])).toEqual([])
  // The rules that a starting server enters wait from now on.
  await openAgain()
  await copyTables()
  expect(await isRefused()).toBe(false)
  await restoreTables()

  const unnoticed: string[] = []
  const unchanged: string[] = []
  const ways = { found: 0, refused: 0 }
  let tried = 0
  for (const { what, sql, round } of tamperings()) {
    if (tried === TAMPERINGS) break
    let rows = 0
    await asSuperuser(async (run) => {
      rows = ((await run(sql)) as { readonly rowCount: number }).rowCount
    })
    if (rows === 0) {
      unchanged.push(what)
      continue
    }
    tried++
    const faults = await faultsFound(round)
    if (faults.length > 0) ways.found++
    else if (await isRefused()) ways.refused++
    else unnoticed.push(what)
    await restoreTables()
  }
  expect(unnoticed).toEqual([])
  expect(unchanged.length).toBeLessThan(tried / 4)
  expect(ways.found + ways.refused).toBe(TAMPERINGS)
  expect(await faultsFound()).toEqual([])
})
