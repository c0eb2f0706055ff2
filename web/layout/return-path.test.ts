import { describe, expect, test, vi } from 'vitest'
import { queryClient } from '#web/platform/query-client.ts'
import { ownPath, returnPathOf } from './return-path.ts'

describe('an own address', () => {
  test.each([
    '/account/bets?bet=0199aaaa',
    '/transaction?form=deposit',
    '/support',
    '/admin/user?username=a',
    '/%2F/evil.example',
    '/loginx',
  ])('%s is one', (address) => {
    expect(ownPath(address)).toBe(address)
  })

  test.each([
    '//evil.example/a',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'account',
    '',
    '/',
    '/?a=1',
    '/login',
    '/login?next=/login',
    '/register',
    '/account/../login',
    `/${'a'.repeat(500)}`,
  ])('%j leads to the home screen', (address) => {
    expect(ownPath(address)).toBeNull()
  })
})

describe('after a sign-in', () => {
  const arrive = async (
    address: string,
    { role = 'player', owner = null as string | null, mustChangePassword = false } = {},
  ) => {
    vi.spyOn(queryClient, 'query').mockResolvedValue({ id: 'me', role, mustChangePassword })
    const path = await returnPathOf(address, owner)
    vi.restoreAllMocks()
    return path
  }

  test('the way goes on: on a new device, and for the person who used it before', async () => {
    expect(await arrive('/account/bets?bet=1')).toBe('/account/bets?bet=1')
    expect(await arrive('/account/bets?bet=1', { owner: 'me' })).toBe('/account/bets?bet=1')
  })

  test('another person begins at the home screen', async () => {
    expect(await arrive('/account/bets?bet=1', { owner: 'other' })).toBe('/')
  })

  test('a change of password is no end of the way, where it is its first step', async () => {
    expect(await arrive('/change-password')).toBe('/change-password')
    expect(await arrive('/change-password', { mustChangePassword: true })).toBe('/')
    expect(await arrive('/account/bets', { mustChangePassword: true })).toBe('/account/bets')
  })

  test('the back office is for admins', async () => {
    for (const path of ['/admin', '/admin/user', '/admin?a=1']) expect(await arrive(path)).toBe('/')
    expect(await arrive('/admin/user', { role: 'admin' })).toBe('/admin/user')
    expect(await arrive('/administration')).toBe('/administration')
  })
})
