import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { points } from '#domain/money.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleRequest, uuid } from '#web/testing/samples.ts'
import { serveReviews } from '#web/testing/serve-reviews.ts'
import { ApproveDialog, RejectDialog, RemoveDialog } from './decide-dialogs.tsx'

const admin = { id: uuid(901), username: 'thuha' }

/** Opens a dialog on a pending request, or on `seen`, which is `now` on the server. */
async function open(
  Kind: typeof ApproveDialog,
  seen: CashRequest = sampleRequest(1),
  now: CashRequest = seen,
  limit: bigint | null = null,
  byAdminMinor = 0n,
) {
  const server = fakeServer()
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: points(9), byAdminMinor, fromMinor: limit }))
  serveReviews(server)
  const decided = server.on(cashierEndpoints.decideRequest, ({ body }) => ({
    ...seen,
    status: body.verdict,
    decidedBy: admin,
    decidedAtMs: 1,
  }))
  const onClose = vi.fn<() => void>()
  function Example() {
    const [isOpen, setIsOpen] = useState(true)
    onClose.mockImplementation(() => setIsOpen(false))
    return isOpen && <Kind seen={seen} request={now} walk={null} onDecided={onClose} onClose={onClose} />
  }
  const { user } = await draw(<Example />)
  return { user, server, decided, onClose, dialog: screen.getByRole('alertdialog') }
}

