import * as z from 'zod/mini'
import type { ScriptedOutcome } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { bankAccount } from './banks.ts'
import { amount, answer, id, instant, lenientRequest, query, request, words } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { CREDIT_SCORE_MAX, VIP_MAX } from './limits.ts'
import { listQuery } from './lists.ts'

export const role = words({ player: 'USER', admin: 'ADMIN' })

/** isWin: null is fair, true wins, false loses (rules §1.2). */
const scriptedOutcome = z.codec(z.nullable(z.boolean()), z.nullable(z.enum(['win', 'lose'])), {
  decode: (isWin): ScriptedOutcome | null => (isWin === null ? null : isWin ? 'win' : 'lose'),
  encode: (outcome) => (outcome === null ? null : outcome === 'win'),
})

const userFields = {
  id: ['_id', z.string()],
  username: ['username', z.string()],
  avatar: ['avatar', z.nullable(z.string())],
  role: ['role', role],
  balanceMinor: ['score', amount],
  creditScore: ['creditScore', z.int()],
  vip: ['vip', z.nullable(z.int())],
  isFrozen: ['isPaused', z.boolean()],
  scriptedOutcome: ['isWin', scriptedOutcome],
  banks: ['bank', z.array(bankAccount)],
  version: ['version', z.string()],
  createdAtMs: ['createdAt', instant],
} as const

/** The signed-in user, without password and IP address (rules §6). */
export const me = answer(() => ({
  ...userFields,
  mustChangePassword: ['mustChangePassword', z.boolean()],
  passwordResetAtMs: ['passwordResetAt', z.nullable(instant)],
}))
export type Me = z.output<typeof me>

/** A user as staff see it. Only admins get `ip` (rules §4). */
export const staffUser = answer(() => ({
  ...userFields,
  ip: ['ip', z.nullable(z.string())],
  mustChangePassword: ['mustChangePassword', z.boolean()],
  deletedAtMs: ['deletedAt', z.nullable(instant)],
}))
export type StaffUser = z.output<typeof staffUser>

const token = answer(() => ({
  accessToken: ['access_token', z.string()],
  mustChangePassword: ['mustChangePassword', z.boolean()],
  /** The client stores it beside the token and sends it with the next sign-in. It grants no access: see rules §4. */
  deviceSecret: ['deviceSecret', z.optional(z.string())],
}))

/** The length is limited here, so that no password of a megabyte is hashed; the rules judge the rest. */
const secret = z.string().check(z.maxLength(1024))

/** The `deviceSecret` of an earlier sign-in on this device; a wrong one counts as absent. */
const deviceSecret = z.optional(secret)

/** A single line of text. */
const line = (maxLength: number) => z.string().check(z.maxLength(maxLength), z.regex(/^\P{Cc}*$/u))

/** "{row}.{wallet}" (rules §3): the number of writes to fields that staff edit, and the last transfer of the wallet. */
const version = z.string().check(z.regex(/^\d{1,18}\.\d{1,18}$/))

const userConfig = answer(() => ({
  balanceMinor: ['score', amount],
  creditScore: ['creditScore', z.int()],
  vip: ['vip', z.nullable(z.int())],
  isFrozen: ['isPaused', z.boolean()],
  scriptedOutcome: ['isWin', scriptedOutcome],
  banks: ['bank', z.array(bankAccount)],
  rates: ['rates', z.record(z.enum(ROUND_TYPES), z.number())],
  presetStakes: ['presetStakes', z.array(z.int())],
  serverTimeMs: ['serverTime', instant],
}))
export type UserConfig = z.output<typeof userConfig>

const publicConfig = z.object({ referralCode: z.string(), supportContact: z.string(), teamName: z.string() })
export type PublicConfig = z.output<typeof publicConfig>

