import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#server/platform/process/ids.ts'
import { makeEmbeddedTemplate, onEmbeddedCopy, withEmbedded } from '../../bench/embedded.ts'
import { openRoundWithBets } from '../../bench/open-bets.ts'
import { foldCandles } from '../../bench/place-bets-http.ts'
import { withServer } from '#testing/machines/process.ts'
import { tokenOf } from '../../bench/world.ts'
import type { BarLine } from '../report.ts'
import { BETS_A_ROUND, get, IN_FLIGHT, lagLine, linkBank, post } from './filings.ts'
import { type FloodCall, startFlood } from './flood.ts'

const ROUNDS = 8
/**
 * The database is prepared while the server is stopped. By the first round's end it has started and compiled its code.
 */
const FIRST_END_AFTER_MS = 25_000
const FLOOD_BEFORE_MS = 3_000
/** The bar of rules §2. The embedded engine shares a processor with the server. */
const BAR_MS = 1_000

/**
 * The same as `filings`, with the embedded database: the time from a round's end to ENDED. Two rounds warm the server.
 */
export async function filingsEmbedded(): Promise<BarLine[]> {
  const players = ROUNDS * BETS_A_ROUND + 1
  const template = await makeEmbeddedTemplate(players)
  const floods: ReadonlyArray<readonly [string, FloodCall | null]> = [
    ['nobody else', null],
    ['deposits filed', post('/api/v1/transaction', { money: 1, type: 'DEPOSIT', description: 'flood' })],
    ['reads of the own history', get('/api/v1/history/user?page=1&limit=10', true)],
  ]
  try {
    const lines: BarLine[] = []
    for (const [what, call] of floods) {
      const own = call === null ? null : { ...call, token: tokenOf(players) }
      const { lags, statuses } = await onEmbeddedCopy(template, (dataDir) => lagUnder(dataDir, players, own))
      lines.push(lagLine(`embedded, settlement beside ${IN_FLIGHT} in flight: ${what}`, lags, null, statuses, BAR_MS))
    }
    return lines
  } finally {
    template.drop()
  }
}

async function lagUnder(dataDir: string, attacker: number, call: FloodCall | null) {
  const ids = Array.from({ length: ROUNDS }, () => newId())
  const firstEndMs = Math.ceil((Date.now() + FIRST_END_AFTER_MS) / 1000) * 1000
  await withEmbedded(dataDir, async (db) => {
    await linkBank(db, attacker)
    for (const [nth, id] of ids.entries()) {
      const first = nth * BETS_A_ROUND + 1
      const times = { opensAtMs: firstEndMs - 60_000, closesAtMs: firstEndMs + nth * 1000 }
      await openRoundWithBets(db, { id, ...times }, first, first + BETS_A_ROUND - 1)
    }
    await db.query('analyze')
  })
  const statuses = await withServer({ DATA_DIR: dataDir, RATE_LIMIT_FACTOR: '1000000' }, async ({ address }) => {
    await foldCandles(address)
    await sleep(Math.max(0, firstEndMs - FLOOD_BEFORE_MS - Date.now()))
    const stop = call === null ? null : startFlood(address, IN_FLIGHT, call)
    await sleep(FLOOD_BEFORE_MS + ROUNDS * 1000 + 5_000)
    return (await stop?.()) ?? {}
  })
  const lags = await withEmbedded(dataDir, async (db) => {
    const { rows } = await db.query<{ lag: number | null }>(
      `select (extract(epoch from ended_at - closes_at) * 1000)::float8 as lag from rounds
        where id = any($1::uuid[]) order by closes_at offset 2`,
      [ids],
    )
    return rows.map(({ lag }) => lag ?? Number.POSITIVE_INFINITY)
  })
  return { lags: lags.toSorted((a, b) => a - b), statuses }
}
