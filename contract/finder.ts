import * as z from 'zod/mini'
import { QUESTION_MAX } from '#domain/finder/question.ts'
import { bankTexts } from './banks.ts'
import { amount, answer, instant, person, query, text } from './codecs.ts'
import { requestFacts } from './cashier.ts'
import { endpoint } from './endpoint.ts'
import { betStatus, direction, roundFacts } from './game.ts'
import { role } from './identity.ts'

const foundUser = answer(() => ({
  id: ['_id', text],
  username: text,
  role,
  isFrozen: ['isPaused', z.boolean()],
  isDeleted: z.boolean(),
  balanceMinor: ['score', z.optional(amount)],
  waitingRequests: z.optional(z.int()),
  signedInAtMs: ['signedIn', z.optional(z.nullable(instant))],
}))
export type FoundUser = z.output<typeof foundUser>

const foundAdjustment = answer(() => ({
  id: ['_id', text],
  owner: ['author', person],
  deltaMinor: ['walletDelta', amount],
  createdAtMs: ['createdAt', instant],
}))

const foundBet = answer(() => ({
  id: ['_id', text],
  owner: ['userId', person],
  direction: ['value', direction],
  stakeMinor: ['score', amount],
  status: betStatus,
  createdAtMs: ['createdAt', instant],
}))

const found = answer(() => ({
  users: z.array(foundUser),
  rounds: z.array(answer(() => ({ id: ['_id', text], ...roundFacts, opensAtMs: ['startTime', instant] }))),
  requests: z.array(answer(() => requestFacts)),
  adjustments: z.optional(z.array(foundAdjustment)),
  bets: z.array(foundBet),
  banks: z.array(answer(() => ({ id: ['_id', text], owner: ['author', person], ...bankTexts }))),
}))
export type Found = z.output<typeof found>

/** Searching for a whole IP address is recorded in the audit log (rules §6.14). */
export const finderEndpoints = {
  find: endpoint('GET', '/api/v1/staff/find', 'staff', {
    query: query(() => ({ q: text.check(z.minLength(1), z.maxLength(QUESTION_MAX)) })),
    data: found,
    summary: 'Users, rounds, requests, adjustments, bets and banks that a typed text may mean',
  }),
} as const
