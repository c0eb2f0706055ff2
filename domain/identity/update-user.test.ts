import { describe, expect, test } from 'vitest'
import { BALANCE_MAX_MINOR, points } from '../money.ts'
import { decideUserUpdate, type UserNow, type UserWish } from './update-user.ts'

const now: UserNow = {
  id: 'player',
  username: 'an',
  creditScore: 100,
  vip: null,
  avatar: null,
  isFrozen: false,
  scriptedOutcome: null,
  isDeleted: false,
  balanceMinor: points(1000),
  besideMinor: 0n,
  rowVersion: 3n,
  walletVersion: 7n,
}
const other = { id: 'admin', isOnlyOwner: true }
const fresh = { row: 3n, wallet: 7n, balanceMinor: points(1000) }
const staleRow = { ...fresh, row: 2n }
/** The balance before the last transfer was 990. */
const staleWallet = { ...fresh, wallet: 6n, balanceMinor: points(990) }
const whole = {
  username: 'an',
  creditScore: 100,
  vip: null,
  avatar: null,
  isFrozen: false,
  scriptedOutcome: null,
  password: '',
  isBalanceAlone: false,
} as const

const decide = (wish: Partial<UserWish>, actor = other, user = now) =>
  decideUserUpdate(user, { isBalanceAlone: false, version: null, ...wish }, actor)
const changed = (changes: object, deltaMinor = 0n, newPassword: string | null = null) => ({
  ok: true,
  changes,
  newPassword,
  deltaMinor,
})
const refused = (refusal: string) => ({ ok: false, refusal })

describe('with a version', () => {
  test('a whole user sent back unchanged changes nothing, however old the copy is', () => {
    expect(decide({ ...whole, balanceMinor: points(1000), version: fresh })).toEqual(changed({}))
    expect(decide({ ...whole, balanceMinor: points(990), version: { ...staleWallet, row: 2n } })).toEqual(changed({}))
  })

  test('the balance of the copy is no change even if the wallet moved since; the profile is changed', () => {
    expect(decide({ ...whole, balanceMinor: points(990), creditScore: 80, version: staleWallet })).toEqual(
      changed({ creditScore: 80 }),
    )
  })

  test('a changed balance with a fresh wallet is an adjustment for the difference', () => {
    expect(decide({ balanceMinor: points(1500), version: fresh })).toEqual(changed({}, points(500)))
    expect(decide({ balanceMinor: points(10), version: fresh })).toEqual(changed({}, -points(990)))
  })

  test('a changed balance with a fresh wallet is accepted although the row is stale', () => {
    expect(decide({ ...whole, balanceMinor: points(1500), version: staleRow })).toEqual(changed({}, points(500)))
  })

  test('a changed balance with a stale wallet is refused, even when it equals the current balance', () => {
    expect(decide({ balanceMinor: points(1500), version: staleWallet })).toEqual(refused('STALE'))
    expect(decide({ balanceMinor: points(1000), version: staleWallet })).toEqual(refused('STALE'))
    expect(decide({ balanceMinor: points(5), isBalanceAlone: true, version: staleWallet })).toEqual(refused('STALE'))
  })

  test('a wallet version that never existed has no balance to compare with', () => {
    const version = { row: 3n, wallet: 99n, balanceMinor: null }
    expect(decide({ balanceMinor: points(1000), version })).toEqual(refused('STALE'))
    expect(decide({ creditScore: 5, version })).toEqual(changed({ creditScore: 5 }))
  })

  test.each([
    { username: 'binh' },
    { creditScore: 99 },
    { vip: 1 },
    { avatar: 'a.png' },
    { isFrozen: true },
    { scriptedOutcome: 'win' as const },
    { password: 'another1' },
  ])('with a stale row %o is refused, with a fresh one it is done', (wish) => {
    const { password = null, ...changes } = wish as { password?: string }
    expect(decide({ ...wish, version: staleRow })).toEqual(refused('STALE'))
    expect(decide({ ...wish, version: fresh })).toEqual(changed(changes, 0n, password))
  })

  test('with a stale row a field that equals the current one is no change', () => {
    expect(decide({ creditScore: 100, username: 'an', version: staleRow })).toEqual(changed({}))
  })
})

