import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { type StaffUser, type UpdatedUser, staffUserEndpoints } from '#contract/staff-users.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { points } from '#domain/money.ts'
import type { UserProfile } from '#domain/identity/update-user.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { EditUserDialog } from './edit-user-dialog.tsx'

const user = sampleUser(1)

/** Fields that staff change by an act of the menu, or not on a screen at all. */
type NotInForm = 'isFrozen' | 'scriptedOutcome' | 'avatar'

/** Opens the dialog on `user`. The server stores every change unless `save` is given. */
async function open(save: () => UpdatedUser | Promise<UpdatedUser> = () => user, isSelf = false) {
  const server = fakeServer()
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: points(600) }))
  const saved = server.on(staffUserEndpoints.updateUser, save)
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
  // What is typed for each field, and what becomes of it: the type misses a field without a place in the form.
  const changes = {
    username: ['Tài khoản', 'khach02', 'Tài khoản: khach01 → khach02', { username: 'khach02' }],
    creditScore: ['Điểm tín nhiệm', '80', 'Điểm tín nhiệm: 100 → 80', { creditScore: 80 }],
    vip: ['VIP', '3', 'VIP: không có → 3', { vip: 3 }],
    password: ['Mật khẩu mới dùng một lần', 'matkhau9', /^Mật khẩu: đặt lại/, { password: 'matkhau9' }],
  } as const satisfies Record<'password' | Exclude<keyof UserProfile, NotInForm>, readonly unknown[]>

  test.each(Object.values(changes))(
    'of %s is shown before it is sent, and only that field is sent',
    async (field, text, sentence, change) => {
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
      await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
      expect(saved().map(({ body }) => body)).toEqual([
        { ...change, version: '1.1', sentFields: [...Object.keys(change), 'version'] },
      ])
    },
  )
})

test('a change of the balance that needs a second person says so in the review', async () => {
  const { type, press, onClose } = await open(() => ({ ...user, proposalId: uuid(7) }))
  await type('Số dư', '1700')
  // The reason that stands there at first tells the second person nothing.
  await press('Xem lại thay đổi')
  await waitFor(async () => {
    if (screen.queryByRole('button', { name: 'Gửi đề nghị' }) !== null) await press('Gửi đề nghị')
    expect(screen.getByText('Vui lòng nêu lý do cho người xác nhận')).toBeTruthy()
  })
  await type('Lý do điều chỉnh', 'bù lỗi')
  await press('Xem lại thay đổi')
  expect(await screen.findByText(/tổng cộng 700(\.00)? điểm của khach01; từ 600/)).toBeTruthy()
  await press('Gửi đề nghị')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(await screen.findByText('Đã gửi đề nghị về khach01, chờ người thứ hai xác nhận')).toBeTruthy()
})

test('a balance is sent with its reason, and the form shows by how much it changes', async () => {
  const { type, press, saved, onClose } = await open()
  expect(screen.queryByRole('textbox', { name: 'Lý do điều chỉnh' })).toBeNull()
  await type('Số dư', '1500.5')
  expect(screen.getByRole('textbox', { name: 'Số dư', description: /^Điều chỉnh \+500.50 điểm$/ })).toBeTruthy()
  await type('Lý do điều chỉnh', '')
  await press('Xem lại thay đổi')
  expect(screen.getByText('Vui lòng nhập lý do')).toBeTruthy()
  await type('Lý do điều chỉnh', 'bù lỗi')
  await press('Xem lại thay đổi')
  await press('Lưu 1 thay đổi')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved()[0]?.body).toMatchObject({ balanceMinor: 150_050n, reason: 'bù lỗi' })
})

test.each([
  ['Tài khoản', 'có dấu', 'Tài khoản viết không dấu, không khoảng trắng, từ 3 đến 32 ký tự'],
  ['Mật khẩu mới dùng một lần', '12345', 'Mật khẩu từ 6 đến 128 ký tự'],
  ['Số dư', '', 'Vui lòng nhập số điểm hợp lệ, nhiều nhất 2 chữ số thập phân'],
  ['Điểm tín nhiệm', '101', 'Điểm tín nhiệm từ 0 đến 100'],
  ['VIP', '11', 'VIP từ 0 đến 10'],
])('%s of "%s" is an error at its field, and no request is sent', async (field, text, sentence) => {
  const { type, press, saved } = await open()
  await type(field, text)
  await press('Xem lại thay đổi')
  const box = screen.getByRole('textbox', { name: field, description: new RegExp(`^${sentence}`) })
  expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(box)
  expect(saved()).toHaveLength(0)
  // The error disappears with the next key press in the field.
  await type(field, '5')
  expect(screen.queryByText(sentence)).toBeNull()
})

test('an unchanged form has no review step', async () => {
  const { press } = await open()
  await press('Xem lại thay đổi')
  expect(screen.getByText('Chưa có gì thay đổi')).toBeTruthy()
})

test('an admin cannot set their own balance or password', async () => {
  await open(undefined, true)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Số dư' }).disabled).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Mật khẩu mới dùng một lần' }).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Tạo mật khẩu' })).toBeNull()
})

test('a generated password can be saved', async () => {
  const { press, saved, onClose } = await open()
  await press('Tạo mật khẩu')
  const made = screen.getByRole<HTMLInputElement>('textbox', { name: 'Mật khẩu mới dùng một lần' }).value
  expect(made).toHaveLength(12)
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved()[0]?.body.password).toBe(made)
})

test('closing asks for confirmation only after an edit, and staying keeps the edit', async () => {
  const { type, press, onClose, user: person } = await open()
  await type('VIP', '3')
  await person.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByText(/những gì đã nhập sẽ mất/)).toBeTruthy()
  await press('Tiếp tục sửa')
  expect(screen.getByRole('textbox', { name: 'VIP' })).toMatchObject({ value: '3' })
  await press('Đóng')
  await press('Bỏ thay đổi')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a double click on save sends once', async () => {
  let answer = (_: StaffUser): void => {}
  const answered = new Promise<StaffUser>((resolve) => (answer = resolve))
  const { type, press, saved, onClose, user: person } = await open(() => answered)
  await type('VIP', '3')
  await press('Xem lại thay đổi')
  await person.dblClick(screen.getByRole('button', { name: /^Lưu/ }))
  // The dialog can't be closed while the request is under way.
  await person.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  answer(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved()).toHaveLength(1)
})

test('a refusal about a field is shown at the field, and the typed text stays', async () => {
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

test('a newer version is read and shown, the typed text stays, and the retry is based on the new version', async () => {
  let isRefused = true
  const { type, press, server, saved, onClose } = await open(() => {
    if (isRefused) throw new Refused('STALE')
    return user
  })
  server.on(staffUserEndpoints.listUsers, () => onePage([{ ...user, creditScore: 90, version: '2.1' }]))
  await type('VIP', '3')
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  const news = await screen.findByText(/đã thay đổi trong lúc bạn sửa/)
  expect(within(news).getByText('Điểm tín nhiệm: 100 → 90')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'VIP' })).toMatchObject({ value: '3' })
  expect(screen.getByRole('textbox', { name: 'Điểm tín nhiệm' })).toMatchObject({ value: '90' })
  isRefused = false
  await press('Xem lại thay đổi')
  await press(/^Lưu/)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved().map(({ body }) => body.version)).toEqual(['1.1', '2.1'])
})
