import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { identityEndpoints } from '#contract/identity.ts'
import { refusals } from '#contract/refusals.ts'
import { signInEndpoints } from '#contract/sign-in.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { RegisterForm } from './register-form.tsx'
import { signInTexts } from './sign-in-texts.ts'

const session = { accessToken: 'token', mustChangePassword: false }

/** Registers `name`, whose answer is lost, and presses again: by then the name is taken. */
async function registerTwice(name: string, signIn: () => typeof session) {
  const server = fakeServer()
  const config = { referralCode: 'GOLD', supportContact: '', teamName: '', hasPasskeys: false }
  server.on(identityEndpoints.publicConfig, () => config)
  let tries = 0
  vi.spyOn(console, 'error').mockReturnValueOnce()
  server.on(signInEndpoints.register, () => {
    if ((tries += 1) === 1) throw new Error('lost')
    throw new Refused('USERNAME_TAKEN')
  })
  const signedIn = server.on(signInEndpoints.login, signIn)
  const onSignedIn = vi.fn<() => void>()
  const { user } = await draw(<RegisterForm onSignedIn={onSignedIn} />)
  await user.type(screen.getByLabelText(signInTexts.referralCode), 'GOLD')
  await user.type(screen.getByLabelText(signInTexts.username), name)
  await user.type(screen.getByLabelText(signInTexts.password), 'matkhau1')
  await user.type(screen.getByLabelText(signInTexts.passwordAgain), 'matkhau1')
  const submit = screen.getByRole('button', { name: signInTexts.registerButton })
  await user.click(submit)
  await screen.findByText(commonTexts.unsure)
  expect(signedIn()).toEqual([])
  await user.click(submit)
  await waitFor(() => expect(signedIn()).toEqual([{ body: { username: name, password: 'matkhau1' } }]))
  return onSignedIn
}

test('whoever presses again after a lost answer has registered, and is signed in', async () => {
  const onSignedIn = await registerTwice('lan', () => session)
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
})

test('a name that somebody else has is taken, also after a lost answer', async () => {
  const onSignedIn = await registerTwice('mai', () => {
    throw new Refused('LOGIN_FAILED')
  })
  await screen.findByText(refusals.USERNAME_TAKEN.message)
  expect(onSignedIn).not.toHaveBeenCalled()
})

test('a sign-in that is refused for another reason does not say that the name is taken', async () => {
  const onSignedIn = await registerTwice('hoa', () => {
    throw new Refused('TOO_MANY_REQUESTS')
  })
  await screen.findByText(refusals.TOO_MANY_REQUESTS.message, { exact: false })
  expect(screen.queryByText(refusals.USERNAME_TAKEN.message)).toBeNull()
  expect(onSignedIn).not.toHaveBeenCalled()
})
