import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { type RequestDossier, requestReviewEndpoints } from '#contract/request-review.ts'
import { points } from '#domain/money.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleDossier, sampleRequest, sampleUser, uuid } from '#web/testing/samples.ts'
import { serveReviews } from '#web/testing/serve-reviews.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { RequestsTable } from './requests-table.tsx'

const meId = uuid(900)
const me = { id: meId, username: 'quantri' }
const lan = { id: uuid(901), username: 'lan' }

/** The queue with these requests, each with the same dossier; what is decided stays so. */
async function open(requests: readonly CashRequest[], dossier: Partial<RequestDossier> = {}) {
  const server = fakeServer()
  const stored = { rows: [...requests] }
  server.on(cashierEndpoints.listRequests, ({ query: { ids, page = 1, limit = 10 } }) => {
    const rows = stored.rows.filter(({ id, status }) => (ids === undefined ? status === 'pending' : ids.includes(id)))
    return onePage(rows.slice((page - 1) * limit, page * limit), rows.length, page, limit)
  })
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  const decided = server.on(cashierEndpoints.decideRequest, ({ params, body }) => {
    const at = stored.rows.findIndex(({ id }) => id === params.id)
    const row = { ...stored.rows[at]!, status: body.verdict, decidedBy: me, decidedAtMs: 1 }
    stored.rows[at] = row
    return row
  })
  const told = serveReviews(server)
  const read = server.on(requestReviewEndpoints.readRequestDossier, () => sampleDossier(1, dossier))
  const drawn = await draw(
    <RequestsTable
      meId={meId}
      proposalDialog={(id, _onClose, onDone, aside) => (
        <div role="alertdialog">
          {aside}
          <button type="button" onClick={onDone}>{`confirm ${id}`}</button>
        </div>
      )}
    />,
    '/admin/transaction',
  )
  await screen.findByText(requests[0]!.owner.username)
  return { ...drawn, server, decided, read, ...told }
}

const details = () => screen.findByRole('dialog', { name: 'Chi tiết yêu cầu' })
const focusedRow = () => document.activeElement?.closest<HTMLElement>('[data-row-id]')?.dataset['rowId']
const three = [sampleRequest(1), sampleRequest(2), sampleRequest(3)]

