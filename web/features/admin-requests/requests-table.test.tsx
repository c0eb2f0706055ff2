import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { type RequestTotals, staffRequestEndpoints } from '#contract/staff-requests.ts'
import { startOfDayMs } from '#domain/day.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { serveReviews } from '#web/testing/serve-reviews.ts'
import { sampleRequest, uuid } from '#web/testing/samples.ts'
import { RequestsTable } from './requests-table.tsx'

const meId = uuid(900)
const admin = { id: meId, username: 'quantri' }

/** Opens the queue on a server that holds these requests, decides them, and reports `total` as their number. */
async function open(requests: CashRequest[], { at = '/admin/transaction', total = requests.length } = {}) {
  const server = fakeServer()
  const stored = { rows: requests }
  const asked = server.on(cashierEndpoints.listRequests, ({ query }) => {
    const { ids, page = 1, limit = 10 } = query
    if (ids !== undefined) return onePage(requests.filter(({ id }) => ids.includes(id)))
    return onePage(stored.rows, total, page, limit)
  })
  serveReviews(server)
  const summed = server.on(staffRequestEndpoints.sumRequests, (): RequestTotals => ({
    groups: [
      { kind: 'deposit', status: 'pending', requests: 12, amountMinor: 123_450n },
      { kind: 'withdrawal', status: 'rejected', requests: 1, amountMinor: 5_000n },
    ],
    isCapped: total > 10_000,
  }))
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  const decided = server.on(cashierEndpoints.decideRequest, ({ params, body }) => {
    const request = requests.find(({ id }) => id === params.id)
    if (request === undefined) throw new Refused('NOT_FOUND')
    return { ...request, status: body.verdict, decidedBy: admin, decidedAtMs: Date.UTC(2026, 0, 2) }
  })
  const drawn = await draw(<RequestsTable meId={meId} proposalDialog={(id) => <p>{`proposal ${id}`}</p>} />, at)
  if (requests.length > 0) await screen.findByText(requests[0]!.owner.username)
  return { ...drawn, server, stored, asked, summed, decided }
}

const names = () => screen.getAllByRole('row').flatMap((row) => /khach\d\d/.exec(row.textContent)?.[0] ?? [])
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
const focusedName = () => {
  const row = screen.getAllByRole('row').find((one) => one === document.activeElement)
  return /khach\d\d/.exec(row?.textContent ?? '')?.[0]
}

