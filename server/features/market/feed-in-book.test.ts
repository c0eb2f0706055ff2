import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import type { Database } from '#server/platform/database/db.ts'
import { queueFeed } from '#server/features/book/index.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { keepFeedInBook } from './feed-in-book.ts'

describe.each(testEngines)('the feed in the open book on %s', (engine) => {
  let db: Database
  beforeAll(async () => void (db = await openTestDatabase(engine)))
  afterAll(() => db.close())

  const told = async (source: string): Promise<string[]> => {
    const { rows } = await db.query<{ fields: string }>(
      `select fields from book_queue where kind = 'feed' and fields like $1 order by seq`,
      [`,"source":"${source}",%`],
    )
    return rows.map(({ fields }) => fields.slice(`,"source":"${source}",`.length))
  }
  /** A process that follows a live source. */
  const follow = () => {
    const state = { isSure: true, isGoldOpen: true, reason: null as FeedClosedReason | null }
    const stop = keepFeedInBook(
      {
        db,
        log: createLog('silent'),
        live: 'pyth',
        isClockSure: () => state.isSure,
        isGoldOpen: () => state.isGoldOpen,
        closedReason: (source) => (source === 'simulated' ? null : state.reason),
      },
      500,
    )
    return { state, stop }
  }
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 30 })

  test('says each change once, whether one process or two see it, and why betting is closed', async () => {
    // Another live source was configured when the log said this.
    await db.query(`insert into book_feeds (source, state, why) values ('swissquote', 'open', 'OK')`)
    const both = [follow(), follow()]
    const change = (to: Partial<(typeof both)[0]['state']>) => {
      for (const { state } of both) Object.assign(state, to)
    }
    const expected: string[] = []
    const says = async (why: string) => {
      expected.push(`"state":"${why === 'OK' ? 'open' : 'closed'}","why":"${why}"}`)
      await until(async () => expect(await told('pyth')).toEqual(expected))
    }
    await says('OK')
    change({ reason: 'STALE' })
    await says('STALE')
    change({ reason: 'JUMP' })
    await says('JUMP')
    change({ reason: null, isGoldOpen: false })
    await says('MARKET')
    change({ isSure: false })
    await says('CLOCK')
    change({ isSure: true, isGoldOpen: true })
    await says('OK')
    for (const process of both) await process.stop()
    // A process that starts later and finds what the log says has nothing to say.
    const third = follow()
    await new Promise((resolve) => setTimeout(resolve, 400))
    await third.stop()
    expect(await told('pyth')).toEqual(expected)
    expect(await told('swissquote')).toEqual(['"state":"closed","why":"MARKET"}'])
    expect(await told('simulated')).toEqual([
      '"state":"open","why":"OK"}',
      '"state":"closed","why":"CLOCK"}',
      '"state":"open","why":"OK"}',
    ])
  })

  test('says that a source is open again where the process is gone that said that it is closed', async () => {
    const one = follow()
    onTestFinished(() => one.stop())
    const open = `"state":"open","why":"OK"}`
    await until(async () => expect((await told('pyth')).at(-1)).toBe(open))
    const before = await told('pyth')
    await queueFeed(db, { source: 'pyth', state: 'closed', why: 'STALE' })
    await until(async () => expect(await told('pyth')).toEqual([...before, `"state":"closed","why":"STALE"}`, open]))
    // As long as both see the same, nothing more is said.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await told('pyth')).toHaveLength(before.length + 2)
  })
})
