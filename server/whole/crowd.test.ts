import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleDue } from '#server/features/game/index.ts'
import { issueToken } from '#server/platform/http/auth.ts'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNativeConnections, POOL_SIZES } from '#server/platform/database/native.ts'
import { buildTestApp, type Reply, type TestApp } from '#testing/app/app.ts'
import { letPass } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, createRound, fixedPrices, noHints, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'

describe.each(testEngines)('a crowd of calls on %s', (engine) => {
  let db: Database & { readonly url: string | null; readonly connections?: Connections }
  let connections: Connections
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(engine)
    connections = db.connections ?? openNativeConnections(db.url ?? '')
    app = await buildTestApp(db, { connections })
  })
  afterAll(async () => {
    await app.close()
    if (connections !== db.connections) await connections.close()
    await db.close()
  })

  const bare = (who: TestPlayer) => who.bearer.slice('Bearer '.length)
  const bet = (token: string, roundId: string) =>
    app.call('POST', '/api/v1/history', { token, body: { gameId: roundId, score: 1, value: 'UP' } })
  /** The embedded engine has one connection for all of them. */
  const sleep = `select pg_sleep(${engine === 'native' ? 0.1 : 0.03})`
  const hold = (queries: number) =>
    Promise.all(Array.from({ length: queries }, () => connections.requests.query(sleep)))
  const statuses = (replies: readonly Reply[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  test('rounds are settled, sessions checked and bets placed while every other connection is taken', async () => {
    const players = await createPlayers(db, 2)
    const [early, late] = players
    const [due, running] = [await createRound(db, { leftS: 30 }), await createRound(db)]
    expect((await bet(bare(early), due.id)).status).toBe(200)
    await letPass(db, 40)
    let isTaken = true
    // All connections are taken, and as many again wait.
    const taken = hold(engine === 'native' ? 8 * POOL_SIZES.requests : 30).then(() => (isTaken = false))
    const token = issueToken(early.id, newId()).token
    expect((await app.call('GET', '/api/v1/user/me', { token })).status).toBe(401)
    expect((await bet(bare(late), running.id)).status).toBe(200)
    const prices = fixedPrices((second) => second)
    const deps = { db: connections.engine, prices, hints: noHints, clock: createFakeClock(), log: createLog('silent') }
    expect(await settleDue(deps)).toBe(false)
    expect(isTaken).toBe(true)
    const { rows } = await connections.engine.query<{ status: string }>(`select status from rounds where id = $1`, [
      due.id,
    ])
    expect(rows).toEqual([{ status: 'ended' }])
    await taken
  })

  test('invented tokens for an account neither delay nor lock out its owner', async () => {
    const [owner] = await createPlayers(db, 1)
    const round = await createRound(db)
    const madeUp = () => issueToken(owner.id, owner.token.sessionId).token
    const crowd = Array.from({ length: 200 }, () => bet(madeUp(), round.id))
    const own = await bet(bare(owner), round.id)
    expect(own.status).toBe(200)
    expect(statuses(await Promise.all(crowd))).toEqual({ 401: 200 })
  })

  test('reads of one account wait for each other, and too many get 429 with Retry-After', async () => {
    const [crowd, other] = await createPlayers(db, 2)
    const read = (who: TestPlayer) => app.call('GET', '/api/v1/user/ledger', { token: bare(who) })
    // The requests' connections are busy during this time.
    const slow = hold(5 * POOL_SIZES.requests)
    const replies = Array.from({ length: 300 }, () => read(crowd))
    expect((await read(other)).status).toBe(200)
    const answered = await Promise.all(replies)
    const { 200: served = 0, 429: sentAway = 0 } = statuses(answered)
    expect(served).toBeGreaterThanOrEqual(104)
    expect([served + sentAway, sentAway > 0]).toEqual([300, true])
    for (const { status, headers } of answered) if (status === 429) expect(headers['retry-after']).toBe('1')
    await slow
    expect((await read(crowd)).status).toBe(200)
  })
})