describe('the queue', () => {
  test('requests the pending rows, who waits longest first, and shows them', async () => {
    const { asked } = await open([sampleRequest(1), sampleRequest(2)])
    expect(asked()[0]?.query).toEqual({ page: 1, limit: 10, sort: 'createdAt', status: 'pending' })
    expect(names()).toEqual(['khach01', 'khach02'])
    expect(screen.getByText('0 trên 2 hàng được chọn')).toBeTruthy()
  })

  test('a press on a column head sorts, largest first, and the address keeps the order', async () => {
    const { user, asked, address } = await open([sampleRequest(1)])
    await user.click(screen.getByRole('button', { name: 'Số điểm' }))
    await waitFor(() => expect(asked().at(-1)?.query.sort).toBe('-money'))
    expect(screen.getByRole('columnheader', { name: 'Số điểm' }).getAttribute('aria-sort')).toBe('descending')
    expect(address()).toContain('sort=-money')
    await user.click(screen.getByRole('button', { name: 'Số điểm' }))
    await waitFor(() => expect(asked().at(-1)?.query.sort).toBe('money'))
  })

  test('a filter goes to the address and back to page 1', async () => {
    const { user, asked, address } = await open([sampleRequest(1)], { at: '/admin/transaction?page=2', total: 25 })
    expect(asked().at(-1)?.query.page).toBe(2)
    await user.click(screen.getByRole('radio', { name: 'Không duyệt' }))
    // What is decided is read from its end; the address names neither order.
    await waitFor(() =>
      expect(asked().at(-1)?.query).toMatchObject({ status: 'rejected', page: 1, sort: '-createdAt' }),
    )
    expect(address()).toBe('/admin/transaction?status=rejected')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Loại' }), 'Rút')
    await waitFor(() => expect(asked().at(-1)?.query).toMatchObject({ status: 'rejected', type: 'withdrawal' }))
  })

  test('a search is sent once typing pauses', async () => {
    const { user, asked } = await open([sampleRequest(1)])
    await user.type(screen.getByRole('searchbox'), 'khach')
    expect(asked().at(-1)?.query.username).toBeUndefined()
    await waitFor(() => expect(asked().at(-1)?.query.username).toBe('khach'))
    // No request was sent between the key presses.
    expect(asked().filter(({ query }) => query.username !== undefined)).toHaveLength(1)
  })

  test('the pager goes forward and back, and stops at both ends', async () => {
    const { user, asked } = await open([sampleRequest(1)], { total: 25 })
    const press = (name: string) => user.click(screen.getByRole('button', { name }))
    const before = asked().length
    await press('Trang trước')
    expect(asked()).toHaveLength(before)
    await press('Trang sau')
    await waitFor(() => expect(asked().at(-1)?.query.page).toBe(2))
    expect(await screen.findByText('Trang 2 / 3')).toBeTruthy()
    await press('Trang cuối')
    await waitFor(() => expect(asked().at(-1)?.query.page).toBe(3))
    await screen.findByText('Trang 3 / 3')
    await press('Trang sau')
    expect(screen.getByText('Trang 3 / 3')).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Số hàng' }), '50')
    await waitFor(() => expect(asked().at(-1)?.query).toMatchObject({ page: 1, limit: 50 }))
  })

  test('an empty list shows a message and offers to clear the filters', async () => {
    const { user, asked } = await open([], { at: '/admin/transaction?status=rejected' })
    expect(await screen.findByText('Không có kết quả nào.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Bỏ mọi bộ lọc' }))
    await waitFor(() => expect(asked().at(-1)?.query.status).toBe('pending'))
  })
})

describe('what needs a second person', () => {
  test('says so in its row, with the reason, and in the plan for many', async () => {
    const big = { ...sampleRequest(2), secondPerson: 'player' } as const
    const { user } = await open([sampleRequest(1), big, { ...sampleRequest(3), secondPerson: 'admin' }])
    expect(within(rowOf('khach01')).queryByText('Cần 2 người')).toBeNull()
    expect(within(rowOf('khach02')).getByText(/tổng 24 giờ của người chơi/)).toBeTruthy()
    expect(within(rowOf('khach03')).getByText(/tổng 24 giờ của bạn/)).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(await screen.findByRole('button', { name: 'Duyệt 3 yêu cầu' }))
    expect(await screen.findByText('Cần 2 người: 2 yêu cầu, chỉ gửi đề nghị')).toBeTruthy()
  })
})