describe('what is looked up', () => {
  test('a deposit: both balances now and after an approval, and nothing after a rejection', async () => {
    const { user } = await open([sampleRequest(1, { amountMinor: points(500) })], { reservedMinor: points(30) })
    await user.keyboard('j{Enter}')
    const dialog = await details()
    const table = await within(dialog).findByRole('table', { name: 'Số dư trước và sau quyết định' })
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(cells).toEqual([
      'Bây giờ1,000.0030.00',
      'Sau khi duyệt▲ tăng thành 1,500.0030.00',
      'Sau khi từ chối1,000.0030.00',
    ])
  })

  test('a withdrawal that is rejected goes back to the balance, and the dialog shows that decision alone', async () => {
    const request = sampleRequest(1, { kind: 'withdrawal', amountMinor: points(30) })
    const { user } = await open([request], { reservedMinor: points(30) })
    await user.keyboard('jr')
    const table = await screen.findByRole('table', { name: 'Số dư trước và sau quyết định' })
    expect(
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['Bây giờ1,000.0030.00', 'Sau khi từ chối▲ tăng thành 1,030.00▼ giảm còn 0.00'])
  })

  test('flags in words, net of bets, other requests, shared numbers and notes', async () => {
    const nowMs = serverNowMs()
    const { user } = await open([sampleRequest(1)], {
      user: sampleUser(1, { isFrozen: true, createdAtMs: nowMs - 3 * 86_400_000 }),
      timeoutUntilMs: nowMs + 3_600_000,
      betNetMinor: -points(1_200_000),
      betNetSinceMs: nowMs - 60_000,
      recent: [sampleRequest(9, { status: 'rejected', rejectionReason: 'x' })],
      sharedWith: [{ id: uuid(7), username: 'khach07', isDeleted: false }],
      sharedCount: 2,
      notes: [{ id: uuid(6), writtenBy: lan, text: 'Đã gọi xác nhận', createdAtMs: nowMs }],
      noteCount: 4,
    })
    await user.keyboard('j{Enter}')
    const dialog = await details()
    await within(dialog).findByText('Đóng băng')
    expect(within(dialog).getByText(/^Tạm nghỉ đến /)).toBeTruthy()
    expect(dialog.textContent).toMatch(/Lệnh từ yêu cầu trước−1,200,000\.00 điểm/)
    expect(within(dialog).getByText('3 ngày trước')).toBeTruthy()
    expect(within(dialog).getByText('Không duyệt')).toBeTruthy()
    expect(dialog.textContent).toContain('2 tài khoản khác:khach07và 1 tài khoản nữa')
    expect(within(dialog).getByRole('link', { name: 'khach07' }).getAttribute('href')).toBe(`/admin/user/${uuid(7)}`)
    expect(within(dialog).getByText('Đã gọi xác nhận')).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'Xem 3 ghi chú nữa' }).getAttribute('href')).toContain('part=notes')
  })

  test('without anything to find it says so, and a failure offers a retry', async () => {
    const { user, server } = await open([sampleRequest(1)])
    server.on(requestReviewEndpoints.readRequestDossier, () => {
      throw new Refused('INTERNAL')
    })
    await user.keyboard('j{Enter}')
    const dialog = await details()
    const retry = await within(dialog).findByRole('button', { name: 'Thử lại' })
    server.on(requestReviewEndpoints.readRequestDossier, () => sampleDossier(1))
    await user.click(retry)
    for (const text of ['Hoạt động', 'Không tài khoản nào khác', 'Chưa có yêu cầu nào khác.', 'Chưa có ghi chú nào.'])
      expect(await within(dialog).findByText(text)).toBeTruthy()
    expect(dialog.textContent).toContain('Lệnh từ khi mở tài khoản0.00 điểm')
  })
})

