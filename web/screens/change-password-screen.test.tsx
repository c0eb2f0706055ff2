import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { identityEndpoints } from '#contract/identity.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { ChangePasswordScreen } from './change-password-screen.tsx'

const left = vi.hoisted(() => vi.fn())
vi.mock(import('#web/platform/session.ts'), async (original) => ({ ...(await original()), forgetUserAndLeave: left }))

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
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce())
    expect(logouts()).toHaveLength(1)
  },
)
