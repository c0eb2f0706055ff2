import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { staffUserEndpoints } from '#contract/staff-users.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { adminUserTexts as texts } from './admin-user-texts.ts'
import { CapabilitiesDialog } from './capabilities-dialog.tsx'

test('what another owner took away meanwhile stays away when only something else was pressed', async () => {
  const server = fakeServer()
  const lan = sampleUser(1, { role: 'admin', capabilities: ['money', 'care'] })
  const now = sampleUser(1, { role: 'admin', capabilities: ['care'], version: '9.9' })
  server.on(staffUserEndpoints.listUsers, () => onePage([now]))
  const granted = server.on(staffUserEndpoints.grantCapabilities, ({ body }) => {
    if (body.version !== now.version) throw new Refused('STALE')
    return { ...now, capabilities: [...body.capabilities] }
  })
  const { user } = await draw(<CapabilitiesDialog user={lan} onClose={() => {}} />)
  const isOn = (name: RegExp) => screen.getByRole('switch', { name }).getAttribute('aria-checked')
  await user.click(screen.getByRole('switch', { name: /^Phiên/ }))
  const save = screen.getByRole('button', { name: 'Lưu quyền' })
  await user.click(save)
  await waitFor(() => expect(isOn(/^Điểm/)).toBe('false'))
  expect(isOn(/^Phiên/)).toBe('true')
  await user.click(save)
  await waitFor(() => expect(granted()).toHaveLength(2))
  expect(granted()[1]?.body).toMatchObject({ capabilities: ['care', 'rounds'], version: '9.9' })
})

test('what another owner granted meanwhile, and was pressed here too, stays granted', async () => {
  const server = fakeServer()
  const lan = sampleUser(1, { role: 'admin', capabilities: ['care'] })
  const now = sampleUser(1, { role: 'admin', capabilities: ['money', 'care'], version: '9.9' })
  server.on(staffUserEndpoints.listUsers, () => onePage([now]))
  server.on(staffUserEndpoints.grantCapabilities, () => {
    throw new Refused('STALE')
  })
  const { user } = await draw(<CapabilitiesDialog user={lan} onClose={() => {}} />)
  const money = screen.getByRole('switch', { name: /^Điểm/ })
  await user.click(money)
  const save = screen.getByRole('button', { name: 'Lưu quyền' })
  await user.click(save)
  expect(await screen.findByText(/^Quyền: .* → /)).toBeTruthy()
  expect(money.getAttribute('aria-checked')).toBe('true')
  // Nothing is left to save, until the switch is pressed again.
  expect(save.getAttribute('aria-disabled')).toBe('true')
  await user.click(money)
  expect([money, save].map((one) => one.getAttribute('aria-disabled'))).not.toContain('true')
  expect(money.getAttribute('aria-checked')).toBe('false')
})

test('that the account was read again is said only once it was', async () => {
  const server = fakeServer()
  const lan = sampleUser(1, { role: 'admin', capabilities: ['care'] })
  server.on(staffUserEndpoints.listUsers, () => {
    throw new Refused('TOO_MANY_REQUESTS')
  })
  const granted = server.on(staffUserEndpoints.grantCapabilities, () => {
    throw new Refused('STALE')
  })
  const { user } = await draw(<CapabilitiesDialog user={lan} onClose={() => {}} />)
  await user.click(screen.getByRole('switch', { name: /^Điểm/ }))
  const save = screen.getByRole('button', { name: 'Lưu quyền' })
  await user.click(save)
  expect(await screen.findByText(refusals.TOO_MANY_REQUESTS.message)).toBeTruthy()
  expect(screen.queryByText(texts.staleAct)).toBeNull()
  server.on(staffUserEndpoints.listUsers, () => onePage([{ ...lan, version: '9.9' }]))
  await user.click(save)
  expect(await screen.findByText(texts.staleAct)).toBeTruthy()
  expect(screen.queryByText(refusals.TOO_MANY_REQUESTS.message)).toBeNull()
  expect(granted().map(({ body }) => body.version)).toEqual(['1.1', '1.1'])
})
