import { describe, expect, test } from 'vitest'
import type { UserProfile } from '#domain/identity/update-user.ts'
import type { StaffUser } from './api.ts'
import { changeSentences, differences, draftOf, passwordFrom, readDraft, rebase } from './user-draft.ts'

const user: StaffUser = {
  id: 'u1',
  username: 'minhanh92',
  avatar: null,
  role: 'player',
  capabilities: [],
  balanceMinor: 123_450n,
  stakedMinor: 0n,
  creditScore: 100,
  vip: null,
  isFrozen: false,
  scriptedOutcome: null,
  banks: [],
  version: '3.7',
  createdAtMs: 0,
  ip: null,
  mustChangePassword: false,
  deletedAtMs: null,
}

describe('the form of a user', () => {
  test('starts from the stored user, which is no change', () => {
    const draft = draftOf(user)
    expect(draft.balance).toBe('1234.5')
    expect(readDraft(draft, user)).toEqual({ change: {}, errors: {} })
  })

  test.each([
    [100_000n, '1000'],
    [0n, '0'],
    [5n, '0.05'],
    [100_00n, '100'],
    [123_456n, '1234.56'],
    [100_000_000_000_000n, '1000000000000'],
  ])('%s minor units are typed as %s', (balanceMinor, text) => {
    expect(draftOf({ ...user, balanceMinor }).balance).toBe(text)
  })

  test('sends the changed fields, and the balance with its reason', () => {
    const draft = {
      ...draftOf(user),
      username: ' LanAnh ',
      balance: '2.000,25',
      vip: '3',
      creditScore: '80',
      password: 'abcdef',
    }
    expect(readDraft(draft, user)).toEqual({
      change: {
        username: 'LanAnh',
        password: 'abcdef',
        balanceMinor: 200_025n,
        reason: 'Điều chỉnh',
        creditScore: 80,
        vip: 3,
      },
      errors: {},
    })
  })

  test.each([
    [{ username: 'có dấu' }, 'username'],
    [{ username: 'ab' }, 'username'],
    [{ password: '12345' }, 'password'],
    [{ balance: '' }, 'balance'],
    [{ balance: '1.2345' }, 'balance'],
    [{ balance: '-50' }, 'balance'],
    [{ creditScore: '1.5' }, 'creditScore'],
    [{ balance: '1000000000001' }, 'balance'],
    [{ balance: '5', reason: '  ' }, 'reason'],
    [{ creditScore: '101' }, 'creditScore'],
    [{ creditScore: '' }, 'creditScore'],
    [{ vip: '11' }, 'vip'],
    [{ vip: 'x' }, 'vip'],
  ])('%j is an error at its field and not sent', (typed, field) => {
    const { change, errors } = readDraft({ ...draftOf(user), ...typed }, user)
    expect(Object.keys(errors)).toEqual([field])
    expect(Object.keys(change)).not.toContain(field)
  })

  test('an empty vip removes it', () => {
    const member = { ...user, vip: 3 }
    expect(readDraft({ ...draftOf(member), vip: '' }, member).change).toEqual({ vip: null })
  })

  test('describes each change in words', () => {
    const { change } = readDraft({ ...draftOf(user), balance: '1000', reason: 'quà', vip: '2' }, user)
    expect(changeSentences(change, user)).toEqual([
      'Số dư: 1,234.50 → 1,000.00 điểm (−234.50), lý do “quà”. Người chơi thấy trong Lịch sử số dư.',
      'VIP: không có → 2',
    ])
  })
})

describe('a stale version', () => {
  const newer = { ...user, balanceMinor: 130_000n, creditScore: 90, isFrozen: true, version: '4.8' }

  test('lists the differences', () => {
    expect(differences(user, newer)).toEqual([
      'Số dư: 1,234.50 → 1,300.00',
      'Điểm tín nhiệm: 100 → 90',
      'Đóng băng: Không → Có',
    ])
    expect(differences(user, user)).toEqual([])
  })

  // Each field with another value than the copy's: the type misses one that is left out. No screen shows an avatar.
  const others = {
    username: 'lananh',
    creditScore: 90,
    vip: 4,
    isFrozen: true,
    scriptedOutcome: 'win',
  } as const satisfies Omit<UserProfile, 'avatar'>

  test.each(Object.entries(others))('lists a changed %s', (field, value) => {
    expect(differences(user, { ...user, [field]: value })).toHaveLength(1)
  })

  test('typed fields stay, the other fields take the new values', () => {
    const typed = { ...draftOf(user), balance: '2000', username: 'LanAnh' }
    const moved = rebase(typed, user, newer)
    expect(moved).toEqual({ ...draftOf(newer), balance: '2000', username: 'LanAnh' })
    // The untouched credit score is not set back to 100.
    expect(readDraft(moved, newer).change).toEqual({ username: 'LanAnh', balanceMinor: 200_000n, reason: 'Điều chỉnh' })
  })
})

test('a one-time password has no characters that look alike', () => {
  const password = passwordFrom(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  expect(password).toHaveLength(256)
  expect(password).not.toMatch(/[0O1lIi]/)
})
