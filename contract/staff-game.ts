import * as z from 'zod/mini'
import { BASES, BET_STATUSES, VOID_REASONS } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, query } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import {
  bet,
  betFigures,
  betStatus,
  countedBets,
  currentRound,
  direction,
  round,
  roundType,
  typeQuery,
} from './game.ts'
import { byAmount, byName, byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery, wholeQuery } from './page-query.ts'
import { roundList } from './round-list.ts'

/**
 * Counts and sums over the newest 10,000 bets that match a filter (rules §6.1). Bets that a script or staff's
 * announcement decided are counted in `leftOut` rather than by status, and are not in `netMinor` (rules §1.2).
 */
const betCounts = answer(() => ({ ...countedBets, returnedMinor: ['returned', amount], netMinor: ['net', amount] }))
export type BetCounts = z.output<typeof betCounts>

const roundTotals = answer(() => ({ rounds: z.int(), ...betFigures, isCapped: z.boolean() }))
export type RoundTotals = z.output<typeof roundTotals>

export const betList = {
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  filters: {
    username: byName,
    userId: { kind: 'id' },
    status: { kind: 'choice', values: BET_STATUSES, wire: betStatus },
    type: { kind: 'choice', values: ROUND_TYPES },
    roundId: { kind: 'id' },
    ...byTime,
    ...byAmount,
    basis: { kind: 'choice', values: BASES },
    voidReason: { kind: 'choice', values: VOID_REASONS },
    /** Bets that this admin decided, by announcing a result or by deleting the round. */
    by: { kind: 'text' },
  },
} as const satisfies ListDeclaration

/** Kept out of contract/game.ts, because players load that file and only staff make these calls. */
export const staffGameEndpoints = {
  forceCreateRound: endpoint('POST', '/api/v1/game/force-create/{type}', 'staff:rounds', {
    params: typeQuery,
    data: currentRound,
    refusals: ['CLOCK_UNSURE', 'TOO_LATE_TO_CREATE', 'ROUND_NOT_FOUND'],
    summary: 'A new round for the rest of the window after a delete, or the one that runs',
  }),
  setResult: endpoint('POST', '/api/v1/game/{id}', 'staff:rounds', {
    // Clients may send back the whole changed game; the server reads only `result` (rules §6.4).
    body: z.object({ result: direction }),
    data: round,
    refusals: ['ROUND_NOT_FOUND', 'ROUND_ENDED', 'TOO_LATE', 'RESULT_ALREADY_SET'],
    summary: 'Announce the result of a running round',
  }),
  deleteRound: endpoint('DELETE', '/api/v1/game/{id}', 'staff:rounds', {
    refusals: ['ROUND_NOT_FOUND', 'TOO_LATE'],
    summary: 'Void a running round, or hide an ended one from staff lists',
  }),
  listBets: endpoint('GET', '/api/v1/history', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(betList.filters), ...wholeQuery })),
    ...listOf(bet),
    summary: 'Bets of everybody, newest first',
  }),
  countBets: endpoint('GET', '/api/v1/history/counts', 'staff', {
    query: query(() => filterQuery(betList.filters)),
    data: betCounts,
    summary: 'How the newest bets of a filter ended, and what was staked and won',
  }),
  sumRounds: endpoint('GET', '/api/v1/game/totals', 'staff', {
    query: query(() => ({ type: z.optional(roundType), ...filterQuery(roundList.filters) })),
    data: roundTotals,
    summary: 'What was bet on the newest rounds of a filter',
  }),
  deleteBet: endpoint('DELETE', '/api/v1/history/{id}', 'staff:rounds', {
    refusals: ['NOT_FOUND', 'BET_STILL_OPEN'],
    summary: 'Hide a settled bet from staff lists; its owner and the books keep it',
  }),
} as const
