import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signInEndpoints } from '#contract/sign-in.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { factorTexts } from './factor-texts.ts'
import { LoginForm } from './login-form.tsx'
import { signInTexts } from './sign-in-texts.ts'

test('whoever begins again at the second step has the focus in the first field', async () => {
  const step = { challenge: 'x'.repeat(43), ways: ['totp' as const, 'recovery' as const], passkeyOptions: null }
  fakeServer().on(signInEndpoints.login, () => step)
  const { user } = await draw(<LoginForm onSignedIn={() => {}} onStep={() => {}} />)
  await user.type(screen.getByLabelText(signInTexts.username), 'lan')
  await user.type(screen.getByLabelText(signInTexts.password), 'matkhau1{Enter}')
  await user.click(await screen.findByRole('button', { name: factorTexts.restart }))
  expect(document.activeElement).toBe(screen.getByLabelText(signInTexts.username))
})
