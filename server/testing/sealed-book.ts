import { hash } from 'node:crypto'
import { toUtf8 } from '#domain/book/bytes.ts'
import { encodeBundle } from '#domain/book/bundle.ts'
import { encodeEntry, type EntryKind } from '#domain/book/entry.ts'
import { leafHash, rootOf } from '#domain/book/merkle.ts'
import { TILE_WIDTH } from '#domain/book/tiles.ts'
import type { Database } from '#server/platform/db.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/**
 * Seals everything that waits into log 1 without a key, for tests of what is written and read: its notes say the size
 * and the root alone. Answers the entries that it added.
 */
export async function sealAll(db: Database): Promise<string[]> {
  return db.tx(async (tx) => {
    await tx.query(`insert into book_logs (generation, origin, vkey) values (1, 'test', 'test') on conflict do nothing`)
    await tx.query(`insert into book_tips (generation) values (1) on conflict do nothing`)
    const { rows: waiting } = await tx.query<{
      kind: EntryKind
      at_ms: bigint
      fields: string
      round_id: string | null
      bet_id: string | null
    }>(`with taken as (delete from book_queue returning *) select * from taken order by seq`)
    const { rows: stored } = await tx.query<{ leaf_hashes: Uint8Array }>(
      `select leaf_hashes from book_entries where generation = 1 order by first_index`,
    )
    const before = stored.flatMap(({ leaf_hashes: all }) =>
      Array.from({ length: all.length / 32 }, (_, at) => all.subarray(32 * at, 32 * at + 32)),
    )
    const beatAt = Date.now()
    const added = [
      ...waiting.map((row) => ({ ...row, line: encodeEntry(row.kind, Number(row.at_ms), row.fields) })),
      { kind: 'beat' as const, at_ms: BigInt(beatAt), round_id: null, bet_id: null, line: '' },
    ].map((row) => (row.kind === 'beat' ? { ...row, line: encodeEntry('beat', beatAt, ',"ticks":[]}') } : row))
    const leaves = [...before, ...added.map(({ line }) => leafHash(sha256, toUtf8(line)))]
    for (let from = before.length; from < leaves.length;) {
      const to = Math.min(leaves.length, (Math.floor(from / TILE_WIDTH) + 1) * TILE_WIDTH)
      const lines = added.slice(from - before.length, to - before.length).map(({ line }) => toUtf8(line))
      await tx.query(
        `insert into book_entries (generation, first_index, count, entries, leaf_hashes) values (1, $1, $2, $3, $4)`,
        [BigInt(from), to - from, encodeBundle(lines), Buffer.concat(leaves.slice(from, to))],
      )
      if (to % TILE_WIDTH === 0)
        await tx.query(`insert into book_nodes (generation, level, index, hash) values (1, 1, $1, $2)`, [
          BigInt(to / TILE_WIDTH - 1),
          rootOf(sha256, leaves.slice(to - TILE_WIDTH, to)),
        ])
      from = to
    }
    for (const [at, { kind, at_ms: atMs, round_id: round, bet_id: bet, line }] of added.entries()) {
      const index = BigInt(before.length + at)
      if (round !== null)
        await tx.query(
          `insert into book_places (round_id, generation, index, kind, bet_id, sealed_at_ms) values ($1, 1, $2, $3, $4, $5)`,
          [round, index, kind, bet, BigInt(beatAt)],
        )
      if (NOTABLE.has(kind))
        await tx.query(`insert into book_notable (generation, index, kind, at_ms, line) values (1, $1, $2, $3, $4)`, [
          index,
          kind,
          atMs,
          line,
        ])
    }
    const root = Buffer.from(rootOf(sha256, leaves)).toString('base64')
    await tx.query(`update book_tips set size = $1, note = $2, beat_at_ms = $3 where generation = 1`, [
      BigInt(leaves.length),
      `test\n${leaves.length}\n${root}\n`,
      BigInt(beatAt),
    ])
    return added.map(({ line }) => line)
  })
}

const NOTABLE: ReadonlySet<EntryKind> = new Set(['rules', 'seed', 'seed-open', 'act', 'feed', 'dispute', 'restart'])
