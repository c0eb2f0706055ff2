import { describe, expect, test } from 'vitest'
import { buildTestApp } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, createRound } from '#testing/play/rounds.ts'
import { openSettableDatabase } from '#testing/time/settable-database.ts'
import { testEngines } from '#testing/database/test-database.ts'

const BEHIND_S = 600

describe.runIf(testEngines.includes('native'))('a process whose wall clock is behind (PostgreSQL only)', () => {
  test('has its bets in the figures and the list of their round', async () => {
    const db = await openSettableDatabase('native')
    await db.setAhead(BEHIND_S * 1000)
    const app = await buildTestApp(db)
    try {
      const round = await createRound(db, { goneS: 5 - BEHIND_S, leftS: BEHIND_S + 3_600 })
      const [[player], [admin]] = [
        await createPlayers(db, 1),
        await createPlayers(db, 1, { role: 'admin', prefix: 'a' }),
      ]
      const body = { gameId: round.id, score: 100, value: 'UP' }
      const placed = await app.call('POST', '/api/v1/history', { token: bareToken(player), body })
      expect(placed.status).toBe(200)
      const rowsOf = async (path: string) => (await app.call('GET', `/api/v1${path}`, { token: bareToken(admin) })).rows
      expect(await rowsOf('/game/by-type/60s')).toMatchObject([{ _id: round.id, figures: { bets: 1 } }])
      expect(await rowsOf(`/history?roundId=${round.id}`)).toHaveLength(1)
    } finally {
      await app.close()
      await db.close()
    }
  })
})
