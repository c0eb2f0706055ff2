import { describe, expect, test } from 'vitest'
import { type Access, type AccessRefusal, decideAccess, type Subject } from './permissions.ts'

const player: Subject = {
  userId: 'u',
  username: 'player',
  sessionId: 's',
  role: 'player',
  isFrozen: false,
  mustChangePassword: false,
}
const subjects = {
  player,
  admin: { ...player, role: 'admin' },
  frozen: { ...player, isFrozen: true },
  frozenAdmin: { ...player, role: 'admin', isFrozen: true },
  reset: { ...player, mustChangePassword: true },
  resetAdmin: { ...player, role: 'admin', mustChangePassword: true },
  frozenReset: { ...player, isFrozen: true, mustChangePassword: true },
} as const satisfies Record<string, Subject>

type Row = Record<keyof typeof subjects, AccessRefusal | null>
const everybody: Row = {
  player: null,
  admin: null,
  frozen: null,
  frozenAdmin: null,
  reset: null,
  resetAdmin: null,
  frozenReset: null,
}
const paused = { frozen: 'ACCOUNT_PAUSED', frozenAdmin: 'ACCOUNT_PAUSED' } as const
const reset = {
  reset: 'MUST_CHANGE_PASSWORD',
  resetAdmin: 'MUST_CHANGE_PASSWORD',
  frozenReset: 'MUST_CHANGE_PASSWORD',
} as const

/** The table of rules §4: the answer of each route class to each kind of account. */
const table: Record<Access, Row> = {
  public: everybody,
  session: everybody,
  'own-password': { ...everybody, ...paused, frozenReset: 'ACCOUNT_PAUSED' },
  'own-data': { ...everybody, ...reset },
  player: { ...everybody, ...paused, ...reset },
  staff: { ...everybody, player: 'FORBIDDEN', ...paused, ...reset },
}

describe.each(Object.keys(table) as Access[])('%s', (access) => {
  test.each(Object.keys(subjects) as (keyof Row)[])('%s', (who) => {
    expect(decideAccess(access, subjects[who])).toBe(table[access][who])
  })
})
