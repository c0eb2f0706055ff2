// Gate: programs in Go are built and started.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toBase64 } from '#domain/book/bytes.ts'
import { HASH_BYTES } from '#domain/book/merkle.ts'
import { consistencyProof, TILE_WIDTH, tileOf, tilePath } from '#domain/book/tiles.ts'
import { type BookWorld, createBookWorld } from '#testing/book/book-world.ts'
import { buildGoChecker, type GoChecker, hasGo } from '#testing/book/go-checker.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { sha256 } from '#testing/book/test-log.ts'

describe.skipIf(!hasGo).each(testEngines)(
  'what a server on %s serves (needs Debian’s golang-go and golang-golang-x-mod-dev)',
  (engine) => {
    let world: BookWorld
    let checker: GoChecker
    beforeAll(async () => {
      world = await createBookWorld(engine, 2)
      checker = buildGoChecker()
    })
    afterAll(async () => {
      await world.close()
      checker.remove()
    })

    test('is verified by Go’s checksum database: note, tiles, bundles, the proof of a bet, a later note', async () => {
      const { app, book, db, at, open, bet, players } = world
      const get = async (path: string) => {
        const reply = await app.http.inject({
          method: 'GET',
          url: path,
          headers: { authorization: players[0]?.bearer },
        })
        return { status: reply.statusCode, bytes: new Uint8Array(reply.rawPayload) }
      }
      await at(1_200)
      const placed = await bet(0, await open('60s'), 'UP', 'PRICE')
      expect(placed.status).toBe(200)
      await book.turn()
      const { id, index } = await (async () => {
        const { rows } = await db.query<{ bet_id: string; index: bigint }>(
          'select bet_id, index from book_places where bet_id is not null',
        )
        return { id: rows[0]?.bet_id ?? '', index: Number(rows[0]?.index) }
      })()
      const older = book.head()!
      checker.write('older', older.note)
      checker.write('proof', (await get(`/api/v1/history/${id}/proof`)).bytes)

      await db.query(
        `insert into book_queue (kind, fields)
       select 'feed', ',"source":"x","state":"open","why":"OK"}' from generate_series(1, 1500)`,
      )
      await book.turn()
      const head = await checker.mirror(get)
      expect(head.size).toBeGreaterThan(1_500)
      const tiles = new Map<string, Uint8Array>()
      for (let first = 0; first < head.size; first += TILE_WIDTH) {
        const { level, n, width } = tileOf(0, first, head.size)
        tiles.set(`0/${n}`, checker.read(tilePath(level, n, width)))
      }
      const { level, n, width } = tileOf(1, 0, head.size)
      tiles.set('1/0', checker.read(tilePath(level, n, width)))
      const proof = consistencyProof(
        sha256,
        (level, at) => {
          const tile = tiles.get(`${level}/${Math.floor(at / TILE_WIDTH)}`)!
          return tile.subarray((at % TILE_WIDTH) * HASH_BYTES, ((at % TILE_WIDTH) + 1) * HASH_BYTES)
        },
        older.size,
        head.size,
      )
      checker.write('consistency', `${proof.map(toBase64).join('\n')}\n`)
      expect(checker.run()).toEqual([
        0,
        `verified: ${head.size} entries, a proof of entry ${index}, consistency with ${older.size}\n`,
      ])

      const bytes = checker.read('tile/0/002')
      checker.write('tile/0/002', bytes.with(77, (bytes[77] ?? 0) ^ 1))
      expect(checker.run()).toEqual([1, expect.stringMatching(/^tile: /)])
    })
  },
)