export const identityEndpoints = {
  login: endpoint({
    method: 'POST',
    path: '/api/v1/auth/login',
    access: 'public',
    body: request(() => ({
      username: ['username', secret],
      password: ['password', secret],
      deviceSecret: ['deviceSecret', deviceSecret],
    })),
    data: token,
    refusals: ['LOGIN_FAILED', 'LOGIN_BLOCKED'],
    summary: 'Sign in',
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/v1/auth/register',
    access: 'public',
    body: request(() => ({
      username: ['username', secret],
      password: ['password', secret],
      passwordAgain: ['rePassword', secret],
      referralCode: ['code', secret],
      deviceSecret: ['deviceSecret', deviceSecret],
    })),
    data: token,
    refusals: ['USERNAME_INVALID', 'USERNAME_TAKEN', 'PASSWORD_INVALID', 'PASSWORD_MISMATCH', 'REFERRAL_WRONG'],
    summary: 'Register and sign in',
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/v1/auth/change-password',
    access: 'own-password',
    body: request(() => ({
      username: ['username', z.optional(secret)],
      currentPassword: ['oldPassword', secret],
      newPassword: ['newPassword', secret],
      deviceSecret: ['deviceSecret', deviceSecret],
    })),
    data: z.null(),
    refusals: ['PASSWORD_INVALID', 'PASSWORD_WRONG', 'LOGIN_BLOCKED'],
    summary: 'Change the own password; every other session ends, every other device is forgotten',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/v1/auth/logout',
    access: 'session',
    data: z.null(),
    summary: 'End this session',
  }),
  me: endpoint({ method: 'GET', path: '/api/v1/user/me', access: 'session', data: me, summary: 'The signed-in user' }),
  config: endpoint({
    method: 'GET',
    path: '/api/v1/user/config',
    access: 'own-data',
    data: userConfig,
    summary: 'What the game screen needs to know of its player',
  }),
  publicConfig: endpoint({
    method: 'GET',
    path: '/api/v1/public-config',
    access: 'public',
    data: publicConfig,
    summary: 'Referral code, support contact, team name',
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/api/v1/user',
    access: 'staff',
    query: query(() => ({
      ...listQuery,
      username: z.optional(z.string().check(z.maxLength(64))),
      /** By default deleted users are left out; with `true` only deleted users are listed (rules §4). */
      deleted: z.optional(z.enum(['true', 'false'])),
      /** Only this user, whatever its name is now, deleted or not. */
      userId: z.optional(id),
      /** Only one kind of users: admins, frozen accounts, or demonstration accounts (rules §1.2). */
      only: z.optional(z.enum(['admins', 'frozen', 'scripted'])),
    })),
    data: z.array(staffUser),
    isList: true,
    summary: 'Search users by name',
  }),
  /** The whole user with changes; answers contain no password, and unknown fields are ignored (rules §3). */
  updateUser: endpoint({
    method: 'POST',
    path: '/api/v1/user/{id}',
    access: 'staff',
    isMoneyAct: true,
    params: z.object({ id }),
    body: lenientRequest(() => ({
      username: ['username', z.optional(secret)],
      password: ['password', z.optional(z.nullable(secret))],
      balanceMinor: ['score', z.optional(amount)],
      creditScore: ['creditScore', z.optional(z.int().check(z.minimum(0), z.maximum(CREDIT_SCORE_MAX)))],
      vip: ['vip', z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(VIP_MAX))))],
      avatar: ['avatar', z.optional(z.nullable(line(500)))],
      isFrozen: ['isPaused', z.optional(z.boolean())],
      scriptedOutcome: ['isWin', z.optional(scriptedOutcome)],
      version: ['version', z.optional(version)],
      reason: ['reason', z.optional(line(200))],
    })),
    data: staffUser,
    refusals: [
      'NOT_FOUND',
      'USER_DELETED',
      'USERNAME_INVALID',
      'USERNAME_TAKEN',
      'PASSWORD_INVALID',
      'AMOUNT_LIMIT',
      'NOT_YOURSELF',
      'LAST_ADMIN',
      'STALE',
      'KEY_REUSED',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'Change a user',
  }),
  setRole: endpoint({
    method: 'POST',
    path: '/api/v1/user/{id}/role',
    access: 'staff',
    params: z.object({ id }),
    body: request(() => ({ role: ['role', role], version: ['version', version] })),
    data: staffUser,
    refusals: ['NOT_FOUND', 'USER_DELETED', 'NOT_YOURSELF', 'LAST_ADMIN', 'USER_HAS_OPEN_ITEMS', 'STALE'],
    summary: 'Make a player an admin, or an admin a player; every session of theirs ends',
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/{id}',
    access: 'staff',
    params: z.object({ id }),
    data: z.null(),
    refusals: ['NOT_FOUND', 'USER_DELETED', 'NOT_YOURSELF', 'LAST_ADMIN', 'USER_HAS_OPEN_ITEMS'],
    summary: 'Delete a user; name, books and history stay',
  }),
} as const
