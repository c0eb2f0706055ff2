import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openRoundWithBets } from '../../bench/open-bets.ts'
import { withServer } from '#testing/machines/process.ts'
import { checkLedger, onDatabase } from '../../bench/scratch.ts'
import { makeWorld, parsedTokenOf, ROUND_ID, tokenOf } from '../../bench/world.ts'
import type { BarLine } from '../report.ts'
import { type FloodCall, startFlood, type Statuses } from './flood.ts'

export const IN_FLIGHT = 400
export const BETS_A_ROUND = 1_000
/** One round ends each second. With only 12 rounds the p99 is their longest lag. */
const ROUNDS = 12
/** The bettors, the account that floods, and one player who reads the game during the flood. */
const PLAYERS = ROUNDS * BETS_A_ROUND + 2
const BAR_MS = 500
/** By the time that this has passed the flood has filled every queue. */
const SPREAD_MS = 2_000

interface Seen {
  /** One lag for each round, ascending. */
  readonly lags: readonly number[]
  /** The latency of another player's call every 100 ms, ascending. */
  readonly waits: readonly number[]
  readonly statuses: Statuses
}

export function lagLine(
  what: string,
  lags: readonly number[],
  waits: readonly number[] | null,
  statuses: Statuses,
  barMs: number,
): BarLine {
  const p99Ms = quantile(lags, 0.99)
  const others = waits === null ? [] : [`others’ calls p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms`]
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return {
    what,
    seen: [`p50 ${quantile(lags, 0.5)} ms, p99 ${p99Ms} ms`, ...others, answers.join(', ')].join('; '),
    bar: `p99 ≤ ${barMs} ms`,
    isMet: p99Ms <= barMs,
  }
}

/**
 * One account keeps 400 calls in flight and sends the next as soon as one is answered, while rounds with 1,000 bets of
 * other players end. Measures the time from a round's end to the event of its last bet, and to ENDED (rules §2).
 */
export async function filings(): Promise<BarLine[]> {
  const floods: Array<{ readonly what: string; readonly call: FloodCall | null }> = [
    { what: 'nobody else', call: null },
    {
      what: 'deposits filed',
      call: post('/api/v1/transaction', { money: 1, type: 'DEPOSIT', description: 'flood' }),
    },
    { what: 'bets', call: post('/api/v1/history', { gameId: ROUND_ID, score: 1, value: 'UP', seenBasis: 'PRICE' }) },
    { what: 'reads of the own history', call: get('/api/v1/history/user?page=1&limit=10', true) },
    { what: 'reads of the own ledger', call: get('/api/v1/user/ledger?page=1&limit=10', true) },
    { what: 'public calls without an account', call: get('/api/v1/public-config', false) },
    { what: 'filings with a wrong token', call: { ...post('/api/v1/transaction', {}), token: wrongToken() } },
  ]
  // Each flood has its own rounds, bettors and account in the same database; so has the warm-up.
  const players = (floods.length + 1) * PLAYERS
  return onDatabase('filings', async (url, db) => {
    await makeWorld(db, players)
    const lines: BarLine[] = []
    await withServer({ DATABASE_URL: url, RATE_LIMIT_FACTOR: '1000000' }, async ({ address }) => {
      // A warm-up: a server that has run for a while has compiled its code.
      await lagUnder(db, address, floods.length * PLAYERS + 1, null)
      for (const [nth, { what, call }] of floods.entries()) {
        const first = nth * PLAYERS + 1
        const attacker = first + ROUNDS * BETS_A_ROUND
        await linkBank(db, attacker)
        const own = call === null || call.token !== OWN ? call : { ...call, token: tokenOf(attacker) }
        const { lags, waits, statuses } = await lagUnder(db, address, first, own)
        lines.push(lagLine(`settlement beside ${IN_FLIGHT} in flight: ${what}`, lags, waits, statuses, BAR_MS))
        process.stderr.write(`  ${lines.at(-1)?.what}: ${lines.at(-1)?.seen}\n`)
      }
    })
    const { rows } = await db.query<{ filed: bigint; most: bigint }>(
      `select coalesce(sum(n), 0)::bigint as filed, coalesce(max(n), 0) as most
         from (select count(*) as n from cash_requests where status = 'pending' group by owner_id) owners`,
    )
    const most = Number(rows[0]?.most)
    lines.push({
      what: 'requests that one account has pending',
      seen: `${most}`,
      bar: '≤ 20',
      isMet: most <= 20,
    })
    await checkLedger(db)
    return lines
  })
}

/** Placeholder for the token of the flood's own account. */
const OWN = 'own'

