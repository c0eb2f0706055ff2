import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Access, type Admission, CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

const table: ReadonlyArray<readonly [name: string, call: Endpoint]> = Object.entries(endpoints)
const callOf = ({ method, path }: Endpoint): string => `${method} ${path}`

interface Judged extends Admission {
  readonly parts?: readonly Capability[]
  readonly isFresh?: true
}
const inChat: Judged = { access: 'player', asStaff: 'staff:care' }

/** Who may call where that is said by a word alone: authority.test.ts makes every call as everybody. */
const PLAIN: readonly unknown[] = ['public', 'player', 'staff'] satisfies readonly Access[]
/** All other HTTP calls of spec §7 and rules §6, and who may make them: which capability staff need, alone or for its parts. */
const expected: Readonly<Record<string, Access | Judged>> = {
  'POST /api/v1/auth/change-password': 'own-password',
  'POST /api/v1/auth/logout': 'session',
  'GET /api/v1/user/sessions': 'own-data',
  'POST /api/v1/user/factors/challenge': 'own-passkey',
  'POST /api/v1/user/factors/proof': 'own-passkey',
  'GET /api/v1/user/factors': 'own-passkey',
  'POST /api/v1/user/factors/totp': { access: 'own-factor', isFresh: true },
  'POST /api/v1/user/factors/totp/confirm': { access: 'own-factor', isFresh: true },
  'POST /api/v1/user/factors/passkey': { access: 'own-passkey', isFresh: true },
  'POST /api/v1/user/factors/passkey/confirm': { access: 'own-passkey', isFresh: true },
  'POST /api/v1/user/factors/undo': 'own-factor',
  'DELETE /api/v1/user/factors/{id}': { access: 'own-passkey', isFresh: true },
  'POST /api/v1/user/factors/recovery-codes': { access: 'own-factor', isFresh: true },
  'GET /api/v1/user/staff-factors': 'staff:owner',
  'GET /api/v1/system': 'staff:owner',
  'DELETE /api/v1/user/{id}/factors': { access: 'staff:owner', isFresh: true },
  'GET /api/v1/user/{id}/sessions': 'staff:owner',
  'DELETE /api/v1/user/{id}/sessions': { access: 'staff:owner', isFresh: true },
  'GET /api/v1/user/data-export': 'own-data',
  'GET /api/v1/user/me': 'session',
  'GET /api/v1/user/config': 'own-data',
  'GET /api/v1/user/ledger': 'own-data',
  'POST /api/v1/user/{id}': { access: 'staff', parts: ['money', 'users', 'owner'] },
  'POST /api/v1/user/{id}/role': { access: 'staff:owner', isFresh: true },
  'POST /api/v1/user/{id}/capabilities': { access: 'staff:owner', isFresh: true },
  'DELETE /api/v1/user/{id}': { access: 'staff:users', parts: ['owner'] },
  'GET /api/v1/history/user': 'own-data',
  'GET /api/v1/history/user/summary': 'own-data',
  'GET /api/v1/history/{id}/ticks': 'own-data',
  'DELETE /api/v1/history/{id}': 'staff:rounds',
  'GET /api/v1/game/list-all': { access: 'player', asStaff: 'staff' },
  'GET /api/v1/game/by-type/{type}': { access: 'player', asStaff: 'staff' },
  'POST /api/v1/game/force-create/{type}': 'staff:rounds',
  'POST /api/v1/game/{id}': 'staff:rounds',
  'DELETE /api/v1/game/{id}': 'staff:rounds',
  'GET /api/v1/history/{id}/proof': 'own-data',
  'GET /api/v1/bank': { access: 'own-data', asStaff: 'staff' },
  'PATCH /api/v1/bank/{id}': { access: 'player', asStaff: 'staff:users' },
  'GET /api/v1/transaction': { access: 'own-data', asStaff: 'staff' },
  'PATCH /api/v1/transaction/{id}': 'staff:money',
  'DELETE /api/v1/transaction/{id}': { access: 'player', asStaff: 'staff:money' },
  'GET /api/v1/user/statistics': 'own-data',
  'GET /api/v1/user/limits': 'own-data',
  'GET /api/v1/user/notifications': 'own-data',
  'GET /api/v1/chat/users': inChat,
  'GET /api/v1/chat/conversations': inChat,
  'GET /api/v1/chat/conversations/{id}': inChat,
  'GET /api/v1/chat/conversations/{id}/messages': inChat,
  'PUT /api/v1/chat/messages/{id}': inChat,
  'DELETE /api/v1/chat/messages/{id}': inChat,
  'POST /api/v1/chat/conversations': inChat,
  'DELETE /api/v1/chat/conversations/{id}': inChat,
  'POST /api/v1/chat/missed': inChat,
  'GET /api/v1/chat/unread': inChat,
  'GET /api/v1/chat/search': inChat,
  'PUT /api/v1/chat/hours': 'staff:owner',
  'GET /api/v1/chat/conversations/{id}/transcript': 'staff:care',
  'PUT /api/v1/chat/conversations/{id}/state': 'staff:care',
  'GET /api/v1/chat/duty': 'staff:care',
  'PUT /api/v1/chat/duty': 'staff:care',
  'POST /api/v1/chat/duty/activity': 'staff:care',
  'PUT /api/v1/chat/conversations/{id}/tags': 'staff:care',
  'GET /api/v1/chat/tags': 'staff:care',
  'GET /api/v1/chat/conversations/{id}/customer/conversations': 'staff:care',
  'POST /api/v1/chat/conversations/{id}/merge': 'staff:care',
  'PUT /api/v1/chat/conversations/{id}/topic': 'staff:care',
  'GET /api/v1/chat/care-report': 'staff:care',
  'GET /api/v1/chat/replies': 'staff:care',
  'POST /api/v1/chat/replies': 'staff:care',
  'DELETE /api/v1/chat/replies/{id}': { access: 'staff:care', parts: ['owner'] },
  'GET /api/v1/chat/conversations/{id}/notes': 'staff:care',
  'POST /api/v1/chat/conversations/{id}/notes': 'staff:care',
  'POST /api/v1/chat/conversations/{id}/notes/read': 'staff:care',
  'POST /api/v1/chat/conversations/{id}/holder': 'staff:care',
  'GET /api/v1/chat/conversations/{id}/customer': 'staff:care',
  'POST /api/v1/customers/{id}/notes': { access: 'staff', parts: CAPABILITIES },
  'GET /api/v1/history/{id}/dispute': 'own-data',
  'GET /api/v1/disputes/{id}': { access: 'own-data', asStaff: 'staff' },
  'POST /api/v1/disputes/{id}/answer': { access: 'staff', parts: ['money', 'care'] },
  'POST /api/v1/file-upload': inChat,
  'GET /api/v1/files/{key}': inChat,
  'POST /api/v1/staff/views': { access: 'staff', parts: CAPABILITIES },
  'DELETE /api/v1/staff/views/{id}': { access: 'staff', parts: ['owner'] },
  'POST /api/v1/proposals/{id}/confirm': { access: 'staff:money', isFresh: true },
  'DELETE /api/v1/proposals/{id}': 'staff:money',
}

