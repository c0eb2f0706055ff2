import * as z from 'zod/mini'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { amount, answer, instant, lenientRequest, query, request, text } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { role, scriptedOutcome, secret, userFields } from './identity.ts'
import { CREDIT_SCORE_MAX, VIP_MAX } from './limits.ts'
import { byName, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery, wholeQuery } from './page-query.ts'

const staffFields = {
  ...userFields,
  stakedMinor: ['staked', amount],
  ip: z.nullable(text),
  mustChangePassword: z.boolean(),
  deletedAtMs: ['deletedAt', z.nullable(instant)],
} as const
export const staffUser = answer(() => staffFields)
export type StaffUser = z.output<typeof staffUser>

/** `proposalId` is set when the adjustment waits for a second person; the balance is then unchanged (rules §3.10). */
const updatedUser = answer(() => ({ ...staffFields, proposalId: ['proposal', z.optional(text)] }))
export type UpdatedUser = z.output<typeof updatedUser>

const line = (maxLength: number) => text.check(z.maxLength(maxLength), z.regex(/^\P{Cc}*$/u))

/** A user's version "{row}.{wallet}" (rules §3.8). */
const version = text.check(z.regex(/^\d{1,18}\.\d{1,18}$/))

export const userList = {
  sorts: ['createdAt', 'username', 'credit', 'balance', 'staked'],
  firstSort: '-createdAt',
  filters: {
    username: byName,
    /** With `true`, only deleted users are listed; by default, only others (rules §4.6). */
    deleted: { kind: 'choice', values: ['true', 'false'] },
    userId: { kind: 'id' },
    only: { kind: 'choice', values: ['admins', 'frozen', 'scripted'] },
  },
} as const satisfies ListDeclaration

/** Kept out of contract/identity.ts, because players load that file and only staff make these calls. */
export const staffUserEndpoints = {
  listUsers: endpoint('GET', '/api/v1/user', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(userList.filters), ...wholeQuery })),
    ...listOf(staffUser),
    refusals: ['TOTALS_NOT_READY'],
    summary: 'Search users by name; an order by what they hold says of when it is',
  }),
  updateUser: endpoint('POST', '/api/v1/user/{id}', 'staff', {
    parts: ['money', 'users', 'owner'],
    takesKey: true,
    body: lenientRequest(() => ({
      username: z.optional(secret),
      password: z.optional(z.nullable(secret)),
      balanceMinor: ['score', z.optional(amount)],
      creditScore: z.optional(z.int().check(z.minimum(0), z.maximum(CREDIT_SCORE_MAX))),
      vip: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(VIP_MAX)))),
      avatar: z.optional(z.nullable(line(500))),
      isFrozen: ['isPaused', z.optional(z.boolean())],
      scriptedOutcome: ['isWin', z.optional(scriptedOutcome)],
      version: z.optional(version),
      reason: z.optional(line(200)),
    })),
    data: updatedUser,
    refusals: [
      'NOT_FOUND',
      'USER_DELETED',
      'USERNAME_INVALID',
      'USERNAME_TAKEN',
      'PASSWORD_INVALID',
      'AMOUNT_LIMIT',
      'NOT_YOURSELF',
      'LAST_OWNER',
      'STALE',
      'PROPOSAL_OPEN',
      'KEY_REUSED',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'Change a user; above a sum a change of the balance is a proposal',
  }),
  setRole: endpoint('POST', '/api/v1/user/{id}/role', 'staff:owner', {
    needsFreshFactor: true,
    body: request(() => ({ role, version })),
    data: staffUser,
    refusals: ['NOT_FOUND', 'USER_DELETED', 'NOT_YOURSELF', 'LAST_OWNER', 'USER_HAS_OPEN_ITEMS', 'STALE'],
    summary: 'Make a player an admin, or an admin a player; every session of theirs ends',
  }),
  grantCapabilities: endpoint('POST', '/api/v1/user/{id}/capabilities', 'staff:owner', {
    needsFreshFactor: true,
    body: request(() => ({
      capabilities: z.array(z.enum(CAPABILITIES)).check(z.maxLength(CAPABILITIES.length)),
      version,
    })),
    data: staffUser,
    refusals: ['NOT_FOUND', 'USER_DELETED', 'NOT_AN_ADMIN', 'LAST_OWNER', 'STALE'],
    summary: 'Set what an admin may do; their open pages follow within a second',
  }),
  deleteUser: endpoint('DELETE', '/api/v1/user/{id}', 'staff:users', {
    parts: ['owner'],
    refusals: ['NOT_FOUND', 'USER_DELETED', 'NOT_YOURSELF', 'LAST_OWNER', 'USER_HAS_OPEN_ITEMS'],
    summary: 'Delete a user; name, books and history stay',
  }),
} as const
