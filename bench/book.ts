import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeBundle } from '#domain/book/bundle.ts'
import { toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { formatCheckpoint } from '#domain/book/checkpoint.ts'
import { encodeEntry, encodeFields } from '#domain/book/entry.ts'
import { leafHash, nodeHash, rootOf } from '#domain/book/merkle.ts'
import { entriesPath, TILE_WIDTH, tilePath } from '#domain/book/tiles.ts'
import { loadBookKey, openBook, type OpenBook, queueEntries } from '#server/features/book/index.ts'
import { closeDueInBook } from '#server/features/game/index.ts'
import { TICKS_SO_FAR } from '#server/features/market/index.ts'
import { createLog } from '#server/platform/process/log.ts'
import type { Database } from '#server/platform/database/db.ts'
import { sha256 } from '#server/features/book/key.ts'
import { queueBets } from '#testing/book/queue-bets.ts'
import { fixedPrices } from '#testing/play/rounds.ts'
import type { Line } from './report.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { withServer } from '#testing/machines/process.ts'

/** The limits on the cost of the open book (docs/open-book.md §7). */
const SEAL_BAR_MS = 2_000
const BLOCKED_BAR_MS = 20
const TILE_BAR_MS = 5
const PAGE_BAR_MS = 50

const A_BATCH = 64
const PAGE = 1_000
const DAY_S = 86_400

/** Opens the open book of a database, with its files in a new folder, and closes it after `work`. */
function withBook<T>(
  db: Database,
  beatEveryMs: number,
  work: (book: OpenBook, dataDir: string) => Promise<T>,
): Promise<T> {
  return inFolder(async (dataDir) => {
    const key = loadBookKey({ logKey: null, auditKey: null, dataDir }, true)
    const log = createLog('warn')
    const book = await openBook({ db, key, origin: null, dataDir, ticksSql: TICKS_SO_FAR, log, beatEveryMs })
    try {
      return await work(book, dataDir)
    } finally {
      await book.stop()
    }
  })
}

const someCommitment = (): string => toBase64(crypto.getRandomValues(new Uint8Array(32)))

export interface SealingSeen {
  readonly sealed: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly blockedMs: number
}

/** Commits entries of bets at a steady rate, and measures how long each waits until a published note covers it. */
export async function runSealing(db: Database, perSecond: number, seconds: number): Promise<SealingSeen> {
  return withBook(db, 9_000, async (book) => {
    const committed = new Map<string, number>()
    const shown: Array<{ readonly size: number; readonly atMs: number }> = []
    book.onSealed(({ size }) => shown.push({ size, atMs: performance.now() }))
    await book.turn()
    book.start()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const round = randomUUID()
    const batches = Math.ceil((perSecond * seconds) / A_BATCH)
    const startedAt = performance.now()
    const waiting: Promise<void>[] = []
    for (let batch = 0; batch < batches; batch++) {
      const dueAt = startedAt + (batch * A_BATCH * 1000) / perSecond
      if (dueAt > performance.now()) await sleep(dueAt - performance.now())
      const bets = Array.from({ length: A_BATCH }, () => ({
        betId: randomUUID(),
        roundId: round,
        commitment: crypto.getRandomValues(new Uint8Array(32)),
      }))
      waiting.push(
        db
          .tx((tx) => queueBets(tx, bets, Date.now()))
          .then(() => {
            const atMs = performance.now()
            for (const { betId } of bets) committed.set(betId, atMs)
          }),
      )
    }
    await Promise.all(waiting)
    const expected = batches * A_BATCH
    for (let sealed = 0n; sealed < BigInt(expected);) {
      await sleep(200)
      const { rows } = await db.query<{ n: bigint }>('select count(*) as n from book_places where round_id = $1', [
        round,
      ])
      sealed = rows[0]?.n ?? 0n
    }
    delay.disable()
    const { rows } = await db.query<{ bet_id: string; index: bigint }>(
      'select bet_id, index from book_places where round_id = $1 order by index',
      [round],
    )
    let at = 0
    const times = rows.map(({ bet_id: betId, index }) => {
      while ((shown[at]?.size ?? Number.POSITIVE_INFINITY) <= Number(index)) at++
      return (shown[at]?.atMs ?? Number.NaN) - (committed.get(betId) ?? Number.NaN)
    })
    times.sort((a, b) => a - b)
    return {
      sealed: rows.length,
      p50Ms: times[times.length >> 1] ?? Number.NaN,
      p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
      blockedMs: delay.max / 1e6,
    }
  })
}

/** Returns the bytes in the tables and indexes of the book. */
async function bookBytes(db: Database): Promise<number> {
  await db.query('vacuum (analyze) book_entries, book_nodes, book_places, book_notable')
  const { rows } = await db.query<{ bytes: bigint }>(
    `select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
      where relname in ('book_entries', 'book_nodes', 'book_places', 'book_notable')`,
  )
  return Number(rows[0]?.bytes ?? 0n)
}

/**
 * Returns the bytes that a bet takes: the size of the book divided by the number of entries that `runSealing` sealed,
 * plus 17 bytes for the salt in the bet's row.
 */
export async function bytesOfABet(db: Database, sealed: number): Promise<number> {
  return (await bookBytes(db)) / sealed + 17
}

/**
 * Returns the bytes that the book takes for a day without bets: rounds of four types with their results, and beats. It
 * writes the entries of the first `seconds` of a day without waiting, and multiplies the bytes up to a whole day.
 */
export async function runIdleDay(db: Database, seconds: number): Promise<number> {
  return withBook(db, Number.POSITIVE_INFINITY, async (book) => {
    await book.turn()
    const before = await bookBytes(db)
    const closed = (round: string) => ({
      ...{ round, deleted: false, announce: null, evidence: [], bets: 0, won: 0, lost: 0, voided: 0 },
      ...{ staked: 0, profit: 0, root: toBase64(sha256(new Uint8Array())) },
    })
    const firstMs = Date.UTC(2026, 0, 1)
    for (let second = 10; second <= seconds; second += 10) {
      for (const [type, length] of [
        ['30s', 30],
        ['60s', 60],
        ['90s', 90],
        ['120s', 120],
      ] as const) {
        if (second % length !== 0) continue
        const round = randomUUID()
        const opens = firstMs + (second - length) * 1000
        const closes = firstMs + second * 1000
        const ticks = Array.from({ length: length + 1 }, (_, at) => 4_132_000 + at)
        const n = second / length
        const all = [
          {
            kind: 'round',
            fields: { round, type, n, attempt: 0, opens, locks: closes - 1000, closes, source: 'simulated' },
          },
          { kind: 'result', fields: { round, ticks, ages: null, result: 'UP', by: 'PRICE' } },
          { kind: 'closed', fields: closed(round) },
        ] as const
        // Each entry gets a batch of its own, because in reality seconds pass between two entries.
        for (const entry of all) {
          await queueEntries(db, [entry])
          await book.turn()
        }
      }
      await queueEntries(db, [{ kind: 'beat', fields: { ticks: [] } }])
    }
    return ((await bookBytes(db)) - before) * (DAY_S / seconds)
  })
}

export interface ReadingSeen {
  readonly entries: number
  readonly tileMs: number
  readonly bundleMs: number
  readonly pageMs: number
}

/**
 * Measures reads over HTTP from a server of its own: of a log with many entries, and of a closed round of 10,000 bets.
 * The log repeats the same 256 entries, so that it is quickly made. Its hashes are right.
 */
export async function runReading(url: string, db: Database, tiles: number, samples: number): Promise<ReadingSeen> {
  return withBook(db, 9_000, async (_, dataDir) => {
    const size = tiles * TILE_WIDTH
    await makeLog(db, dataDir, tiles)
    const round = await makeEndedRound(db, { index: 1, bets: BETS, book: 'closed' })
    return withServer({ DATABASE_URL: url, DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '1000000' }, async ({ address }) => {
      const ask = async (path: string): Promise<number> => {
        const startedAt = performance.now()
        const answer = await fetch(`${address}${path}`)
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
        return performance.now() - startedAt
      }
      const p95 = async (path: (turn: number) => string): Promise<number> => {
        // Warms the server up, until code is compiled, statements are planned and the work of the start is done.
        for (let turn = 0; turn < samples; turn++) await ask(path(samples + turn))
        const times: number[] = []
        for (let turn = 0; turn < samples; turn++) times.push(await ask(path(turn)))
        return times.toSorted((a, b) => a - b)[Math.ceil(samples * 0.95) - 1] ?? Number.NaN
      }
      const some = (turn: number) => Math.imul(turn + 1, 2_654_435_761) % tiles
      const at = (turn: number) => (some(turn) + tiles) % tiles
      return {
        entries: size,
        tileMs: await p95(
          (turn) =>
            `/log/${tilePath(turn % 2, turn % 2 === 0 ? at(turn) : (at(turn) >> 8) % (tiles >> 8), TILE_WIDTH)}`,
        ),
        bundleMs: await p95((turn) => `/log/${entriesPath(at(turn), TILE_WIDTH)}`),
        pageMs: await p95((turn) => `/api/v1/rounds/${round}/receipt/bets?page=${(turn % 10) + 1}`),
      }
    })
  })
}

async function makeLog(db: Database, dataDir: string, tiles: number): Promise<void> {
  const lines = Array.from({ length: TILE_WIDTH }, (_, at) =>
    toUtf8(
      encodeEntry('bet', 1_767_225_600_000 + at, encodeFields('bet', { round: randomUUID(), c: someCommitment() })),
    ),
  )
  const leaves = lines.map((line) => leafHash(sha256, line))
  await db.query(
    `insert into book_entries (generation, first_index, count, entries, leaf_hashes)
     select 1, n * 256, 256, $1, $2 from generate_series(0, $3::bigint - 1) n`,
    [encodeBundle(lines), Buffer.concat(leaves), BigInt(tiles)],
  )
  const leavesRoot = rootOf(sha256, leaves)
  let hash = leavesRoot
  for (let count = tiles, level = 1; count > 0; count = Math.floor(count / TILE_WIDTH), level++) {
    await db.query(
      `insert into book_nodes (generation, level, index, hash) select 1, $1, n, $2 from generate_series(0, $3::bigint - 1) n`,
      [level, hash, BigInt(count)],
    )
    hash = rootOf(
      sha256,
      Array.from({ length: TILE_WIDTH }, () => hash),
    )
  }
  const root = rootOfTimes(leavesRoot, tiles)
  const { rows } = await db.query<{ origin: string }>('select origin from book_logs')
  const signer = loadBookKey({ logKey: null, auditKey: null, dataDir }, true).signerOf(rows[0]?.origin ?? '')
  const size = tiles * TILE_WIDTH
  const note = signer.signNote(signer.origin, formatCheckpoint({ origin: signer.origin, size, root }))
  await db.query('update book_tips set size = $1, note = $2, beat_at_ms = $3', [BigInt(size), note, BigInt(Date.now())])
  await db.query('analyze')
}

/** Returns the Merkle tree hash (RFC 6962, MTH) of `count` times the same hash. */
function rootOfTimes(hash: Uint8Array, count: number): Uint8Array {
  const known = new Map([[1, hash]])
  const of = (n: number): Uint8Array => {
    let root = known.get(n)
    if (root !== undefined) return root
    const left = 2 ** (31 - Math.clz32(n - 1))
    root = nodeHash(sha256, of(left), of(n - left))
    known.set(n, root)
    return root
  }
  return of(count)
}

const BETS = 10_000

/** The round that `runClosing` measures has this many bets. A smaller round is closed first, as a warm-up. */
const CLOSED_BETS = 4_000
const WARM_BETS = 500

/** Returns the longest time, in ms, for which writing the last entry of a round blocks the event loop. */
export async function runClosing(db: Database): Promise<number> {
  return withBook(db, Number.POSITIVE_INFINITY, async (book) => {
    await book.turn()
    const prices = fixedPrices(() => null)
    await makeEndedRound(db, { index: 1, bets: WARM_BETS, book: 'open' })
    await closeDueInBook({ db, prices, log: createLog('error') })
    await makeEndedRound(db, { index: 2, bets: CLOSED_BETS, book: 'open' })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    // The monitor starts with the loop's next turn, so this waits for that turn and drops what it has counted.
    await sleep(20)
    delay.reset()
    await closeDueInBook({ db, prices, log: createLog('error') })
    await sleep(5)
    delay.disable()
    const { rows } = await db.query(`select from rounds where book = 'open' and status = 'ended'`)
    if (rows.length > 0) throw new Error('The round was not closed in one pass.')
    return delay.max / 1e6
  })
}

/** Makes a settled round with bets of one player, and returns its id. `book`: whether the log has closed the round. */
async function makeEndedRound(
  db: Database,
  { index, bets, book }: { readonly index: number; readonly bets: number; readonly book: 'open' | 'closed' },
): Promise<string> {
  const [round, user] = [randomUUID(), randomUUID()]
  await db.query(`insert into users (id, username, username_key, password_hash) values ($1, $2, $2, 'x')`, [
    user,
    `benchplayer${index}`,
  ])
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, status, price_source, open_price, close_price, result,
       settling_at, ended_at, book)
     select $1, '60s', $2, at, at + interval '59 s', at + interval '60 s', 'ended', 'simulated', 4132000, 4132100, 'up', at, at, $3
       from (select timestamptz '2026-06-01' as at) one`,
    [round, BigInt(index), book],
  )
  await db.query(
    `with made as (
       insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from, status, entry_second,
         entry_price, exit_price, profit, settled_at, salt)
       select gen_random_uuid(), $1, $2, 'up', 1000, 'PRICE', 'PRICE', timestamptz '2026-06-01', 1780272001, 'won', 1780272001,
         4132050, 4132100, 70, timestamptz '2026-06-01 00:01', uuid_send(gen_random_uuid())
         from generate_series(1, $3::int) returning id),
     numbered as (select id, row_number() over () as n from made)
     insert into book_places (round_id, generation, index, kind, bet_id, sealed_at_ms)
     select $2, 1, n + 1, 'bet', id, 1780272001000 from numbered`,
    [user, round, bets],
  )
  await db.query(
    `insert into book_places (round_id, generation, index, kind, sealed_at_ms)
     values ($1, 1, 0, 'round', 1780272000000), ($1, 1, $2, $3, 1780272061000)`,
    [round, BigInt(bets + 2), book === 'open' ? 'result' : 'closed'],
  )
  await db.query('analyze')
  return round
}

export const sealingLines = (perSecond: number, seen: SealingSeen, betBytes: number, idleDayBytes: number): Line[] => [
  costLine(
    `sealing ${perSecond} bets a second`,
    `p99 ${Math.round(seen.p99Ms)} ms`,
    `≤ ${SEAL_BAR_MS} ms`,
    seen.p99Ms <= SEAL_BAR_MS,
    `p50 ${Math.round(seen.p50Ms)} ms, ${seen.sealed} bets`,
  ),
  costLine(
    'sealing: event loop blocked at most',
    `${seen.blockedMs.toFixed(0)} ms`,
    `≤ ${BLOCKED_BAR_MS} ms`,
    seen.blockedMs <= BLOCKED_BAR_MS,
    'the same process writes the bets',
  ),
  costLine('the open book’s storage of a bet', `${Math.round(betBytes)} bytes`, '', null, 'about 300 expected'),
  costLine(
    'the open book’s storage of a day without bets',
    `${(idleDayBytes / 1e6).toFixed(1)} MB`,
    '',
    null,
    'about 7 MB expected',
  ),
]

export const closingLine = (engine: string, blockedMs: number): Line =>
  costLine(
    `${engine}closing a round of ${CLOSED_BETS} bets: event loop blocked at most`,
    `${blockedMs.toFixed(0)} ms`,
    `≤ ${BLOCKED_BAR_MS} ms`,
    blockedMs <= BLOCKED_BAR_MS,
    '',
  )

export const readingLines = ({ entries, tileMs, bundleMs, pageMs }: ReadingSeen): Line[] => [
  costLine(
    `a tile of a log with ${entries} entries`,
    `p95 ${tileMs.toFixed(1)} ms`,
    `≤ ${TILE_BAR_MS} ms`,
    tileMs <= TILE_BAR_MS,
    `a bundle of 256 entries ${bundleMs.toFixed(1)} ms`,
  ),
  costLine(
    `a receipt’s page of ${PAGE} bets`,
    `p95 ${pageMs.toFixed(1)} ms`,
    `≤ ${PAGE_BAR_MS} ms`,
    pageMs <= PAGE_BAR_MS,
    `of a round with ${BETS}`,
  ),
]

const costLine = (name: string, ours: string, bar: string, isMet: boolean | null, note: string): Line => ({
  ...{ name, ours, yardstick: '', ratio: '', bar, isMet, note },
})
