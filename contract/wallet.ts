import * as z from 'zod/mini'
import { TRANSFER_REASONS } from '#domain/ledger/transfers.ts'
import { amount, answer, instant, query, queryInt, text } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { betStatus, direction, roundType } from './game.ts'
import { listQuery } from './page-query.ts'

const ledgerBet = answer(() => ({
  id: ['_id', text],
  type: ['gameType', roundType],
  direction: ['value', direction],
  status: betStatus,
  profitMinor: ['profit', z.nullable(amount)],
}))
export type LedgerBet = z.output<typeof ledgerBet>

/** `BET` stands for all reasons of transfers that belong to bets. */
export const LEDGER_REASONS = [...TRANSFER_REASONS, 'BET'] as const
export type LedgerReason = (typeof LEDGER_REASONS)[number]

/** One change of a player's balance. The changes of all rows add up to the balance (rules §3.3). */
export const ledgerRow = answer(() => ({
  id: ['_id', text],
  position: z.int(),
  reason: z.enum(TRANSFER_REASONS),
  deltaMinor: ['walletDelta', amount],
  balanceAfterMinor: ['balanceAfter', amount],
  actor: text,
  ref: text,
  note: z.nullable(text),
  createdAtMs: ['createdAt', instant],
  /** Base64. The open book holds SHA-256(salt ‖ note) of an adjustment, by which the player can check the note. */
  noteSalt: z.optional(z.nullable(text)),
  bet: z.optional(z.nullable(ledgerBet)),
}))
export type LedgerRow = z.output<typeof ledgerRow>

export const walletEndpoints = {
  ledger: endpoint('GET', '/api/v1/user/ledger', 'own-data', {
    query: query(() => ({
      ...listQuery,
      reason: z.optional(z.enum(LEDGER_REASONS)),
      /** With `bets`, all transfers of a bet stand on one page, which may therefore exceed `limit`. */
      whole: z.optional(z.enum(['bets'])),
      beforePosition: z.optional(queryInt),
    })),
    ...listOf(ledgerRow),
    summary: 'Every change of the own balance, newest first',
  }),
} as const
