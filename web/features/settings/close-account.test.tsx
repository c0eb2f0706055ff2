import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ownAccountEndpoints } from '#contract/own-account.ts'
import { forgetUserAndLeave } from '#web/platform/session.ts'
import { type FakeServer, fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { CloseAccount } from './close-account.tsx'
import { settingsTexts } from './settings-texts.ts'

vi.mock(import('#web/platform/session.ts'), async (original) => ({
  ...(await original()),
  forgetUserAndLeave: vi.fn<typeof forgetUserAndLeave>(async () => {}),
}))

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  vi.mocked(forgetUserAndLeave).mockClear()
})

async function ask() {
  const { user } = await draw(<CloseAccount username="LanAnh" balance="1,000.00 điểm" />)
  await user.click(screen.getByRole('button', { name: settingsTexts.closeVerb }))
  const question = await screen.findByRole('alertdialog', { name: settingsTexts.closeTitle('LanAnh') })
  const confirm = within(question).getByRole('button', { name: settingsTexts.closeVerb })
  const password = within(question).getByLabelText(settingsTexts.password)
  return { user, question, confirm, password }
}

test('the question says what lapses and what stays, and asks for the password', async () => {
  const closed = server.on(ownAccountEndpoints.closeAccount, () => null)
  const { user, question, confirm } = await ask()
  for (const effect of settingsTexts.closeEffects('1,000.00 điểm')) within(question).getByText(effect)
  await user.click(confirm)
  await within(question).findByText(settingsTexts.passwordRequired)
  await user.click(within(question).getByRole('button', { name: settingsTexts.closeKeep }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(closed()).toEqual([])
})

test('with the password the account is closed and the device forgets its user', async () => {
  const closed = server.on(ownAccountEndpoints.closeAccount, () => null)
  const { user, confirm, password } = await ask()
  await user.type(password, 'matkhau1')
  await user.click(confirm)
  await waitFor(() => expect(forgetUserAndLeave).toHaveBeenCalledTimes(1))
  expect(closed()).toEqual([{ body: { password: 'matkhau1' } }])
})

test('a wrong password is said at its field, and open items beneath; nobody is signed out', async () => {
  let code: 'PASSWORD_WRONG' | 'USER_HAS_OPEN_ITEMS' = 'PASSWORD_WRONG'
  server.on(ownAccountEndpoints.closeAccount, () => {
    throw new Refused(code)
  })
  const { user, question, confirm, password } = await ask()
  await user.type(password, 'khong-phai')
  await user.click(confirm)
  await within(question).findByText('Mật khẩu hiện tại không đúng')
  expect(password.getAttribute('aria-invalid')).toBe('true')
  code = 'USER_HAS_OPEN_ITEMS'
  await user.click(confirm)
  await within(question).findByText('Tài khoản còn phiên đang chạy hoặc yêu cầu đang chờ duyệt')
  expect(forgetUserAndLeave).not.toHaveBeenCalled()
})