describe('without a version', () => {
  test('fields that differ are the changes', () => {
    expect(decide({ ...whole, isFrozen: true, vip: 3 })).toEqual(changed({ isFrozen: true, vip: 3 }))
  })

  test('a balance is set only when it comes alone', () => {
    expect(decide({ balanceMinor: points(7), isBalanceAlone: true })).toEqual(changed({}, -points(993)))
    expect(decide({ ...whole, balanceMinor: points(7) })).toEqual(refused('STALE'))
    expect(decide({ balanceMinor: points(7), isFrozen: true })).toEqual(refused('STALE'))
    expect(decide({ ...whole, balanceMinor: points(1000), isFrozen: true })).toEqual(changed({ isFrozen: true }))
  })
})

describe('bounds', () => {
  test('a balance from 0 to 10^12 points', () => {
    expect(decide({ balanceMinor: 0n, isBalanceAlone: true })).toEqual(changed({}, -points(1000)))
    expect(decide({ balanceMinor: BALANCE_MAX_MINOR, isBalanceAlone: true })).toMatchObject({ ok: true })
    expect(decide({ balanceMinor: -1n, isBalanceAlone: true })).toEqual(refused('AMOUNT_LIMIT'))
    expect(decide({ balanceMinor: BALANCE_MAX_MINOR + 1n, isBalanceAlone: true })).toEqual(refused('AMOUNT_LIMIT'))
  })

  test('staked money, reserved money and pending deposits count too, unless the balance goes down', () => {
    const rich = { ...now, balanceMinor: BALANCE_MAX_MINOR - points(50), besideMinor: points(30) }
    const set = (balanceMinor: bigint) => decide({ balanceMinor, isBalanceAlone: true }, other, rich)
    expect(set(BALANCE_MAX_MINOR - points(30))).toEqual(changed({}, points(20)))
    expect(set(BALANCE_MAX_MINOR - points(30) + 1n)).toEqual(refused('AMOUNT_LIMIT'))
    const above = { ...rich, besideMinor: points(100) }
    expect(decide({ balanceMinor: BALANCE_MAX_MINOR - points(60), isBalanceAlone: true }, other, above)).toEqual(
      changed({}, -points(10)),
    )
  })

  test('names and passwords keep their rules', () => {
    expect(decide({ username: 'a b' })).toEqual(refused('USERNAME_INVALID'))
    expect(decide({ password: '12345' })).toEqual(refused('PASSWORD_INVALID'))
    expect(decide({ password: null })).toEqual(changed({}))
    expect(decide({ password: '' })).toEqual(changed({}))
  })

  test('a deleted user is not changed', () => {
    expect(decide({ vip: 1 }, other, { ...now, isDeleted: true })).toEqual(refused('USER_DELETED'))
  })
})

describe('own account', () => {
  const self = { id: 'player', isOnlyOwner: false }

  test.each([
    { isFrozen: true },
    { scriptedOutcome: 'win' as const },
    { balanceMinor: points(2000), isBalanceAlone: true },
    { balanceMinor: points(2000), version: fresh },
    { password: 'another1' },
  ])('%o is for somebody else to do', (wish) => {
    expect(decide(wish, self)).toEqual(refused('NOT_YOURSELF'))
  })

  test('the last admin stays an admin', () => {
    expect(decide({ isFrozen: true }, { ...self, isOnlyOwner: true })).toEqual(refused('LAST_OWNER'))
  })

  test('the rest of the own profile may be changed, and a whole user sent back', () => {
    expect(decide({ ...whole, balanceMinor: points(1000), creditScore: 90, version: fresh }, self)).toEqual(
      changed({ creditScore: 90 }),
    )
    expect(decide({ ...whole, balanceMinor: points(990), version: staleWallet }, self)).toEqual(changed({}))
  })
})
