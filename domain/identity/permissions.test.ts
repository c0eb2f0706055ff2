import { describe, expect, test } from 'vitest'
import { type Access, type AccessRefusal, CAPABILITIES, decideAccess, inOrder, type Subject } from './permissions.ts'

const player: Subject = {
  userId: 'u',
  username: 'player',
  sessionId: 's',
  role: 'player',
  capabilities: [],
  isFrozen: false,
  mustChangePassword: false,
}
const subjects = {
  player,
  admin: { ...player, role: 'admin', capabilities: CAPABILITIES },
  reader: { ...player, role: 'admin' },
  frozen: { ...player, isFrozen: true },
  frozenAdmin: { ...player, role: 'admin', capabilities: CAPABILITIES, isFrozen: true },
  reset: { ...player, mustChangePassword: true },
  resetAdmin: { ...player, role: 'admin', mustChangePassword: true },
  frozenReset: { ...player, isFrozen: true, mustChangePassword: true },
  /** Signed in where every admin needs a second factor, and has none yet. */
  without: { ...player, role: 'admin', mustAddFactor: true },
  /** Whose account got its first second factor elsewhere. */
  unproven: { ...player, role: 'admin', mustProveFactor: true },
} as const satisfies Record<string, Subject>

type Row = Record<keyof typeof subjects, AccessRefusal | null>
const everybody: Row = {
  player: null,
  admin: null,
  reader: null,
  frozen: null,
  frozenAdmin: null,
  reset: null,
  resetAdmin: null,
  frozenReset: null,
  without: null,
  unproven: null,
}
const paused = { frozen: 'ACCOUNT_PAUSED', frozenAdmin: 'ACCOUNT_PAUSED' } as const
const reset = {
  reset: 'MUST_CHANGE_PASSWORD',
  resetAdmin: 'MUST_CHANGE_PASSWORD',
  frozenReset: 'MUST_CHANGE_PASSWORD',
} as const
const without = { without: 'MUST_ADD_FACTOR', unproven: 'FACTOR_REQUIRED' } as const

const staff: Row = { ...everybody, player: 'FORBIDDEN', ...paused, ...reset, ...without }
const capable: Row = { ...staff, reader: 'CAPABILITY_MISSING' }

/** The table of rules §4: the answer of each route class to each kind of account. */
const table: Record<Access, Row> = {
  public: everybody,
  session: everybody,
  'own-password': { ...everybody, ...paused, frozenReset: 'ACCOUNT_PAUSED', unproven: 'FACTOR_REQUIRED' },
  'own-data': { ...everybody, ...reset, ...without },
  player: { ...everybody, ...paused, ...reset, ...without },
  'own-factor': { ...staff, without: null, unproven: null },
  'own-passkey': { ...everybody, ...paused, ...reset },
  staff,
  'staff:money': capable,
  'staff:care': capable,
  'staff:rounds': capable,
  'staff:users': capable,
  'staff:owner': capable,
}

describe.each(Object.keys(table) as Access[])('%s', (access) => {
  test.each(Object.keys(subjects) as (keyof Row)[])('%s', (who) => {
    expect(decideAccess(access, subjects[who])).toBe(table[access][who])
  })
})

describe.each(CAPABILITIES)('%s alone', (held) => {
  const holder: Subject = { ...player, role: 'admin', capabilities: [held] }

  test.each(CAPABILITIES)('where %s is needed', (needed) => {
    expect(decideAccess(`staff:${needed}`, holder)).toBe(held === needed ? null : 'CAPABILITY_MISSING')
  })

  test('reads what every admin reads', () => {
    expect(decideAccess('staff', holder)).toBeNull()
  })
})

test('a player with a capability that was left behind is no admin', () => {
  expect(decideAccess('staff:owner', { ...player, capabilities: CAPABILITIES })).toBe('FORBIDDEN')
})

test('capabilities are kept in one order, each once', () => {
  expect(inOrder(['owner', 'care', 'money', 'care'])).toEqual(['money', 'care', 'owner'])
})
