import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EntryKind } from '#domain/book/entry.ts'
import { type OpenBook, queueEntries } from '#server/features/book/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openTestBook } from '#testing/app/app.ts'
import { createAdmin } from '#testing/play/books.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { closeDueInBook } from './close-in-book.ts'
import { createBetPlacer } from './place-bets.ts'
import { setResult } from './set-result.ts'
import { settleRound } from './settle-round.ts'

const ROUNDS = 25
const PLAYERS = 24

// The embedded engine has one connection: there is nothing to race.
describe.skipIf(!testEngines.includes('native'))('entries of one round, by two processes (PostgreSQL only)', () => {
  const db = useDatabase('native', { areReset: false })
  let other: Database
  let books: OpenBook[]
  beforeAll(async () => {
    other = openNative({ url: db.url ?? '' })
    books = await Promise.all([db, other].map((on) => openTestBook(on, { origin: 'kim-phien/test' })))
  })
  afterAll(async () => {
    for (const book of books) await book.stop()
    await other.close()
  })

  test('stand in the order round, bets, announcement, result, closed', async () => {
    const admin = await createAdmin(db)
    const players = await createPlayers(db, PLAYERS)
    const deps = (on: Database) => ({
      db: on,
      prices: fixedPrices((second) => second),
      hints: noHints,
      log: createLog('silent'),
    })
    const placers = [db, other].map((on) => createBetPlacer(deps(on), encodeBet))
    let isOver = false
    const sealing = books.map(async (book) => {
      while (!isOver) {
        await book.turn()
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
    })
    const ids: string[] = []
    for (let nth = 0; nth < ROUNDS; nth++) {
      const round = await createRound(db, { book: 'open', leftS: 40 })
      ids.push(round.id)
      await queueEntries(db, [
        {
          kind: 'round',
          fields: {
            round: round.id,
            type: round.type,
            n: nth + 1,
            attempt: 0,
            opens: round.opensAtMs,
            locks: round.closesAtMs - 1000,
            closes: round.closesAtMs,
            source: 'simulated',
          },
        },
      ])
      const later = <T>(work: () => Promise<T>): Promise<T> =>
        new Promise((resolve) => setTimeout(resolve, Math.random() * 30)).then(work)
      // Half of the players take the announcement for granted, and are refused before it.
      const bets = players.map((player, at) =>
        later(async () => {
          const call = wish(player, round.id)
          return placers[at % 2]?.({ ...call, seenBasis: at % 2 === 0 ? 'PRICE' : 'ADMIN' })
        }),
      )
      const announcing = nth % 2 === 0 ? later(() => setResult(deps(other), admin, round.id, 'up')) : null
      const settling = [db, other].map((on) =>
        later(async () => {
          await new Promise((resolve) => setTimeout(resolve, 15))
          await settleRound(deps(on), round.id)
        }),
      )
      await Promise.all([...bets, announcing, ...settling])
      while ((await settleRound(deps(db), round.id)) !== 'ended') await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await db.query(`update rounds set closes_at = clock_timestamp() - interval '1 minute' where id = any($1::uuid[])`, [
      ids,
    ])
    for (let tries = 0; tries < 200; tries++) {
      await Promise.all([closeDueInBook(deps(db)), closeDueInBook(deps(other))])
      const { rows } = await db.query(`select 1 from rounds where book = 'open'`)
      if (rows.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    isOver = true
    await Promise.all(sealing)
    await books[0]?.turn()

    let [bets, announced] = [0, 0]
    for (const id of ids) {
      const { rows } = await db.query<{ kind: EntryKind; basis: string | null }>(
        `select p.kind, b.basis from book_places p left join bets b on b.id = p.bet_id
          where p.round_id = $1 order by p.index`,
        [id],
      )
      const found = rows.map(({ kind, basis }) => basis ?? kind)
      expect(found.join(' ')).toMatch(/^round( PRICE)*( announce( ADMIN)*)? result closed$/)
      bets += found.filter((kind) => kind === 'PRICE' || kind === 'ADMIN').length
      announced += found.filter((kind) => kind === 'announce').length
      const { rows: placed } = await db.query<{ n: bigint }>(`select count(*) as n from bets where round_id = $1`, [id])
      expect(rows.filter(({ kind }) => kind === 'bet')).toHaveLength(Number(placed[0]?.n))
    }
    // The race was one: some bets came in time, some did not.
    expect(bets).toBeGreaterThan(ROUNDS)
    expect(bets).toBeLessThan(ROUNDS * PLAYERS)
    expect(announced).toBeGreaterThan(0)
  })
})