describe('the way to the neighbours', () => {
  test('leads through the rows by buttons and keys, stops at both ends, and keeps the focus in the dialog', async () => {
    const { user, read } = await open(three)
    await user.keyboard('j{Enter}')
    const dialog = await details()
    expect(within(dialog).getByText('1 / 3')).toBeTruthy()
    const next = within(dialog).getByRole('button', { name: 'Yêu cầu sau' })
    await user.click(next)
    expect(await within(dialog).findByText('2 / 3')).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'khach02' })).toBeTruthy()
    expect(document.activeElement).toBe(next)
    await user.keyboard('j')
    expect(await within(dialog).findByText('3 / 3')).toBeTruthy()
    expect(next.getAttribute('aria-disabled')).toBe('true')
    await user.keyboard('j')
    expect(within(dialog).getByText('3 / 3')).toBeTruthy()
    await user.keyboard('kkk')
    expect(await within(dialog).findByText('1 / 3')).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: 'Yêu cầu trước' }).getAttribute('aria-disabled')).toBe('true')
    expect(dialog.contains(document.activeElement)).toBe(true)
    // Nobody is looked at before they are shown.
    expect(new Set(read().map(({ params }) => params.id))).toEqual(new Set(three.map(({ id }) => id)))
  })

  test('leads on to the next page and back, and says where the list ends and begins', async () => {
    const { user, address } = await open(Array.from({ length: 12 }, (_, at) => sampleRequest(at + 1)))
    await user.keyboard('{j>10/}{Enter}')
    const dialog = await details()
    expect(within(dialog).getByText('10 / 12')).toBeTruthy()
    await user.keyboard('j')
    expect(await within(dialog).findByText('11 / 12')).toBeTruthy()
    expect(await within(dialog).findByRole('link', { name: 'khach11' })).toBeTruthy()
    expect(address()).toBe('/admin/transaction?limit=10&page=2')
    await user.keyboard('j')
    expect(within(dialog).getByText('12 / 12')).toBeTruthy()
    await user.keyboard('j')
    expect(await screen.findByText('Đây là yêu cầu cuối cùng của danh sách')).toBeTruthy()
    expect(within(dialog).getByText('12 / 12')).toBeTruthy()
    await user.keyboard('k')
    await user.click(within(dialog).getByRole('button', { name: 'Yêu cầu trước' }))
    expect(await within(dialog).findByRole('link', { name: 'khach10' })).toBeTruthy()
    expect(within(dialog).getByText('10 / 12')).toBeTruthy()
    expect(address()).toBe('/admin/transaction')
    await user.keyboard('{k>10/}')
    expect(await screen.findByText('Đây là yêu cầu đầu tiên của danh sách')).toBeTruthy()
    expect(within(dialog).getByRole('link', { name: 'khach01' })).toBeTruthy()
  })

  test('in the table the keys lead over the page’s end too', async () => {
    const requests = Array.from({ length: 12 }, (_, at) => sampleRequest(at + 1))
    const { user } = await open(requests)
    await user.keyboard('{j>11/}')
    await waitFor(() => expect(focusedRow()).toBe(requests[10]!.id))
    await user.keyboard('k')
    await waitFor(() => expect(focusedRow()).toBe(requests[9]!.id))
    await user.keyboard('j')
    await waitFor(() => expect(focusedRow()).toBe(requests[10]!.id))
    await user.keyboard('jj')
    expect(await screen.findByText('Đây là hàng cuối cùng của danh sách')).toBeTruthy()
    expect(focusedRow()).toBe(requests[11]!.id)
  })

  test('closing gives the focus to the row of the request that was shown last', async () => {
    const { user } = await open(three)
    await user.keyboard('j{Enter}')
    await details()
    await user.keyboard('jj{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(focusedRow()).toBe(three[2]!.id))
  })

  test('from a decision it leads to the neighbour’s details, and no key types into a reason', async () => {
    const { user, decided } = await open(three)
    await user.keyboard('jr')
    const dialog = await screen.findByRole('alertdialog', { name: 'Từ chối yêu cầu' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Lý do từ chối' }), 'jjk')
    expect(within(dialog).getByText('1 / 3')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Yêu cầu sau' }))
    expect(within(await details()).getByRole('link', { name: 'khach02' })).toBeTruthy()
    expect(decided()).toHaveLength(0)
  })

  test('after a decision the next pending request is offered, past the end from the top, until none is left', async () => {
    const { user, decided } = await open(three)
    await user.keyboard('jja')
    await user.click(await screen.findByRole('button', { name: /^Duyệt nạp/ }))
    expect(within(await details()).getByRole('link', { name: 'khach03' })).toBeTruthy()
    await user.keyboard('a')
    const approve = await screen.findByRole('button', { name: /^Duyệt nạp/ })
    await user.tab()
    while (document.activeElement !== approve) await user.tab()
    await user.keyboard('{Enter}')
    expect(within(await details()).getByRole('link', { name: 'khach01' })).toBeTruthy()
    expect((await details()).contains(document.activeElement)).toBe(true)
    await user.keyboard('r')
    await user.type(await screen.findByRole('textbox', { name: 'Lý do từ chối' }), 'sai số')
    await user.click(screen.getByRole('button', { name: 'Từ chối yêu cầu' }))
    await waitFor(() => expect(decided()).toHaveLength(3))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(focusedRow()).toBe(three[0]!.id))
    expect(decided().map(({ params, body }) => [params.id, body.verdict])).toEqual([
      [three[1]!.id, 'approved'],
      [three[2]!.id, 'approved'],
      [three[0]!.id, 'rejected'],
    ])
  })

  test('what waits for a second person is offered to others, not to who proposed it', async () => {
    const proposal = (by: typeof me) => ({ proposal: { id: uuid(5), by, expiresAtMs: serverNowMs() + 1_000_000 } })
    const { user } = await open([
      sampleRequest(1),
      sampleRequest(2, proposal(me)),
      sampleRequest(3, proposal(lan)),
      sampleRequest(4),
    ])
    await user.keyboard('ja')
    await user.click(await screen.findByRole('button', { name: /^Duyệt nạp/ }))
    const dialog = await details()
    expect(within(dialog).getByRole('link', { name: 'khach03' })).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Xem đề nghị' }))
    // From there, too, the neighbours' details are a key away.
    await screen.findByText('3 / 4')
    await user.keyboard('k')
    expect(within(await details()).getByRole('link', { name: 'khach02' })).toBeTruthy()
    await user.keyboard('j')
    const again = await details()
    expect(within(again).getByRole('link', { name: 'khach03' })).toBeTruthy()
    await user.click(within(again).getByRole('button', { name: 'Xem đề nghị' }))
    // Once it is confirmed, the next request that waits.
    await user.click(await screen.findByRole('button', { name: `confirm ${uuid(5)}` }))
    expect(within(await details()).getByRole('link', { name: 'khach04' })).toBeTruthy()
  })
})

describe('who has it open', () => {
  test('a row of the queue and the dialog name the colleague, and a hint ends it', async () => {
    const { user, server, askAgain, left } = await open(three)
    server.on(requestReviewEndpoints.listRequestViews, () => [{ requestId: three[1]!.id, admin: lan }])
    await askAgain(adminKeys.requestViews)
    const row = screen.getByRole('row', { name: /khach02/ })
    expect(await within(row).findByText('lan đang xem')).toBeTruthy()
    expect(within(screen.getByRole('row', { name: /khach01/ })).queryByText('lan đang xem')).toBeNull()
    await user.keyboard('jj{Enter}')
    const dialog = await details()
    expect(await within(dialog).findByText('lan đang xem')).toBeTruthy()
    // It blocks nothing.
    await user.click(within(dialog).getByRole('button', { name: 'Duyệt' }))
    expect(await screen.findByRole('button', { name: /^Duyệt nạp/ })).toBeTruthy()
    server.on(requestReviewEndpoints.listRequestViews, () => [])
    await askAgain(adminKeys.requestViews)
    await waitFor(() => expect(screen.queryByText('lan đang xem')).toBeNull())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(left()).not.toHaveLength(0))
  })

  test('a request whose approval waits for a second person names the colleague beside that', async () => {
    const proposal = { id: uuid(5), by: me, expiresAtMs: serverNowMs() + 60_000 }
    const { server, askAgain } = await open([sampleRequest(1, { proposal })])
    server.on(requestReviewEndpoints.listRequestViews, () => [{ requestId: sampleRequest(1).id, admin: lan }])
    await askAgain(adminKeys.requestViews)
    const row = screen.getByRole('row', { name: /khach01/ })
    expect(await within(row).findByText('lan đang xem')).toBeTruthy()
    expect(within(row).getByText('Chờ người thứ hai')).toBeTruthy()
  })

  test('the server is told of each request that is shown, and once that the last was left', async () => {
    const { user, viewed, left } = await open(three)
    // A page says 0.3 s late that it left: what an earlier test left is said before this one begins.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 500)))
    const leftBefore = left().length
    await user.keyboard('j{Enter}')
    await details()
    await waitFor(() => expect(viewed()).toHaveLength(1))
    await user.keyboard('j')
    await user.keyboard('a')
    await screen.findByRole('alertdialog')
    await waitFor(() => expect(viewed().at(-1)?.body.requestId).toBe(three[1]!.id))
    expect(left()).toHaveLength(leftBefore)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(left()).toHaveLength(leftBefore + 1))
    // One page, whatever it shows.
    expect(new Set([...viewed(), ...left()].map(({ params }) => params.id)).size).toBe(1)
  })
})