const judgedOf = ({ access, asStaff, parts, needsFreshFactor }: Endpoint): Access | Judged => {
  const judged: Judged = {
    access,
    ...(asStaff && { asStaff }),
    ...(parts && { parts }),
    ...(needsFreshFactor && { isFresh: needsFreshFactor }),
  }
  return Object.keys(judged).length === 1 ? access : judged
}

test('every call that admits by more than a plain word is expected, with all that it needs', () => {
  const judged = table.map(([, call]) => [callOf(call), judgedOf(call)] as const)
  expect(Object.fromEntries(judged.filter(([, access]) => !PLAIN.includes(access)))).toEqual(expected)
})

test('no method and path is used twice', () => {
  const calls = table.map(([, call]) => callOf(call).replace(/\{\w+\}/g, '{}'))
  expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
})

describe.each(table)('%s', (_, call) => {
  const placeholders = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

  test('describes the parameters its path has', () => {
    expect(call.params !== undefined).toBe(placeholders.length > 0)
    if (call.params === undefined) return
    const tried = z.safeDecode(call.params, {})
    const missing = tried.success ? [] : tried.error.issues.map(({ path }) => path[0])
    expect(missing.toSorted()).toEqual(placeholders.toSorted())
  })

  test('takes no body unless it changes something, and says in a line what it does', () => {
    if (call.method === 'GET') expect([call.body, call.takesKey]).toEqual([undefined, undefined])
    expect(call.summary).toMatch(/^[A-Z].{5,}[^.]$/)
  })
})

test.each(table.filter(([, call]) => call.isList === true))('%s answers a list', (_, call) => {
  expect(z.safeEncode(call.data, [] as never).success).toBe(true)
  expect(z.safeDecode(call.data, null).success).toBe(false)
})

describe('a bet’s body', () => {
  const body = endpoints.placeBet.body
  const wire = { gameId: '01936b1e-7c3a-7cc0-8a1c-1d2e3f405162', score: 100, value: 'UP', seenBasis: 'PRICE' }
  const untyped: z.ZodMiniType = body
  const takes = (value: unknown) => z.safeDecode(untyped, value).success

  test('is read into our words', () => {
    expect(z.decode(untyped, wire)).toEqual({
      roundId: wire.gameId,
      stakeMinor: 10_000n,
      direction: 'up',
      seenBasis: 'PRICE',
    })
  })

  test('with missing, wrong-typed or unknown fields is refused', () => {
    const wrong = [
      {},
      { ...wire, score: '100' },
      { ...wire, score: true },
      { ...wire, score: null },
      { ...wire, value: 'up' },
      { ...wire, value: undefined },
      { ...wire, gameId: 'game-30s' },
      { ...wire, seenBasis: 'MAGIC' },
      { ...wire, isWin: true },
      { ...wire, status: 'WIN' },
    ]
    expect(wrong.filter(takes)).toEqual([])
  })

  test('carries zero, negative, broken and huge stakes on to the rule, which refuses them by name', () => {
    const stakes = [0, -5, 1.5, 0.001, 1e12, 1e300]
    expect(stakes.map((score) => (z.decode(untyped, { ...wire, score }) as { stakeMinor: bigint }).stakeMinor)).toEqual(
      [0n, -500n, 0n, 0n, 100_000_000_000_000n, 0n],
    )
  })
})
