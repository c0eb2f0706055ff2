import * as z from 'zod/mini'
import type { ScriptedOutcome } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { bankAccount } from './banks.ts'
import { amount, answer, instant, text, words } from './codecs.ts'
import { endpoint } from './endpoint.ts'

export const role = words({ player: 'USER', admin: 'ADMIN' })

/** Reads the wire's `isWin`: null for fair play, true for a win, false for a loss (rules §1.2). */
export const scriptedOutcome = z.codec(z.nullable(z.boolean()), z.nullable(z.enum(['win', 'lose'])), {
  decode: (isWin): ScriptedOutcome | null => (isWin === null ? null : isWin ? 'win' : 'lose'),
  encode: (outcome) => (outcome === null ? null : outcome === 'win'),
})

const standing = {
  balanceMinor: ['score', amount],
  creditScore: z.int(),
  vip: z.nullable(z.int()),
  isFrozen: ['isPaused', z.boolean()],
  scriptedOutcome: ['isWin', scriptedOutcome],
  banks: ['bank', z.array(bankAccount)],
} as const

export const userFields = {
  id: ['_id', text],
  username: text,
  avatar: z.nullable(text),
  role,
  capabilities: z.optional(z.array(z.enum(CAPABILITIES))),
  ...standing,
  version: text,
  createdAtMs: ['createdAt', instant],
} as const

export const me = answer(() => ({
  ...userFields,
  mustChangePassword: z.boolean(),
  passwordResetAtMs: ['passwordResetAt', z.nullable(instant)],
  mustAddFactor: z.optional(z.boolean()),
}))
export type Me = z.output<typeof me>

/** The limit keeps the server from hashing very long passwords. Domain rules check everything else. */
export const secret = text.check(z.maxLength(1024))

const userConfig = answer(() => ({
  ...standing,
  rates: z.record(z.enum(ROUND_TYPES), z.number()),
  presetStakes: z.array(z.int()),
  serverTimeMs: ['serverTime', instant],
}))
export type UserConfig = z.output<typeof userConfig>

/** `referralCode` is null if the code is secret (rules §4.4). */
const publicConfig = z.object({
  referralCode: z.nullable(text),
  supportContact: text,
  teamName: text,
  /** False if `PUBLIC_ORIGIN` is not set, since a passkey belongs to an origin (rules §4.12). */
  hasPasskeys: z.boolean(),
})
export type PublicConfig = z.output<typeof publicConfig>

export const identityEndpoints = {
  logout: endpoint('POST', '/api/v1/auth/logout', 'session', {
    summary: 'End this session',
  }),
  me: endpoint('GET', '/api/v1/user/me', 'session', {
    data: me,
    summary: 'The signed-in user',
  }),
  config: endpoint('GET', '/api/v1/user/config', 'own-data', {
    data: userConfig,
    summary: 'What the game screen needs to know of its player',
  }),
  publicConfig: endpoint('GET', '/api/v1/public-config', 'public', {
    data: publicConfig,
    summary: 'Referral code, support contact, team name',
  }),
} as const