describe('the folded filters', () => {
  const link = '/admin/transaction?status=all&from=2026-11-01&to=2026-11-02&min=100&max=5000&bank=0123&by=quantri'
  const wire = {
    from: startOfDayMs('2026-11-01'),
    to: startOfDayMs('2026-11-03'),
    min: 100,
    max: 5_000,
    bank: '0123',
    by: 'quantri',
  }

  test('a link sets them: the list, the totals and the controls have them, and the address stays', async () => {
    const { asked, summed, address } = await open([sampleRequest(1)], { at: link })
    expect(asked()[0]?.query).toEqual({ page: 1, limit: 10, sort: '-createdAt', ...wire })
    expect(summed().at(-1)?.query).toEqual(wire)
    const fold = screen.getByRole('group', { name: 'Bộ lọc' })
    const valueOf = (name: string) => within(fold).getByLabelText<HTMLInputElement>(name).value
    expect(['Từ ngày', 'Đến hết ngày', 'Từ (điểm)', 'Đến (điểm)'].map(valueOf)).toEqual([
      '2026-11-01',
      '2026-11-02',
      '100',
      '5,000',
    ])
    expect(within(fold).getByRole<HTMLInputElement>('searchbox', { name: 'Quản trị viên xử lý…' }).value).toBe(
      'quantri',
    )
    expect(screen.getByRole('button', { name: 'Bộ lọc · 6' }).getAttribute('aria-expanded')).toBe('true')
    expect(address()).toBe(link)
  })

  test('what is typed goes to the address once typing pauses, and "Xoá bộ lọc" takes back these filters alone', async () => {
    const { user, asked, address } = await open([sampleRequest(1)], { at: '/admin/transaction?status=rejected' })
    expect(screen.queryByLabelText('Từ (điểm)')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Bộ lọc' }))
    await user.type(screen.getByLabelText('Từ (điểm)'), '1500')
    await user.type(screen.getByLabelText('Từ ngày'), '2026-11-20')
    await waitFor(() => expect(address()).toBe('/admin/transaction?status=rejected&from=2026-11-20&min=1500'))
    expect(screen.getByLabelText<HTMLInputElement>('Từ (điểm)').value).toBe('1,500')
    expect(asked().at(-1)?.query).toMatchObject({ from: startOfDayMs('2026-11-20'), min: 1_500, status: 'rejected' })
    await user.click(screen.getByRole('button', { name: 'Xoá bộ lọc' }))
    await waitFor(() => expect(address()).toBe('/admin/transaction?status=rejected'))
    expect(screen.getByLabelText<HTMLInputElement>('Từ (điểm)').value).toBe('')
    expect(screen.getByRole('button', { name: 'Bộ lọc' })).toBeTruthy()
  })

  test('an amount that was typed just before the filters are folded counts', async () => {
    const { user, address } = await open([sampleRequest(1)], { at: '/admin/transaction?status=rejected' })
    await user.click(screen.getByRole('button', { name: 'Bộ lọc' }))
    await user.type(screen.getByLabelText('Từ (điểm)'), '1500')
    await user.click(screen.getByRole('button', { name: 'Bộ lọc' }))
    await waitFor(() => expect(address()).toBe('/admin/transaction?status=rejected&min=1500'))
  })

  test.each(['from=2026-13-45&to=yesterday&min=-5&max=1.5', 'from=0002-01-01&min=1e99&max=x'])(
    '%s can’t be read and counts as absent',
    async (bad) => {
      const { asked } = await open([sampleRequest(1)], { at: `/admin/transaction?${bad}` })
      expect(asked()[0]?.query).toEqual({ page: 1, limit: 10, sort: 'createdAt', status: 'pending' })
      expect(screen.getByRole('button', { name: 'Bộ lọc' })).toBeTruthy()
    },
  )

  test('the totals name points and number by kind, of every status where all are listed', async () => {
    const { user } = await open([sampleRequest(1)])
    const totals = screen.getByRole('group', { name: 'Tổng của bộ lọc' })
    await waitFor(() => expect(totals.textContent).toBe('Nạp1,234.50 điểm (12)Rút0 điểm (0)'))
    await user.click(screen.getByRole('radio', { name: 'Tất cả' }))
    await waitFor(() => expect(totals.textContent).toContain('Rút, không duyệt50 điểm (1)'))
  })

  test('totals of more than 10,000 rows say what they count', async () => {
    await open([sampleRequest(1)], { total: 10_001 })
    expect(await screen.findByText('Chỉ tính 10,000 dòng mới nhất')).toBeTruthy()
  })

  test('totals that fail leave the list alone and can be asked for again', async () => {
    const { user, server } = await open([sampleRequest(1)])
    server.on(staffRequestEndpoints.sumRequests, () => {
      throw new Refused('FORBIDDEN')
    })
    await user.click(screen.getByRole('radio', { name: 'Tất cả' }))
    expect(await screen.findByText('Chưa tính được tổng')).toBeTruthy()
    expect(screen.getByText('khach01')).toBeTruthy()
    server.on(staffRequestEndpoints.sumRequests, () => ({ groups: [], isCapped: false }))
    await user.click(screen.getByRole('button', { name: 'Thử lại' }))
    expect(await screen.findByText('Nạp, đang duyệt')).toBeTruthy()
  })
})

describe('the keyboard', () => {
  test('j and k move between rows, x selects, and none works while the user types', async () => {
    const { user } = await open([sampleRequest(1), sampleRequest(2), sampleRequest(3)])
    await user.keyboard('j')
    expect(focusedName()).toBe('khach01')
    await user.keyboard('jj')
    expect(focusedName()).toBe('khach03')
    await user.keyboard('j')
    expect(focusedName()).toBe('khach03')
    await user.keyboard('k')
    expect(focusedName()).toBe('khach02')
    await user.keyboard('x')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Chọn khach02' }).checked).toBe(true)
    expect(screen.getByText('1 trên 3 hàng được chọn')).toBeTruthy()
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    await user.keyboard('x')
    expect(screen.getByText('1 trên 3 hàng được chọn')).toBeTruthy()
  })

  test('Enter opens the row, "a" approves it, "r" rejects it', async () => {
    const { user } = await open([sampleRequest(1)])
    await user.keyboard('j{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Chi tiết yêu cầu' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.keyboard('a')
    expect(await screen.findByRole('alertdialog', { name: 'Duyệt yêu cầu' })).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.keyboard('r')
    expect(await screen.findByRole('alertdialog', { name: 'Từ chối yêu cầu' })).toBeTruthy()
  })

  test('? opens the list of shortcuts, where they can be switched off', async () => {
    const { user } = await open([sampleRequest(1)])
    await user.keyboard('?')
    const help = await screen.findByRole('dialog', { name: 'Phím tắt của danh sách' })
    expect(within(help).getByText('Huỷ, hoặc sửa lý do')).toBeTruthy()
    const isOn = within(help).getByRole<HTMLInputElement>('checkbox')
    await user.click(isOn)
    await user.keyboard('{Escape}')
    await user.keyboard('j')
    expect(focusedName()).toBeUndefined()
    await user.click(screen.getByRole('button', { name: 'Phím tắt' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Dùng phím tắt trên trình duyệt này' }))
    await user.keyboard('{Escape}')
    await user.keyboard('j')
    expect(focusedName()).toBe('khach01')
  })
})

describe('where details have room beside the list', () => {
  const pane = () => screen.findByRole('region', { name: 'Chi tiết yêu cầu' })
  const current = () => /khach\d\d/.exec(screen.getByRole('row', { current: true }).textContent ?? '')?.[0]
  beforeEach(() => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1_600)
    return () => width.mockRestore()
  })

  test('after a decision the next request is shown, has the focus, and is the one that keys act on', async () => {
    const { user } = await open([sampleRequest(1), sampleRequest(2), sampleRequest(3)])
    await user.keyboard('j{Enter}')
    await pane()
    await waitFor(() => expect(current()).toBe('khach01'))
    await user.keyboard('a')
    await user.click(await screen.findByRole('button', { name: /^Duyệt nạp/ }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect([current(), focusedName()]).toEqual(['khach02', 'khach02']))
    expect(within(await pane()).getByText('khach02')).toBeTruthy()
    await user.keyboard('a')
    expect((await screen.findByRole('alertdialog')).textContent).toContain('khach02')
  })

  test('keys act on the row in the pane while the focus is in it, and Escape gives the row the focus', async () => {
    const { user } = await open([sampleRequest(1), sampleRequest(2), sampleRequest(3)])
    await user.keyboard('jj{Enter}')
    const inPane = () => screen.getByRole('group', { name: 'Chi tiết yêu cầu' })
    await pane()
    await waitFor(() => expect(current()).toBe('khach02'))
    inPane().focus()
    await user.keyboard('x')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Chọn khach02' }).checked).toBe(true)
    await user.keyboard('j')
    await waitFor(() => expect([current(), focusedName()]).toEqual(['khach03', 'khach03']))
    inPane().focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Chi tiết yêu cầu' })).toBeNull())
    expect(focusedName()).toBe('khach03')
  })

  test('decided rows fold away beside the pane, all but the one in it', async () => {
    const { user, stored, server, askAgain } = await open([sampleRequest(1), sampleRequest(2), sampleRequest(3)])
    const decided = [1, 3].map((number) =>
      sampleRequest(number, { status: 'approved', decidedBy: admin, decidedAtMs: Date.UTC(2026, 0, 2) }),
    )
    server.on(cashierEndpoints.listRequests, ({ query }) =>
      onePage(query.ids === undefined ? stored.rows : decided.filter(({ id }) => query.ids?.includes(id))),
    )
    await user.keyboard('j{Enter}')
    await pane()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      stored.rows = [sampleRequest(2)]
      await askAgain(adminKeys.requests)
      await waitFor(() => expect(screen.getAllByText('Đã duyệt').length).toBeGreaterThan(1))
      expect(names()).toEqual(['khach01', 'khach02', 'khach03'])
      act(() => void vi.advanceTimersByTime(5_000))
      await waitFor(() => expect(names()).toEqual(['khach01', 'khach02']))
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('in a narrow window', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  })
  const show = (name: string) => screen.findByRole('button', { name })

  test('the search key reaches the filters, and the total of those before is not said of these', async () => {
    const { user, server } = await open([sampleRequest(1)], { total: 25 })
    const answer = Promise.withResolvers<void>()
    server.on(cashierEndpoints.listRequests, async () => {
      await answer.promise
      const { rows, meta } = onePage([sampleRequest(1)], 10_000)
      return { rows, meta: { ...meta, totalCapped: true } }
    })
    await user.keyboard('/{Enter}')
    await screen.findByRole('dialog', { name: 'Lọc và sắp xếp' })
    expect(await show('Xem 25 hàng')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Không duyệt' }))
    expect(await show('Xem danh sách')).toBeTruthy()
    answer.resolve()
    expect(await show('Xem 10,000+ hàng')).toBeTruthy()
  })
})

describe('selected rows', () => {
  test('stay selected on another page; other filters clear the selection', async () => {
    const { user, stored } = await open([sampleRequest(1), sampleRequest(2)], { total: 12 })
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    expect(screen.getByText('2 trên 12 hàng được chọn')).toBeTruthy()
    stored.rows = [sampleRequest(3)]
    await user.click(screen.getByRole('button', { name: 'Trang sau' }))
    await screen.findByText('khach03')
    expect(screen.getByText('2 trên 12 hàng được chọn')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Tất cả' }))
    expect(await screen.findByText('0 trên 12 hàng được chọn')).toBeTruthy()
  })

  test('are decided one after the other, and each shows its outcome', async () => {
    const { user, decided, server } = await open([sampleRequest(1), sampleRequest(2)])
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(screen.getByRole('button', { name: 'Duyệt 2 yêu cầu' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Duyệt 2 yêu cầu' })
    expect(within(dialog).getByText(/^Nạp: 2 yêu cầu, cộng 2,000/)).toBeTruthy()
    expect(decided()).toHaveLength(0)
    server.on(cashierEndpoints.decideRequest, ({ params }) => {
      if (params.id === sampleRequest(1).id) throw new Refused('ALREADY_DECIDED')
      return sampleRequest(2, { status: 'approved', decidedBy: admin, decidedAtMs: 1 })
    })
    await user.click(within(dialog).getByRole('button', { name: 'Duyệt 2 yêu cầu' }))
    expect(await within(dialog).findByText('Xong 1 trên 2')).toBeTruthy()
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([expect.stringContaining('Một quản trị viên khác vừa xử lý'), expect.stringContaining('Đã duyệt')])
    // Nothing is left to try again with either.
    expect(within(dialog).queryByRole('button', { name: /^Thử lại/ })).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Đóng' }))
    expect(await screen.findByText('0 trên 2 hàng được chọn')).toBeTruthy()
  })

  test('of every page leave the selection once they are decided; the others stay to be tried again', async () => {
    const all = [1, 2, 3, 4].map((number) => sampleRequest(number))
    const { user, stored, server } = await open(all.slice(0, 2), { total: 12 })
    const selectPage = () => user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await selectPage()
    stored.rows = all.slice(2)
    await user.click(screen.getByRole('button', { name: 'Trang sau' }))
    await screen.findByText('khach03')
    await selectPage()
    server.on(cashierEndpoints.decideRequest, ({ params }) => {
      if (params.id === all[1]!.id) throw new Refused('PROPOSAL_OPEN')
      const request = all.find(({ id }) => id === params.id)!
      return { ...request, status: 'approved' as const, decidedBy: admin, decidedAtMs: 1 }
    })
    const press = (name: string) => user.click(screen.getByRole('button', { name }))
    await press('Duyệt 4 yêu cầu')
    const dialog = await screen.findByRole('alertdialog')
    await user.click(within(dialog).getByRole('button', { name: 'Duyệt 4 yêu cầu' }))
    expect(await within(dialog).findByText('Xong 3 trên 4')).toBeTruthy()
    expect(within(dialog).getAllByText('Đã duyệt')).toHaveLength(3)
    await user.click(within(dialog).getByRole('button', { name: 'Đóng' }))
    expect(await screen.findByText('1 trên 12 hàng được chọn')).toBeTruthy()
    await press('Duyệt 1 yêu cầu')
    expect((await screen.findByRole('alertdialog')).textContent).toContain('khach02')
  })

  test('a failure that would meet every row ends the run; the rest can be tried once more', async () => {
    const all = [1, 2, 3].map((number) => sampleRequest(number))
    const { user, server } = await open(all)
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(screen.getByRole('button', { name: 'Duyệt 3 yêu cầu' }))
    const dialog = await screen.findByRole('alertdialog')
    let isAway = true
    const tried = server.on(cashierEndpoints.decideRequest, ({ params }) => {
      if (isAway && params.id === all[1]!.id) throw new Refused('DATABASE_AWAY')
      const request = all.find(({ id }) => id === params.id)!
      return { ...request, status: 'approved' as const, decidedBy: admin, decidedAtMs: 1 }
    })
    await user.click(within(dialog).getByRole('button', { name: 'Duyệt 3 yêu cầu' }))
    expect(await within(dialog).findByText('Đã dừng: 2 hàng chưa làm.')).toBeTruthy()
    const idsOf = (numbers: readonly number[]) => numbers.map((at) => all[at]!.id)
    expect(tried().map(({ params }) => params.id)).toEqual(idsOf([0, 1]))
    isAway = false
    await user.click(within(dialog).getByRole('button', { name: 'Thử lại 2 hàng chưa xong' }))
    expect(await within(dialog).findByText('Xong 3 trên 3')).toBeTruthy()
    expect(tried().map(({ params }) => params.id)).toEqual(idsOf([0, 1, 1, 2]))
  })
})

describe('while the user reads', () => {
  test('an own decision leaves its row in place, counted, and says nothing above the rows', async () => {
    const { user, stored, server } = await open([sampleRequest(1)])
    const decided = sampleRequest(1, { status: 'approved', decidedBy: admin, decidedAtMs: 1 })
    server.on(cashierEndpoints.listRequests, ({ query }) =>
      query.ids === undefined ? onePage(stored.rows, stored.rows.length) : onePage([decided]),
    )
    await user.keyboard('ja')
    stored.rows = []
    await user.click(await screen.findByRole('button', { name: /^Duyệt nạp/ }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(within(rowOf('khach01')).getByText('Đã duyệt')).toBeTruthy())
    expect(await screen.findByText('0 trên 1 hàng được chọn')).toBeTruthy()
    expect(screen.queryByText('Danh sách đã thay đổi · bấm để tải lại')).toBeNull()
  })

  test('a selection without a request to decide raises no bar of acts, and can be cleared', async () => {
    const { user } = await open([sampleRequest(1, { status: 'approved', decidedBy: admin, decidedAtMs: 1 })])
    await user.click(screen.getByRole('checkbox', { name: 'Chọn khach01' }))
    expect(screen.queryByRole('button', { name: /^(Duyệt|Huỷ) 1 yêu cầu/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Bỏ chọn' }))
    expect(screen.getByText('0 trên 1 hàng được chọn')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Bỏ chọn' })).toBeNull()
  })

  test('new rows appear only after a press', async () => {
    const { user, stored, askAgain } = await open([sampleRequest(1), sampleRequest(2)])
    stored.rows = [sampleRequest(3), sampleRequest(1), sampleRequest(2)]
    await askAgain(adminKeys.requests)
    const news = await screen.findByRole('button', { name: '1 yêu cầu mới · bấm để xem' })
    expect(names()).toEqual(['khach01', 'khach02'])
    await user.click(news)
    expect(names()).toEqual(['khach03', 'khach01', 'khach02'])
    expect(screen.queryByRole('button', { name: /yêu cầu mới/ })).toBeNull()
  })

  test('a new order appears only after a press too', async () => {
    const { user, stored, askAgain } = await open([sampleRequest(1), sampleRequest(2)])
    stored.rows = [sampleRequest(2), sampleRequest(1)]
    await askAgain(adminKeys.requests)
    const news = await screen.findByRole('button', { name: 'Danh sách đã thay đổi · bấm để tải lại' })
    expect(names()).toEqual(['khach01', 'khach02'])
    await user.click(news)
    expect(names()).toEqual(['khach02', 'khach01'])
  })

  test('a row that a colleague decided stays, shows the new state and names the colleague', async () => {
    const mine = sampleRequest(1)
    const { stored, askAgain, server } = await open([mine, sampleRequest(2)])
    stored.rows = [sampleRequest(2)]
    server.on(cashierEndpoints.listRequests, ({ query }) =>
      onePage(
        query.ids === undefined
          ? stored.rows
          : [
              {
                ...mine,
                status: 'approved',
                decidedBy: { id: uuid(901), username: 'thuha' },
                decidedAtMs: Date.now() + 60_000,
              },
            ],
      ),
    )
    await askAgain(adminKeys.requests)
    expect(await screen.findByText('thuha vừa xử lý')).toBeTruthy()
    expect(names()).toEqual(['khach01', 'khach02'])
    expect(within(rowOf('khach01')).queryByRole('button', { name: 'Duyệt' })).toBeNull()
    expect(within(rowOf('khach02')).getByRole('button', { name: 'Duyệt' })).toBeTruthy()
  })
})

describe('acts on a row', () => {
  test('an admin can neither decide nor remove an own request', async () => {
    const { user } = await open([sampleRequest(1, { owner: { id: meId, username: 'khach01' } })])
    expect(screen.queryByRole('button', { name: 'Duyệt' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Thao tác khác với khach01' }))
    const remove = await screen.findByRole('menuitem', { name: /Xoá khỏi danh sách/ })
    expect(remove.getAttribute('aria-disabled')).toBe('true')
    expect(remove.textContent).toContain('Không thể xử lý yêu cầu của chính mình')
  })

  test('columns can be hidden, and the address keeps it', async () => {
    const { user, address } = await open([sampleRequest(1)])
    await user.click(screen.getByRole('button', { name: 'Cột' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Ngân hàng' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Ngân hàng' })).toBeNull())
    expect(address()).toContain('hide=')
  })

  test('a list that failed to load offers a retry', async () => {
    const server = fakeServer()
    server.on(cashierEndpoints.listRequests, () => {
      throw new Refused('INTERNAL')
    })
    serveReviews(server)
    const { user } = await draw(
      <RequestsTable meId={meId} proposalDialog={(id) => <p>{`proposal ${id}`}</p>} />,
      '/admin/transaction',
    )
    expect(await screen.findByText('Có lỗi xảy ra, vui lòng thử lại')).toBeTruthy()
    server.on(cashierEndpoints.listRequests, () => onePage([sampleRequest(1)]))
    await user.click(screen.getByRole('button', { name: 'Thử lại' }))
    expect(await screen.findByText('khach01')).toBeTruthy()
  })
})

describe('the export of a queue that is being worked on', () => {
  /** The file's lines, and its name, after it was saved. */
  function savedFile() {
    const files: Blob[] = []
    const names: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    return { names, lines: async () => (await files.at(-1)!.text()).trim().split('\r\n').slice(1) }
  }
  afterEach(() => vi.restoreAllMocks())

  /** 250 pending requests, of which `leave` takes some away at each call. */
  async function openBusy(leave: (waiting: CashRequest[]) => CashRequest[], isDeleted = false) {
    const all = Array.from({ length: 250 }, (_, at) => sampleRequest(at + 1))
    const opened = await open(all.slice(0, 10))
    let waiting = all
    const asked = opened.server.on(cashierEndpoints.listRequests, ({ query: { ids, whole, page = 1, limit = 10 } }) => {
      const known = isDeleted ? waiting : all
      const rows =
        ids === undefined ? waiting.slice((page - 1) * limit, page * limit) : known.filter(({ id }) => ids.includes(id))
      const listed = whole === 'ids' ? waiting.map(({ id }) => id) : undefined
      const answer = onePage(rows, waiting.length, page, limit, listed)
      waiting = leave(waiting)
      return answer
    })
    return { ...opened, asked }
  }

  test('has every request that waited at its beginning', async () => {
    const { names: saved, lines } = savedFile()
    const { user } = await openBusy((waiting) => waiting.slice(5))
    await user.click(screen.getByRole('button', { name: 'Xuất CSV' }))
    expect(await screen.findByText('Đã xuất 250 hàng')).toBeTruthy()
    expect(new Set((await lines()).flatMap((line) => /khach\d+/.exec(line)?.[0] ?? [])).size).toBe(250)
    expect(saved[0]).toMatch(/^giao-dich-[\d-]+\.csv$/)
  })

  test('says in its name and on the screen when some were deleted meanwhile', async () => {
    const { names: saved, lines } = savedFile()
    const { user } = await openBusy((waiting) => waiting.slice(0, -5), true)
    await user.click(screen.getByRole('button', { name: 'Xuất CSV' }))
    expect(await screen.findByText(/^Đã xuất 2\d\d hàng, thiếu \d+ hàng vừa bị xoá$/)).toBeTruthy()
    expect((await lines()).length).toBeLessThan(250)
    expect(saved[0]).toMatch(/-chua-du\.csv$/)
  })

  test('is given up when other filters are chosen', async () => {
    const { names: saved } = savedFile()
    const { user, server } = await openBusy((waiting) => waiting)
    const answer = Promise.withResolvers<void>()
    server.on(cashierEndpoints.listRequests, async ({ query: { whole } }) => {
      if (whole === 'ids') await answer.promise
      return onePage([sampleRequest(1)], 1, 1, 10, [sampleRequest(1).id])
    })
    await user.click(screen.getByRole('button', { name: 'Xuất CSV' }))
    await user.click(screen.getByRole('radio', { name: 'Không duyệt' }))
    answer.resolve()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Xuất CSV' })).toBeTruthy())
    expect(saved).toEqual([])
  })
})