test('an approval shows amount and owner, and is sent with the status on screen', async () => {
  const { user, decided, onClose, dialog } = await open(ApproveDialog)
  expect(dialog.textContent).toMatch(/Cộng 1,000(\.00)? điểm vào số dư của khach01/)
  await user.dblClick(within(dialog).getByRole('button', { name: /^Duyệt nạp 1,000/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(decided()).toHaveLength(1)
  expect(decided()[0]).toMatchObject({
    params: { id: sampleRequest(1).id },
    body: { verdict: 'approved', from: 'pending' },
  })
  expect(await screen.findByText(/^Đã duyệt 1,000.* điểm của khach01$/)).toBeTruthy()
})

test.each([ApproveDialog, RejectDialog])(
  'the decision shows which account at a bank, and what its owner wrote',
  async (Kind) => {
    const { dialog } = await open(Kind)
    const { bank } = sampleRequest(1)
    expect(await within(dialog).findByText(bank.accountHolder)).toBeTruthy()
    expect(dialog.textContent).toContain(bank.bankName)
    expect(dialog.textContent?.replaceAll(' ', '')).toContain(bank.accountNumber)
  },
)

test('an approval that needs a second person says so before the tap, with the sum of the day', async () => {
  const { user, server, onClose, dialog } = await open(ApproveDialog, sampleRequest(1), undefined, points(1_009))
  const request = sampleRequest(1)
  const by = { id: uuid(902), username: 'an' }
  server.on(cashierEndpoints.decideRequest, () => ({ ...request, proposal: { id: uuid(5), by, expiresAtMs: 1 } }))
  expect(
    await within(dialog).findByText(/tổng cộng 1,009(\.00)? điểm của khach01; từ 1,009.*chưa điểm nào chuyển/),
  ).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Gửi đề nghị' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(await screen.findByText('Đã gửi đề nghị về khach01, chờ người thứ hai xác nhận')).toBeTruthy()
})

test('an approval needs a second person, too, by what the admin moved for anybody', async () => {
  const { dialog } = await open(ApproveDialog, sampleRequest(1), undefined, points(2_000), points(1_000))
  const why = /bạn đã và sắp chuyển tổng cộng 2,000(\.00)? điểm cho mọi tài khoản; từ 2,000.*chưa điểm nào chuyển/
  expect(await within(dialog).findByText(why)).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Gửi đề nghị' })).toBeTruthy()
})

test('an approval just below the threshold is an ordinary one', async () => {
  const { dialog } = await open(ApproveDialog, sampleRequest(1), undefined, points(1_009) + 1n)
  expect(within(dialog).getByRole('button', { name: /^Duyệt nạp 1,000/ })).toBeTruthy()
  expect(within(dialog).queryByText('Cần người thứ hai xác nhận')).toBeNull()
})

test('an earlier decision by a colleague is shown with their name, and confirming is disabled', async () => {
  const now = sampleRequest(1, { status: 'approved', decidedBy: admin, decidedAtMs: 1 })
  const { user, decided, dialog } = await open(ApproveDialog, sampleRequest(1), now)
  expect(within(dialog).getByText('thuha vừa xử lý')).toBeTruthy()
  const confirm = within(dialog).getByRole('button', { name: /^Duyệt nạp/ })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  await user.click(confirm)
  expect(decided()).toHaveLength(0)
})

test('a refusal names the colleague who decided first', async () => {
  const { user, server, dialog, onClose } = await open(ApproveDialog)
  server.on(cashierEndpoints.decideRequest, () => {
    throw new Refused('ALREADY_DECIDED')
  })
  const confirm = within(dialog).getByRole('button', { name: /^Duyệt nạp/ })
  await user.click(confirm)
  expect(await within(dialog).findByText('Một quản trị viên khác vừa xử lý')).toBeTruthy()
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
  // The press that was refused leaves the focus where it was.
  expect(document.activeElement).toBe(confirm)
  expect(onClose).not.toHaveBeenCalled()
})

test('a rejection needs a reason, and its field keeps the focus until there is one', async () => {
  const { user, decided, dialog, onClose } = await open(RejectDialog)
  const confirm = within(dialog).getByRole('button', { name: 'Từ chối yêu cầu' })
  const reason = within(dialog).getByRole('textbox', { name: 'Lý do từ chối' })
  await user.click(confirm)
  expect(within(dialog).getByText('Vui lòng nhập lý do')).toBeTruthy()
  expect(document.activeElement).toBe(reason)
  expect(decided()).toHaveLength(0)
  await user.type(reason, '  sai nội dung ')
  expect(within(dialog).queryByText('Vui lòng nhập lý do')).toBeNull()
  await user.click(confirm)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(decided()[0]?.body).toMatchObject({ verdict: 'rejected', reason: 'sai nội dung', from: 'pending' })
})

test('a refused rejection keeps the reason that was typed', async () => {
  const { user, server, dialog } = await open(RejectDialog)
  server.on(cashierEndpoints.decideRequest, () => {
    throw new Refused('INTERNAL')
  })
  const reason = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Lý do từ chối' })
  await user.type(reason, 'sai nội dung')
  await user.click(within(dialog).getByRole('button', { name: 'Từ chối yêu cầu' }))
  expect(await within(dialog).findByText('Có lỗi xảy ra, vui lòng thử lại')).toBeTruthy()
  expect(reason.value).toBe('sai nội dung')
})

test('editing the reason of a rejected request starts from the stored reason', async () => {
  const seen = sampleRequest(1, { status: 'rejected', rejectionReason: 'sai', decidedBy: admin, decidedAtMs: 1 })
  const { user, decided, dialog, onClose } = await open(RejectDialog, seen)
  const reason = within(dialog).getByRole<HTMLTextAreaElement>('textbox')
  expect(reason.value).toBe('sai')
  await user.type(reason, ' số')
  await user.click(within(dialog).getByRole('button', { name: 'Lưu lý do mới' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(decided()[0]?.body).toMatchObject({ reason: 'sai số', from: 'rejected' })
})

test('removing describes its effect on the current state of the request', async () => {
  const now = sampleRequest(1, { status: 'approved', decidedBy: admin, decidedAtMs: 1 })
  const { user, server, dialog, onClose } = await open(RemoveDialog, sampleRequest(1), now)
  expect(dialog.textContent).toMatch(/^.*Ẩn yêu cầu 1,000/)
  const removed = server.on(cashierEndpoints.deleteRequest, () => null)
  await user.click(within(dialog).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(removed()).toHaveLength(1)
})

test('removing a request that a colleague has just approved hides nothing, and says who was faster', async () => {
  const { user, server, dialog, onClose } = await open(RemoveDialog, sampleRequest(1))
  const removed = server.on(cashierEndpoints.deleteRequest, () => {
    throw new Refused('ALREADY_DECIDED')
  })
  await user.click(within(dialog).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  expect(await within(dialog).findByText(/^Một quản trị viên khác vừa xử lý/)).toBeTruthy()
  expect(removed()[0]?.query).toEqual({ from: 'pending' })
  expect(onClose).not.toHaveBeenCalled()
})
