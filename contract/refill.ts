import * as z from 'zod/mini'
import { amount, answer, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The refill on offer now: an amount, or 0 with a sentence that says why (rules §3.7). */
const refillOffer = answer(() => ({ amountMinor: ['amount', amount], reason: z.nullable(text) }))
export type RefillOffer = z.output<typeof refillOffer>

const refilled = answer(() => ({ amountMinor: ['amount', amount], balanceMinor: ['score', amount] }))
export type Refilled = z.output<typeof refilled>

export const refillEndpoints = {
  readRefill: endpoint('GET', '/api/v1/user/refill', 'player', {
    data: refillOffer,
    summary: 'By how much the player may fill up to the welcome points now, or why not',
  }),
  refill: endpoint('POST', '/api/v1/user/refill', 'player', {
    takesKey: true,
    data: refilled,
    refusals: [
      'STAFF_CANNOT_PLAY',
      'TIMED_OUT',
      'LOSS_LIMIT_REACHED',
      'REFILL_NOT_YET',
      'REFILL_TAKEN',
      'KEY_REUSED',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'Fill up to the welcome points with less than 10 points, once a Vietnamese day',
  }),
} as const
