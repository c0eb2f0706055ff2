import { describe, expect, test } from 'vitest'
import { EPOCH_MS, windowAt, windowOf } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createRoundSources } from './round-sources.ts'

const live = 'pyth@127.0.0.1:1'
/** A window of 30 s in the past, whose neighbours are not at a boundary of the other types. */
const index = 1_000_001
const { opensAtMs, closesAtMs } = windowAt('30s', index)
const opensAt = opensAtMs / 1000
const closesAt = closesAtMs / 1000

describe.each(testEngines)('the sources of the running rounds on %s', (engine) => {
  const db = useDatabase(engine)

  const addRound = (windowIndex: number, source: string, attempt = 0) => {
    const window = windowAt('30s', windowIndex)
    return db.query(
      `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source)
       values ($1, '30s', $2, $3, $4, $5, $5, $6)`,
      [newId(), BigInt(windowIndex), attempt, new Date(window.opensAtMs), new Date(window.closesAtMs), source],
    )
  }
  const follow = (liveSource: string | null = live) =>
    createRoundSources(db, { liveSource, chooseSource: () => 'simulated' })
  /** Which of the two sources the room gets at this second. */
  const shownAt = (sources: ReturnType<typeof follow>, second: number) =>
    [live, 'simulated'].filter((source) => sources.isOf('30s', source, second))

  test('a room gets the source of its round, and at a boundary that of the round before, too', async () => {
    const sources = follow()
    await addRound(index, live)
    await sources.read(opensAtMs)
    expect(shownAt(sources, opensAt + 1)).toEqual([live])
    expect(shownAt(sources, closesAt - 1)).toEqual([live])
    // The next round is not known yet: its first second is part of both.
    expect(shownAt(sources, closesAt)).toEqual([live, 'simulated'])
    await addRound(index + 1, 'simulated')
    await sources.read(closesAtMs + 3)
    expect(shownAt(sources, closesAt)).toEqual([live, 'simulated'])
    expect(shownAt(sources, closesAt + 1)).toEqual(['simulated'])
    // A tick of the round before that is late.
    expect(shownAt(sources, closesAt - 1)).toEqual([live])
    await addRound(index + 2, 'simulated')
    await sources.read(closesAtMs + 30_003)
    expect(shownAt(sources, closesAt + 30)).toEqual(['simulated'])
  })

  test('a round that has just begun is read again until it has its row', async () => {
    const sources = follow()
    await addRound(index - 1, live)
    expect(await sources.read(opensAtMs + 5)).toBe(true)
    expect(await sources.read(opensAtMs + 1_500)).toBe(false)
    for (const type of ['60s', '90s', '120s'] as const)
      await db.query(
        `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source)
         values ($1, $2, $3, 0, $4, $5, $5, 'simulated')`,
        [newId(), type, BigInt(windowOf(type, opensAtMs).index), new Date(opensAtMs), new Date(closesAtMs)],
      )
    await addRound(index, live)
    expect(await sources.read(opensAtMs + 5)).toBe(false)
  })

  test('the newest attempt counts, also when it was made by another process', async () => {
    const sources = follow()
    await addRound(index, live)
    await sources.read(opensAtMs)
    await addRound(index, 'simulated', 1)
    await sources.read(opensAtMs + 9_000)
    expect(shownAt(sources, opensAt + 10)).toEqual(['simulated'])
  })

  test('a window without a round goes on with the source before; without any, with that of a round that begins now', async () => {
    const sources = follow()
    expect(shownAt(sources, opensAt + 1)).toEqual(['simulated'])
    await addRound(index - 1, live)
    await sources.read(opensAtMs + 5_000)
    expect(shownAt(sources, opensAt + 6)).toEqual([live])
  })

  test('rows beyond the clock, which was set back, do not count', async () => {
    const sources = follow()
    await addRound(index + 5, 'simulated')
    await addRound(index, live)
    await sources.read(opensAtMs + 150_000)
    await sources.read(opensAtMs + 2_000)
    expect(shownAt(sources, opensAt + 3)).toEqual([live])
  })

  test('without a live feed nothing is read', async () => {
    const sources = createRoundSources({ ...db, query: () => Promise.reject(new Error('a query')) } as Database, {
      liveSource: null,
      chooseSource: () => 'simulated',
    })
    expect(await sources.read(EPOCH_MS + 5)).toBe(false)
    expect(shownAt(sources, opensAt + 1)).toEqual([live, 'simulated'])
  })
})
