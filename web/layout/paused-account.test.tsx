import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { identityEndpoints, type Me } from '#contract/identity.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { pausedAccountTexts } from './paused-account-texts.ts'
import { contactLink, PausedAccount } from './paused-account.tsx'

// The module keeps the public configuration for the page's life; each test is a page of its own.
const api = vi.hoisted(() => ({ supportContact: '' }))
vi.mock(import('#web/features/identity/api.ts'), () => ({
  loadPublicConfig: async () => ({
    referralCode: '',
    teamName: '',
    supportContact: api.supportContact,
    hasPasskeys: false,
  }),
}))
const left = vi.hoisted(() => vi.fn())
vi.mock(import('#web/platform/session.ts'), async (original) => ({ ...(await original()), forgetUserAndLeave: left }))

const me = { id: 'user-1', username: 'lan', role: 'player', isFrozen: true } as Me
const open = (supportContact: string) => {
  api.supportContact = supportContact
  return draw(<PausedAccount me={me} />)
}

test('says who is signed in, and lets them sign out', async () => {
  const server = fakeServer()
  const logouts = server.on(identityEndpoints.logout, () => null)
  const { user } = await open('quản trị viên')
  expect(screen.getByText(pausedAccountTexts.signedInAs('lan'))).toBeTruthy()
  await user.click(screen.getByRole('button', { name: pausedAccountTexts.logOut }))
  await waitFor(() => expect(left).toHaveBeenCalledOnce())
  expect(logouts()).toHaveLength(1)
})

test('the support contact is a link where it is one', async () => {
  await open('mailto:hotro@kimphien.vn')
  const link = await screen.findByRole('link', { name: 'hotro@kimphien.vn' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['mailto:hotro@kimphien.vn', null])
})

test('a link to another site opens beside the product and tells it nothing', async () => {
  await open('https://zalo.me/0901234567')
  const link = await screen.findByRole('link', { name: 'https://zalo.me/0901234567' })
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
})

test('what is no link is a text', async () => {
  await open('javascript:alert(1)')
  expect(await screen.findByText('javascript:alert(1)')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test.each([
  ['https://zalo.me/0901234567', 'https://zalo.me/0901234567', 'https://zalo.me/0901234567'],
  [' mailto:hotro@kimphien.vn?subject=A ', 'mailto:hotro@kimphien.vn?subject=A', 'hotro@kimphien.vn'],
  ['tel:+84901234567', 'tel:+84901234567', '+84901234567'],
])('%s is a link', (contact, href, label) => {
  expect(contactLink(contact)).toEqual({ href, label })
})

test.each([
  'quản trị viên',
  'Zalo: 0901 234 567',
  'http://zalo.me/0901234567',
  'javascript:alert(1)',
  'data:text/html,x',
  '//zalo.me',
  'https://',
  'tel:',
  '',
])('%s is a text', (contact) => {
  expect(contactLink(contact)).toBeNull()
})