export const get = (path: string, isSignedIn: boolean): FloodCall => ({
  method: 'GET',
  path,
  token: isSignedIn ? OWN : null,
  body: null,
})
export const post = (path: string, body: object): FloodCall => ({
  method: 'POST',
  path,
  token: OWN,
  body: JSON.stringify(body),
})

/** A well-formed token whose secret belongs to nobody. */
function wrongToken(): string {
  const bytes = Buffer.from(tokenOf(1).slice('kp1.'.length), 'base64url')
  bytes.fill(0, 32)
  return `kp1.${bytes.toString('base64url')}`
}

export async function linkBank(db: Database, player: number): Promise<void> {
  await db.query(
    `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, '0123456789', 'A', 'B')`,
    [newId(), parsedTokenOf(player).userId],
  )
}

async function lagUnder(db: Database, address: string, first: number, call: FloodCall | null): Promise<Seen> {
  const rounds = Array.from({ length: ROUNDS }, (_, nth) => ({ id: newId(), first: first + nth * BETS_A_ROUND }))
  const opensAtMs = Math.floor(Date.now() / 1000) * 1000 - 10_000
  for (const round of rounds)
    await openRoundWithBets(
      db,
      { id: round.id, opensAtMs, closesAtMs: opensAtMs + 86_400_000 },
      round.first,
      round.first + BETS_A_ROUND - 1,
    )
  await db.query('analyze')
  const watched = await watchLastBets(db, address, rounds)
  const firstEndMs = Math.ceil((Date.now() + SPREAD_MS + 1_000) / 1000) * 1000
  for (const [nth, { id }] of rounds.entries())
    await db.query('update rounds set closes_at = $2, locks_at = $3 where id = $1', [
      id,
      new Date(firstEndMs + nth * 1000),
      new Date(firstEndMs + nth * 1000 - 1000),
    ])
  const stop = call === null ? null : startFlood(address, IN_FLIGHT, call)
  const waits: number[] = []
  const asking = new AbortController()
  const others = askAsSomebodyElse(address, first + ROUNDS * BETS_A_ROUND + 1, waits, asking.signal)
  try {
    const deadlineMs = firstEndMs + ROUNDS * 1000 + 60_000
    for (;;) {
      const { rows } = await db.query<{ open: bigint }>(
        `select count(*) as open from rounds where id = any($1::uuid[]) and status <> 'ended'`,
        [rounds.map(({ id }) => id)],
      )
      if (Number(rows[0]?.open) === 0 && watched.toldMs.size === ROUNDS) break
      if (Date.now() > deadlineMs) throw new Error('The rounds were not settled within a minute of their end.')
      await sleep(200)
    }
  } finally {
    asking.abort()
    await others
    watched.close()
  }
  const statuses = (await stop?.()) ?? {}
  const { rows: ends } = await db.query<{ id: string; lag: number; closes_at: Date }>(
    `select id, closes_at, (extract(epoch from ended_at - closes_at) * 1000)::float8 as lag from rounds
      where id = any($1::uuid[])`,
    [rounds.map(({ id }) => id)],
  )
  const lags = ends
    .map(({ id, lag, closes_at }) => Math.max(lag, (watched.toldMs.get(id) ?? Number.NaN) - closes_at.getTime()))
    .toSorted((a, b) => a - b)
  return { lags, waits: waits.toSorted((a, b) => a - b), statuses }
}

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN)

/**
 * When the player of each round's last bet was notified. Chunks are ordered by bet id, so the last bet is in the last
 * chunk.
 */
async function watchLastBets(
  db: Database,
  address: string,
  rounds: ReadonlyArray<{ readonly id: string; readonly first: number }>,
): Promise<{ readonly toldMs: ReadonlyMap<string, number>; close(): void }> {
  const toldMs = new Map<string, number>()
  const sockets: Socket[] = []
  for (const { id, first } of rounds) {
    const { rows } = await db.query<{ user_id: string }>(
      `select user_id from bets where round_id = $1 order by id desc limit 1`,
      [id],
    )
    for (let n = first + BETS_A_ROUND - 1; n >= first; n--) {
      if (parsedTokenOf(n).userId !== rows[0]?.user_id) continue
      const socket = io(address, { transports: ['websocket'], forceNew: true, auth: { token: tokenOf(n) } })
      socket.on('bet_changed', () => toldMs.set(id, Date.now()))
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      sockets.push(socket)
      break
    }
  }
  return {
    toldMs,
    close: () => {
      for (const socket of sockets) socket.disconnect()
    },
  }
}

async function askAsSomebodyElse(address: string, player: number, waits: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    const answer = await fetch(`${address}/api/v1/user/config`, {
      headers: { authorization: `Bearer ${tokenOf(player)}` },
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`Somebody else’s call was answered ${answer.status}.`)
    waits.push(performance.now() - startedAt)
    await sleep(100)
  }
}
