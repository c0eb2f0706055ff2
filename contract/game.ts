import * as z from 'zod/mini'
import { BASES, BET_REFUSALS, VOID_REASONS } from '#domain/game/bet.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { betPromise } from './book.ts'
import { amount, answer, goldPrice, id, instant, person, query, request, text, words } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import type { FilterQuery } from './lists.ts'
import { feedStatus, marketTick } from './market.ts'
import { listQuery, timeQuery, wholeQuery } from './page-query.ts'
import type { roundList } from './round-list.ts'

export const direction = words({ up: 'UP', down: 'DOWN' })
export const betStatus = words({ open: 'PROGRESS', won: 'WIN', lost: 'LOSE', voided: 'VOID' })
const roundStatus = words({ running: 'RUNNING', settling: 'SETTLING', ended: 'ENDED' })
export const roundType = z.enum(ROUND_TYPES)
export const roundFacts = { roundNumber: ['turnNumber', z.int()], type: ['gameType', roundType] } as const
export const namedRound = answer(() => ({ id: ['_id', text], ...roundFacts }))
const basis = z.enum(BASES)

export const GAME_IDS: Readonly<Record<RoundType, string>> = {
  '30s': 'game-30s',
  '60s': 'game-60s',
  '90s': 'game-90s',
  '120s': 'game-120s',
}

const game = answer(() => ({ id: ['_id', text], type: roundType, ratePercent: ['rate', z.number()] }))

/**
 * A result set by staff. `direction` and `nonce` are null until the round has ended, but the admin who announced the
 * result reads `direction` at once (rules §1.2).
 */
export const announcement = z.object({
  commitment: text,
  announcedAt: instant,
  direction: z.nullable(direction),
  nonce: z.nullable(text),
})

const roundFields = {
  id: ['_id', text],
  gameId: text,
  ...roundFacts,
  attempt: z.int(),
  status: roundStatus,
  openPrice: ['n1', z.nullable(goldPrice)],
  closePrice: ['n2', z.nullable(goldPrice)],
  /**
   * Null until the round ends, except for the admin who announced the result. Null for a deleted round and, without an
   * announcement, after a tie or a missing tick.
   */
  result: z.nullable(direction),
  resultSource: z.enum(['PRICE', 'ADMIN']),
  announcement: z.nullable(announcement),
  priceSource: text,
  priceSourceLabel: text,
  opensAtMs: ['startTime', instant],
  locksAtMs: ['locksAt', instant],
  closesAtMs: ['endTime', instant],
  durationS: ['duration', z.int()],
  isDeleted: z.boolean(),
} as const

export const betFigures = {
  bets: z.int(),
  stakedMinor: ['staked', amount],
  voided: ['void', z.int()],
  /** Points that players lost minus points that players won, without bets decided by staff or a script (rules §1.2). */
  netMinor: ['net', amount],
  leftOut: z.int(),
} as const
const roundFigures = answer(() => betFigures)
export type RoundFigures = z.output<typeof roundFigures>

export const round = answer(() => ({ ...roundFields, figures: z.optional(roundFigures) }))
export type Round = z.output<typeof round>

export const currentRound = answer(() => ({
  ...roundFields,
  serverTimeMs: ['serverTime', instant],
  countdown: ['rain', answer(() => ({ closesAtMs: ['endTime', instant] }))],
  /** False while a live round's feed is stale or untrusted, or the clock is uncertain. `feedReason` says which. */
  isBettingOpen: z.boolean(),
  feedReason: z.nullable(text),
  feed: feedStatus,
}))
export type CurrentRound = z.output<typeof currentRound>

export const betDecision = {
  direction: ['value', direction],
  status: betStatus,
  basis,
  entryPrice: z.nullable(goldPrice),
  exitPrice: z.nullable(goldPrice),
  voidReason: z.nullable(z.enum(VOID_REASONS)),
} as const

export const bet = answer(() => ({
  id: ['_id', text],
  owner: ['userId', person],
  round: ['gameId', namedRound],
  stakeMinor: ['score', amount],
  ...betDecision,
  entryFromMs: ['entryFrom', instant],
  entryAtMs: ['entryAt', z.nullable(instant)],
  /** +rate × stake, −rate × stake or 0; null until the bet is decided. */
  profitMinor: ['profit', z.nullable(amount)],
  closesAtMs: ['endTime', instant],
  settledAtMs: ['settledAt', z.nullable(instant)],
  createdAtMs: ['createdAt', instant],
  serverTimeMs: ['serverTime', z.optional(instant)],
  /**
   * The values that seal the bet (docs/open-book.md §3). `salt`: base64, null for bets older than the log. `script`:
   * the scripted outcome. `sealIndex`: index of the bet's entry, null until the bet is sealed. `promise`: only in the
   * answer to placing the bet.
   */
  salt: z.optional(z.nullable(text)),
  script: z.optional(z.nullable(words({ win: 'WIN', lose: 'LOSE' }))),
  sealIndex: z.optional(z.nullable(z.int())),
  promise: z.optional(z.nullable(betPromise)),
}))
export type Bet = z.output<typeof bet>

