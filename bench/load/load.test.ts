// Gate: players play against a server for a while.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { windowOf } from '#domain/game/calendar.ts'
import { setOrigin } from '../../proofs/chat/page.ts'
import { withServer } from '#testing/machines/process.ts'
import { until } from '#testing/time/until.ts'
import { newcomers, readAccounts } from './accounts.ts'
import { runLoad } from './run.ts'
import type { Pace } from './schedule.ts'
import { storedByApi, storedInDatabase } from './stored.ts'
import { isRight, judge, verdictLine } from './verdict.ts'

// With the seed of the short run no phone loses its network before its player has entered, also on a busy machine.
const [SEED, PACE] = (
  inject('isFull')
    ? [5, { players: 12, rampS: 2, playS: 13, bets: 6, messages: 6, looks: 3, drops: 4, awayS: 2 }]
    : [727, { players: 8, rampS: 1, playS: 6, bets: 60, messages: 15, looks: 15, drops: 8, awayS: 0.6 }]
) satisfies [number, Pace]

/** Longer than the start of a server and a run, in ms. */
const EDGE_AWAY_MS = 20_000

const fetchBefore = globalThis.fetch
let dataDir: string
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'load-'))
})
afterAll(() => {
  globalThis.fetch = fetchBefore
  rmSync(dataDir, { recursive: true, force: true })
})

test('players at a real server: everything acknowledged is found, and a row that is then deleted is missed', async () => {
  // A server that starts in a round's last seconds takes no bet in it (rules §2), and up to four rounds end at once.
  const isFarFromEdges = () =>
    (['90s', '120s'] as const).every((type) => windowOf(type, Date.now()).closesAtMs - Date.now() > EDGE_AWAY_MS)
  await until('rounds that last through the run', 3 * EDGE_AWAY_MS, isFarFromEdges)
  const { run, seenByPlayers } = await withServer(
    { DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'error' },
    async ({ address }) => {
      setOrigin(address)
      const run = await runLoad({ url: address, seed: SEED, pace: PACE, accounts: await newcomers(PACE.players) })
      return { run, seenByPlayers: await storedByApi(run.clients) }
    },
  )
  const { seen, acknowledged, undecided, clients } = run
  expect(seen.counts.filter(({ outcome }) => outcome === 'unexpected')).toEqual([])
  expect(clients).toHaveLength(PACE.players)
  const kinds = ['sign in', 'enter', 'bet', 'message', 'look', 'reconnect'] as const
  expect(kinds.filter((kind) => (seen.done.get(kind) ?? 0) <= 2)).toEqual([])
  // Each watches one game, which has a price a second.
  expect(seen.ticks).toBeGreaterThan(PACE.players * (inject('isFull') ? 5 : 1))
  expect(seen.lost).toBe(0)
  const before = judge(acknowledged, seenByPlayers, undecided)
  expect(verdictLine(before)).toBe(`acknowledged ${acknowledged.length}, found ${acknowledged.length}, lost 0, twice 0`)
  expect(isRight(before, seen.unexpected, 0)).toBe(true)

  const db = await openEmbedded({ dataDir })
  try {
    expect(judge(acknowledged, await storedInDatabase(db, clients), undecided)).toEqual(before)
    const victim = acknowledged.find(({ what }) => what === 'message')
    await db.tx(async (tx) => {
      // Its triggers refuse to delete a message: this is what a disk that lies might do.
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from messages where id = $1', [victim?.id ?? null])
    })
    const after = judge(acknowledged, await storedInDatabase(db, clients), undecided)
    expect(after).toEqual({ ...before, found: before.found - 1, lost: [victim] })
    expect(isRight(after, 0, 0)).toBe(false)
  } finally {
    await db.close()
  }
}, 150_000)

test('a file of accounts has a name and a password on each line', () => {
  const text = 'lan mat khau 1\nminh,mk2\r\n\n  hoa \t mk3 \n'
  expect(readAccounts(text, 3).map(({ username, password }) => [username, password])).toEqual([
    ['lan', 'mat khau 1'],
    ['minh', 'mk2'],
    ['hoa', 'mk3'],
  ])
  expect(readAccounts(text, 1)).toHaveLength(1)
  expect(() => readAccounts(text, 4)).toThrow('The file has 3 accounts, and 4 are needed')
})
