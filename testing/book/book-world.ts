import { expect } from 'vitest'
import { type BookSource, openBookSource } from '#domain/book/book-source.ts'
import type { Entry } from '#domain/book/entry.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { EPOCH_MS, type RoundType } from '#domain/game/calendar.ts'
import type { AppSettings } from '#server/app.ts'
import { type OpenBook, sha256, verifyEd25519 } from '#server/features/book/index.ts'
import { closeDueInBook, type EngineDeps, openRound, type RoundPrices, settleDue } from '#server/features/game/index.ts'
import { createMarket } from '#server/features/market/index.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, type Reply, type TestApp, openTestBook } from '#testing/app/app.ts'
import { createFakeClock, type FakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, noHints, type TestPlayer } from '#testing/play/rounds.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import type { Engine } from '#testing/database/test-database.ts'

export const LIVE = 'pyth'
export const BOOK_ORIGIN = 'kim-phien/test'

const log = createLog('silent')

/** A server whose database's clock the test sets, with its open book. */
export interface BookWorld {
  readonly db: SettableDatabase
  readonly clock: FakeClock
  readonly book: OpenBook
  readonly app: TestApp
  readonly players: readonly TestPlayer[]
  readonly admin: TestPlayer
  /** Unix ms; windows of every type begin here. */
  readonly baseMs: number
  readonly deps: Omit<EngineDeps, 'clock'> & { readonly db: SettableDatabase }
  /**
   * Sets the clock to this many ms after the base; live prices are written up to then, the same in each run. Only
   * forwards.
   */
  readonly at: (ms: number) => Promise<void>
  /** Opens the round of the running window. Returns the window's newest round. */
  readonly open: (type: RoundType) => Promise<string>
  readonly bet: (who: number, roundId: string, side: 'UP' | 'DOWN', seenBasis: string, key?: string) => Promise<Reply>
  readonly asAdmin: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<Reply>
  /** Settles the rounds that are due, seals their entries, and closes them in the book. */
  readonly settle: () => Promise<void>
  /** The book as a stranger reads it. */
  readonly source: () => Promise<BookSource>
  /** All sealed entries. */
  readonly entries: () => Promise<Entry[]>
  readonly close: () => Promise<void>
}

export const tokenOf = ({ bearer }: TestPlayer): string => bearer.slice('Bearer '.length)

/** The book of a test's server, as a stranger reads it. */
export const bookOf = ({ http }: TestApp): Promise<BookSource> =>
  openBookSource({
    sha256,
    verifyEd25519,
    async get(path) {
      const reply = await http.inject({ method: 'GET', url: path })
      return { status: reply.statusCode, bytes: new Uint8Array(reply.rawPayload) }
    },
  })

/** Rounds of two minutes are priced by a live source, whose ticks the world writes; the others by the simulated path. */
export async function createBookWorld(
  engine: Engine,
  playerCount: number,
  settings: Partial<AppSettings> = {},
): Promise<BookWorld> {
  const baseMs = EPOCH_MS + Math.ceil((Date.now() - EPOCH_MS) / 360_000) * 360_000
  const db = await openSettableDatabase(engine)
  const clock = createFakeClock(baseMs)
  const at = async (ms: number): Promise<void> => {
    await db.freezeAt(baseMs + ms)
    clock.set(baseMs + ms)
    await db.query(
      `insert into ticks (source, second, price, quote_at)
       select $1, s, case when n % 7 <> 3 then 4000000 + (n * 37) % 101 end,
              case when n % 7 <> 3 then to_timestamp(s) - (n * 613 % 1999) * interval '1 millisecond' end
         from generate_series(coalesce((select max(second) + 1 from ticks where source = $1), $2::bigint), $3::bigint) s
        cross join lateral (select s - $2::bigint as n) counted`,
      [LIVE, baseMs / 1000, Math.floor((baseMs + ms) / 1000)],
    )
  }
  await at(0)
  const book = await openTestBook(db, { origin: BOOK_ORIGIN, log })
  const feed = { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' } as const
  const simulated = createMarket({ db, clock, log, settings: feed })
  await simulated.start()
  const market = {
    ...simulated,
    liveSource: LIVE,
    chooseSource: (opensAtMs: number, closesAtMs: number) => (closesAtMs - opensAtMs === 120_000 ? LIVE : 'simulated'),
    closedReason: () => null,
  }
  const app = await buildTestApp(db, { clock, market, book, settings })
  const players = await createPlayers(db, playerCount)
  const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
  await book.turn()

  const prices: RoundPrices = {
    ...market,
    feedStatus: () => {
      throw new Error('nobody looks')
    },
  }
  const deps = { db, prices, hints: noHints, log }
  const source = (): Promise<BookSource> => bookOf(app)
  return {
    ...{ db, clock, book, app, players, admin, baseMs, deps, at, source },
    async open(type) {
      await openRound(db, prices, type, clock.now())
      const { rows } = await db.query<{ id: string }>(
        `select id from rounds where type = $1 order by index desc, attempt desc limit 1`,
        [type],
      )
      return rows[0]?.id ?? ''
    },
    bet: (who, roundId, side, seenBasis, key) =>
      app.call('POST', '/api/v1/history', {
        token: tokenOf(players[who] as TestPlayer),
        body: { gameId: roundId, score: 10, value: side, seenBasis },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }),
    asAdmin: (method, path, body) =>
      app.call(method, path, { token: tokenOf(admin), ...(body === undefined ? {} : { body }) }),
    async settle() {
      expect(await settleDue({ ...deps, clock })).toBe(false)
      await book.turn()
      await closeDueInBook(deps)
      await book.turn()
    },
    async entries() {
      const opened = await source()
      const head = await opened.head()
      const found: Entry[] = []
      for await (const { lines } of opened.entries(head, 0, head.size))
        for (const line of lines) {
          const parsed = parseEntry(line)
          if (parsed.is !== 'entry') throw new Error(line)
          found.push(parsed.entry)
        }
      return found
    },
    async close() {
      await simulated.stop()
      await app.close()
      await book.stop()
      await db.close()
    },
  }
}