const ownBetsQuery = { type: z.optional(roundType), ...timeQuery }

export const countedBets = {
  open: ['progress', z.int()],
  won: ['win', z.int()],
  lost: ['lose', z.int()],
  voided: ['void', z.int()],
  leftOut: z.int(),
  stakedMinor: ['staked', amount],
  isCapped: z.boolean(),
} as const

/**
 * Counts and sums over the newest 10,000 of the player's own bets that match a filter. Bets that a script or staff's
 * announcement decided are counted in `leftOut` and nowhere else (rules §1.2).
 */
const ownBetsSummary = answer(() => ({ ...countedBets, profitMinor: ['profit', amount] }))
export type OwnBetsSummary = z.output<typeof ownBetsSummary>

/** Ticks from shortly before a bet's acceptance to its round's end; none for bets that the price does not decide. */
const betTicks = answer(() => ({
  source: text,
  label: ['sourceLabel', text],
  acceptedAtMs: ['acceptedAt', instant],
  ticks: z.array(marketTick),
}))
export type BetTicks = z.output<typeof betTicks>

/**
 * The filters of `roundList` as a query, written out because `filterQuery` would make the players' bundle larger. The
 * type makes a missing filter an error of the compiler.
 */
const roundFilters = (): FilterQuery<typeof roundList.filters> => ({
  ...timeQuery,
  by: z.optional(text.check(z.maxLength(64))),
  voids: z.optional(z.literal('yes')),
})

export const typeQuery = z.object({ type: roundType })

export const gameEndpoints = {
  listGames: endpoint('GET', '/api/v1/game', 'player', {
    ...listOf(game),
    summary: 'The four games and their rates',
  }),
  currentRound: endpoint('GET', '/api/v1/game/current', 'player', {
    query: typeQuery,
    data: z.nullable(currentRound),
    summary: 'The running round of a type; null after staff deleted it',
  }),
  listRounds: endpoint('GET', '/api/v1/game/list-all', 'player', {
    asStaff: 'staff',
    query: query(() => ({ ...listQuery, ...roundFilters(), ...wholeQuery })),
    ...listOf(round),
    summary: 'Rounds of every type, newest first',
  }),
  listRoundsByType: endpoint('GET', '/api/v1/game/by-type/{type}', 'player', {
    asStaff: 'staff',
    params: typeQuery,
    query: query(() => ({ ...listQuery, ...roundFilters(), ...wholeQuery })),
    ...listOf(round),
    summary: 'Rounds of one type, newest first',
  }),
  listOwnBets: endpoint('GET', '/api/v1/history/user', 'own-data', {
    query: query(() => ({
      ...listQuery,
      ...ownBetsQuery,
      status: z.optional(betStatus),
      ids: wholeQuery.ids,
    })),
    ...listOf(bet),
    summary: 'Own bets, newest first',
  }),
  sumOwnBets: endpoint('GET', '/api/v1/history/user/summary', 'own-data', {
    query: query(() => ownBetsQuery),
    data: ownBetsSummary,
    summary: 'How the own bets of a filter ended and what they brought; only those decided by price',
  }),
  listBetTicks: endpoint('GET', '/api/v1/history/{id}/ticks', 'own-data', {
    data: betTicks,
    refusals: ['NOT_FOUND'],
    summary: 'The prices an own bet was decided by, second by second',
  }),
  placeBet: endpoint('POST', '/api/v1/history', 'player', {
    takesKey: true,
    body: request(() => ({
      roundId: ['gameId', id],
      userId: z.optional(text),
      stakeMinor: ['score', amountOrBad()],
      direction: ['value', direction],
      seenBasis: z.optional(basis),
    })),
    data: bet,
    refusals: [...BET_REFUSALS, 'KEY_REUSED', 'LEDGER_CHECK_FAILED'],
    summary: 'Place a bet on the running round',
  }),
} as const

export type OwnBetQuery = z.output<typeof gameEndpoints.listOwnBets.query>

/** Reads a stake that is not in whole points as zero, so that a rule refuses it (422), not the format check (400). */
function amountOrBad() {
  return z.codec(z.number(), z.bigint(), {
    decode: (value) => (Number.isInteger(value) && Math.abs(value) <= 1e13 ? BigInt(value) * 100n : 0n),
    encode: (minor) => Number(minor) / 100,
  })
}
