import { randomBytes } from 'node:crypto'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { type Direction, type ScriptedOutcome } from '#domain/game/bet.ts'
import { DURATION_S, EPOCH_MS, locksAtMs, type RoundType } from '#domain/game/calendar.ts'
import type { TickPrice } from '#domain/game/settle.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import { welcomeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import type { GameHints, RoundPrices } from '#server/features/game/index.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import { issueToken, type ParsedToken, parseBareToken } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { encodeData } from '#server/platform/http/http.ts'
import { newId } from '#server/platform/process/ids.ts'

/** A player of a test, signed in, with a wallet. */
export interface TestPlayer {
  readonly id: string
  readonly username: string
  readonly bearer: string
  readonly token: ParsedToken
}

/** A tuple of as many people as a number says; a list if the number is only known at run time. */
export type People<Count extends number, Made extends TestPlayer[] = []> = number extends Count
  ? TestPlayer[]
  : Made['length'] extends Count
    ? Made
    : Made['length'] extends 8
      ? TestPlayer[]
      : People<Count, [...Made, TestPlayer]>

/**
 * Creates players with a session each, by set-based statements: no password is hashed, so they cannot sign in again.
 * Admins have had their capabilities for years.
 */
export async function createPlayers<const Count extends number>(
  db: Database,
  count: Count,
  {
    welcomePoints = 1000,
    scriptedOutcome = null,
    role = 'player',
    capabilities = role === 'admin' ? CAPABILITIES : [],
    prefix = 'p',
  }: {
    welcomePoints?: number
    scriptedOutcome?: ScriptedOutcome | null
    role?: 'player' | 'admin'
    /** By default an admin has every capability. */
    capabilities?: readonly Capability[]
    prefix?: string
  } = {},
): Promise<People<Count>> {
  const players = Array.from({ length: count }, (): TestPlayer & { secretHash: Uint8Array; sessionId: string } => {
    const id = newId()
    const sessionId = newId()
    const { token, secretHash } = issueToken(id, sessionId)
    const parsed = parseBareToken(token)
    if (parsed === null) throw new Error('The test made a token that nobody can read.')
    const username = `${prefix}${randomBytes(6).toString('hex')}`
    return { id, username, bearer: `Bearer ${token}`, token: parsed, secretHash, sessionId }
  })
  const ids = players.map(({ id }) => id)
  await db.tx(async (tx) => {
    await tx.query(
      `insert into users (id, username, username_key, password_hash, role, scripted_outcome, capabilities, money_since)
       select id, name, name, '-', $3, $4, $5, $6 from unnest($1::uuid[], $2::text[]) as p (id, name)`,
      [ids, players.map(({ username }) => username), role, scriptedOutcome, capabilities, new Date(0)],
    )
    await tx.query(
      `insert into sessions (id, user_id, secret_hash, expires_at)
       select id, user_id, hash, clock_timestamp() + interval '7 days'
         from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as s (id, user_id, hash)`,
      [players.map(({ sessionId }) => sessionId), ids, players.map(({ secretHash }) => secretHash)],
    )
    await tx.query(
      `insert into ledger_accounts (owner_id, kind)
       select id, kind from unnest($1::uuid[]) as id cross join unnest(array['wallet', 'staked', 'reserved']) as kind`,
      [ids],
    )
    if (welcomePoints > 0) {
      const grants = ids.map((id) => welcomeTransfer(id, points(welcomePoints)))
      for (let from = 0; from < grants.length; from += 2000)
        await postTransfers(tx, grants.slice(from, from + 2000), Date.now())
    }
  })
  return players as readonly TestPlayer[] as People<Count>
}

let rounds = 0

/**
 * Inserts a running round with the given seconds passed and left, with an index outside the calendar's; in the public
 * log, but without a `round` entry, with `book: 'open'`.
 */
export async function createRound(
  db: Database,
  {
    type = '60s',
    goneS = 5,
    leftS = 3600,
    source = 'simulated',
    book = 'out',
  }: { type?: RoundType; goneS?: number; leftS?: number; source?: string; book?: 'out' | 'open' } = {},
): Promise<{ id: string; type: RoundType; opensAtMs: number; closesAtMs: number }> {
  const id = newId()
  const now = Math.floor(Date.now() / 1000) * 1000
  const opensAtMs = now - goneS * 1000
  const closesAtMs = now + leftS * 1000
  // Far from any index that the calendar uses while a test runs.
  const index = Math.floor((now - EPOCH_MS) / (DURATION_S[type] * 1000)) + 1_000_000 + rounds++
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, price_source, book) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      type,
      BigInt(index),
      new Date(opensAtMs),
      new Date(locksAtMs(closesAtMs, source !== 'simulated')),
      new Date(closesAtMs),
      source,
      book,
    ],
  )
  return { id, type, opensAtMs, closesAtMs }
}

/** Prices of a test, from a function of the second. */
export function fixedPrices(priceAt: (second: number) => number | null): RoundPrices {
  return {
    chooseSource: () => 'simulated',
    isLive: () => false,
    liveSource: null,
    labelOf: () => 'Giá mô phỏng',
    feedStatus: (source) => ({
      source,
      label: 'Giá mô phỏng',
      lastPrice: null,
      lastQuoteAtMs: null,
      closedReason: null,
      goldReopensAtMs: null,
    }),
    closedReason: () => null,
    async ensureTicks(_db, _source, fromSecond, toSecond) {
      const ticks: TickPrice[] = []
      for (let second = fromSecond; second <= toSecond; second++) {
        const price = priceAt(second)
        ticks.push({ second, price, quoteAtMs: price === null ? null : second * 1000 })
      }
      return { ticks, isComplete: true }
    },
    keepEvidence: async () => {},
  }
}

/** A bet, encoded as in the answer of the route that places it. */
export const encodeBet = (bet: Bet): string => encodeData(gameEndpoints.placeBet, bet)

export const noHints: GameHints = {
  roundOpened: () => {},
  roundChanged: () => {},
  betChanged: () => {},
  noticesChanged: () => {},
  balanceChanged: () => {},
}

/** A bet request, with defaults for what most tests do not vary. */
export const wish = (player: TestPlayer, roundId: string, stakePoints = 10, direction: Direction = 'up') =>
  ({
    betId: newId(),
    token: player.token,
    roundId,
    stakeMinor: points(stakePoints),
    direction,
    seenBasis: 'PRICE',
    claim: null,
  }) as const

/** Balances of one user's accounts, in minor units. */
export async function balancesOf(
  db: Database,
  userId: string,
): Promise<Record<'wallet' | 'staked' | 'reserved', bigint>> {
  const { rows } = await db.query<{ kind: 'wallet' | 'staked' | 'reserved'; balance: bigint }>(
    `select kind, balance from ledger_accounts where owner_id = $1`,
    [userId],
  )
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance])) as never
}
