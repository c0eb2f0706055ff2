import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { identityEndpoints } from '#contract/identity.ts'
import { signInEndpoints } from '#contract/sign-in.ts'
import { refusals } from '#contract/refusals.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { ChangePasswordScreen } from './change-password-screen.tsx'
import { LoginScreen } from './login-screen.tsx'

const left = vi.hoisted(() => vi.fn())
vi.mock(import('#web/platform/session.ts'), async (original) => ({ ...(await original()), forgetUserAndLeave: left }))

beforeEach(() => queryClient.clear())

const Guarded = () => useQuery(meQuery).data && <ChangePasswordScreen />

test.each([true, false])(
  'a change that staff ask for (%s) can be left only by signing out',
  async (mustChangePassword) => {
    const server = fakeServer()
    server.on(identityEndpoints.me, () => ({ ...sampleUser(1), mustChangePassword, passwordResetAtMs: null }))
    const logouts = server.on(identityEndpoints.logout, () => null)
    const { user } = await draw(<Guarded />)
    await screen.findByRole('button', { name: changePasswordTexts.submit })
    expect(screen.queryAllByRole('link')).toHaveLength(mustChangePassword ? 0 : 1)
    const logOut = screen.queryByRole('button', { name: changePasswordTexts.logOut })
    if (!mustChangePassword) return expect(logOut).toBeNull()
    await user.click(logOut!)
    await waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(logouts()).toHaveLength(1)
  },
)

const change = async (user: UserEvent) => {
  await user.type(await screen.findByLabelText(changePasswordTexts.current), 'matkhau1')
  await user.type(screen.getByLabelText(changePasswordTexts.next), 'matkhau2')
  await user.type(screen.getByLabelText(changePasswordTexts.confirmation), 'matkhau2')
  await user.click(screen.getByRole('button', { name: changePasswordTexts.submit }))
}

test('a change whose answer was lost is sent again as the same one', async () => {
  const server = fakeServer()
  server.on(identityEndpoints.me, () => ({ ...sampleUser(1), mustChangePassword: false, passwordResetAtMs: null }))
  const keys: unknown[] = []
  server.on(signInEndpoints.changePassword, ({ idempotencyKey }) => {
    if (keys.push(idempotencyKey) === 1) throw new Refused('DATABASE_AWAY')
    return null
  })
  const { user } = await draw(<Guarded />)
  await change(user)
  await screen.findByText(refusals.DATABASE_AWAY.message)
  await user.click(screen.getByRole('button', { name: changePasswordTexts.submit }))
  await screen.findByText(changePasswordTexts.done)
  expect(keys).toEqual([keys[0], keys[0]])
  expect(keys[0]).toEqual(expect.any(String))
})

/** Follows a link to `wanted` without a session, and changes a password set by staff. Returns where this ends. */
async function arriveFrom(wanted: string) {
  const server = fakeServer()
  server.on(identityEndpoints.me, () => ({ ...sampleUser(1), mustChangePassword: true, passwordResetAtMs: null }))
  const session = { accessToken: 'token', mustChangePassword: true }
  server.on(signInEndpoints.login, () => session)
  server.on(signInEndpoints.changePassword, () => null)
  function Screens() {
    const { history } = useRouter()
    const path = useRouterState({ select: ({ location }) => location.pathname })
    if (path === '/login') return <LoginScreen />
    if (path === '/change-password') return <Guarded />
    return <button onClick={() => history.push('/login', { returnTo: wanted })}>Vào</button>
  }
  const { user, address } = await draw(<Screens />, '/begin')
  await user.click(screen.getByRole('button', { name: 'Vào' }))
  await user.type(await screen.findByLabelText(signInTexts.username), 'lan')
  await user.type(screen.getByLabelText(signInTexts.password), 'matkhau1{Enter}')
  await change(user)
  await waitFor(() => expect(address()).not.toContain('password'))
  return address()
}

test.each([
  ['/account/bets?bet=1', '/account/bets?bet=1'],
  ['/admin/user', '/'],
  ['/change-password', '/'],
])('the change of a password set by staff leads from %s on to %s', async (wanted, end) => {
  expect(await arriveFrom(wanted)).toBe(end)
})
