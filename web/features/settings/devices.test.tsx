import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type OwnSession, ownAccountEndpoints } from '#contract/own-account.ts'
import { type FakeServer, fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { Devices } from './devices.tsx'
import { settingsTexts } from './settings-texts.ts'

const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
const aSession = (number: number, fields: Partial<OwnSession> = {}): OwnSession => ({
  id: uuid(number),
  userAgent: android,
  ip: '203.0.113.7',
  isCurrent: number === 1,
  createdAtMs: Date.UTC(2026, 10, 20, 8, 4, 30),
  lastUsedAtMs: Date.UTC(2026, 10, 21, 2, 0, 59),
  ...fields,
})

let server: FakeServer
let stored: OwnSession[]
beforeEach(() => {
  server = fakeServer()
  stored = [aSession(1), aSession(2, { userAgent: null, ip: null }), aSession(3)]
  server.on(ownAccountEndpoints.listSessions, () => stored)
})

/** The rows of the list; a toast is a list's item, too. */
const rowsNow = () => within(screen.getByRole('region', { name: settingsTexts.devices })).getAllByRole('listitem')

const drawDevices = async () => {
  const onSignOutHere = vi.fn<() => void>()
  const drawn = await draw(<Devices isLeaving={false} onSignOutHere={onSignOutHere} />)
  await screen.findByText(settingsTexts.inUse)
  const rows = rowsNow()
  return { ...drawn, onSignOutHere, rows }
}
const button = (row: HTMLElement | undefined) => within(row ?? document.body).getByRole('button')

test('each device says what and where it is, and when it was used', async () => {
  const { rows } = await drawDevices()
  expect(rows.map((row) => row.textContent)).toEqual([
    `Chrome trên Android${settingsTexts.inUse}${settingsTexts.usedNow}Đăng nhập: 20/11/2026 15:04 · địa chỉ 203.0.113.7${settingsTexts.signOut}`,
    `Thiết bị không rõDùng lần cuối: 21/11/2026 09:00Đăng nhập: 20/11/2026 15:04${settingsTexts.signOut}`,
    `Chrome trên AndroidDùng lần cuối: 21/11/2026 09:00Đăng nhập: 20/11/2026 15:04 · địa chỉ 203.0.113.7${settingsTexts.signOut}`,
  ])
})

test('this device signs out as everywhere, without a call of its own', async () => {
  const ended = server.on(ownAccountEndpoints.endSession, () => null)
  const { user, rows, onSignOutHere } = await drawDevices()
  await user.click(button(rows[0]))
  expect(onSignOutHere).toHaveBeenCalledTimes(1)
  expect(ended()).toEqual([])
})

test('another device is signed out after a question, and leaves the list', async () => {
  const ended = server.on(ownAccountEndpoints.endSession, ({ params }) => {
    stored = stored.filter(({ id }) => id !== params.id)
    return null
  })
  const { user, rows } = await drawDevices()
  await user.click(button(rows[1]))
  const question = await screen.findByRole('alertdialog', { name: settingsTexts.signOutTitle })
  expect(ended()).toEqual([])
  await user.click(within(question).getByRole('button', { name: settingsTexts.signOutVerb }))
  await screen.findByText(settingsTexts.signedOut)
  expect(ended()).toEqual([{ params: { id: uuid(2) } }])
  await waitFor(() => expect(rowsNow()).toHaveLength(2))
})

test('a device that signed out meanwhile is no failure; another failure stays in the question', async () => {
  let code: 'NOT_FOUND' | 'INTERNAL' = 'INTERNAL'
  server.on(ownAccountEndpoints.endSession, () => {
    throw new Refused(code)
  })
  const { user, rows } = await drawDevices()
  await user.click(button(rows[2]))
  const question = await screen.findByRole('alertdialog')
  const confirm = within(question).getByRole('button', { name: settingsTexts.signOutVerb })
  await user.click(confirm)
  await within(question).findByText(settingsTexts.failed)
  code = 'NOT_FOUND'
  await user.click(confirm)
  await screen.findByText(settingsTexts.signedOut)
})

test('all others are signed out together; with one device there is nothing to press', async () => {
  server.on(ownAccountEndpoints.endOtherSessions, () => {
    stored = stored.slice(0, 1)
    return { ended: 2 }
  })
  const { user } = await drawDevices()
  await user.click(screen.getByRole('button', { name: settingsTexts.signOutOthers }))
  const question = await screen.findByRole('alertdialog', { name: settingsTexts.signOutOthersTitle })
  await user.click(within(question).getByRole('button', { name: settingsTexts.signOutVerb }))
  await screen.findByText(settingsTexts.signedOutOthers('2'))
  await waitFor(() => expect(screen.queryByRole('button', { name: settingsTexts.signOutOthers })).toBeNull())
})

test('many devices are shown five at first', async () => {
  stored = Array.from({ length: 8 }, (_, at) => aSession(at + 1))
  const { user, rows } = await drawDevices()
  expect(rows).toHaveLength(5)
  await user.click(screen.getByRole('button', { name: settingsTexts.moreDevices('3') }))
  expect(rowsNow()).toHaveLength(8)
  expect(document.activeElement?.tagName).toBe('UL')
})
