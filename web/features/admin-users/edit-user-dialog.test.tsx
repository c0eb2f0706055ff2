import { screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { identityEndpoints } from '#contract/identity.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import type { StaffUser } from './api.ts'
import { EditUserDialog } from './edit-user-dialog.tsx'

const user: StaffUser = {
  id: '00000000-0000-4000-8000-000000000001',
  username: 'khach01',
  avatar: null,
  role: 'player',
  balanceMinor: 100_000n,
  creditScore: 100,
  vip: null,
  isFrozen: false,
  scriptedOutcome: null,
  banks: [],
  version: '1.1',
  createdAtMs: Date.UTC(2026, 0, 1),
  ip: '127.0.0.1',
  mustChangePassword: false,
  deletedAtMs: null,
}

/** The dialog on `user`, before a server that saves whatever it is sent unless told otherwise. */
async function open(save: () => StaffUser = () => user, isSelf = false) {
  const server = fakeServer()
  const saved = server.on(identityEndpoints.updateUser, save)
  const onClose = vi.fn<() => void>()
  const drawn = await draw(<EditUserDialog user={user} isSelf={isSelf} onClose={onClose} />)
  const type = async (field: string, text: string) => {
    const box = screen.getByRole('textbox', { name: field })
    await drawn.user.clear(box)
    if (text !== '') await drawn.user.type(box, text)
  }
  const press = (name: string | RegExp) => drawn.user.click(screen.getByRole('button', { name }))
  return { ...drawn, server, saved, onClose, type, press }
}

describe('a change', () => {
  test.each([
    ['Tài khoản', 'khach02', 'Tài khoản: khach01 → khach02', { username: 'khach02' }],
    ['Điểm tín dụng', '80', 'Điểm tín dụng: 100 → 80', { creditScore: 80 }],
    ['VIP', '3', 'VIP: không có → 3', { vip: 3 }],
    ['Mật khẩu mới dùng một lần', 'matkhau9', /^Mật khẩu: đặt lại/, { password: 'matkhau9' }],
  ])('of %s is shown before it is sent, and then sent alone', async (field, text, sentence, change) => {
    const { type, press, saved, onClose } = await open()
    await type(field, text)
    await press('Xem lại thay đổi')
    expect(
      within(screen.getByRole('list'))
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)])
    expect(saved()).toHaveLength(0)
    await press(/^Lưu/)
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(saved().map(({ body }) => body)).toEqual([
      { ...change, version: '1.1', sentFields: [...Object.keys(change), 'version'] },
    ])
  })
})

test('a refusal about a field stands beside it, and what was typed is still there', async () => {
  const { type, press, onClose } = await open(() => {
    throw new Refused('USERNAME_TAKEN')
  })
  await type('Tài khoản', 'khach02')
  await type('VIP', '3')
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  const box = await screen.findByRole('textbox', { name: 'Tài khoản' })
  expect(box).toMatchObject({ value: 'khach02' })
  expect(screen.getByRole('textbox', { name: 'Tài khoản', description: 'Tài khoản đã tồn tại' })).toBe(box)
  expect(document.activeElement).toBe(box)
  expect(screen.getByRole('textbox', { name: 'VIP' })).toMatchObject({ value: '3' })
  expect(onClose).not.toHaveBeenCalled()
})

test('a newer copy is read and shown, what was typed stays, and the next try is made from it', async () => {
  let isRefused = true
  const { type, press, server, saved, onClose } = await open(() => {
    if (isRefused) throw new Refused('STALE')
    return user
  })
  server.on(identityEndpoints.listUsers, () => onePage([{ ...user, creditScore: 90, version: '2.1' }]))
  await type('VIP', '3')
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  const news = await screen.findByText(/đã thay đổi trong lúc bạn sửa/)
  expect(within(news).getByText('Điểm tín dụng: 100 → 90')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'VIP' })).toMatchObject({ value: '3' })
  expect(screen.getByRole('textbox', { name: 'Điểm tín dụng' })).toMatchObject({ value: '90' })
  isRefused = false
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved().map(({ body }) => body.version)).toEqual(['1.1', '2.1'])
})
