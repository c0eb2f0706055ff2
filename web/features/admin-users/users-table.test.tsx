import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { type StaffUser, staffUserEndpoints } from '#contract/staff-users.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { UsersTable } from './users-table.tsx'

const meId = uuid(900)

/** Opens the list on a server that holds these users and applies the changes it receives. */
async function open(users: StaffUser[], at = '/admin/user') {
  const server = fakeServer()
  let stored = users
  const asked = server.on(staffUserEndpoints.listUsers, ({ query: { userId } }) =>
    onePage(userId === undefined ? stored : stored.filter(({ id }) => id === userId)),
  )
  const changed = server.on(staffUserEndpoints.updateUser, ({ params, body: { sentFields: _, ...fields } }) => {
    stored = stored.map((user) => (user.id === params.id ? { ...user, ...fields, version: '2.1' } : user))
    return stored.find(({ id }) => id === params.id)!
  })
  const drawn = await draw(<UsersTable meId={meId} />, at)
  await screen.findByRole('row', { name: new RegExp(users[0]!.username) })
  const menuOf = async (name: string) => {
    await drawn.user.click(screen.getByRole('button', { name: `Thao tác khác với ${name}` }))
    return await screen.findByRole('menu')
  }
  return { ...drawn, server, asked, changed, menuOf }
}

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) })

describe('the list', () => {
  test.each([
    ['Quản trị', { only: 'admins' }],
    ['Đóng băng', { only: 'frozen' }],
    ['Đã xoá', { deleted: 'true' }],
  ])('%s requests only the matching users', async (name, query) => {
    const { user, asked } = await open([sampleUser(1)])
    await user.click(screen.getByRole('radio', { name }))
    await waitFor(() => expect(asked().at(-1)?.query).toMatchObject(query))
    await user.click(screen.getByRole('radio', { name: 'Tất cả' }))
    await waitFor(() => expect(asked().at(-1)?.query).not.toHaveProperty(Object.keys(query)[0]!))
  })

  test.each([
    ['a page of ten in a usual window', 1280, 800, '', 10],
    ['as many as a high window shows', 1920, 1080, '', 20],
    ['ten in a high and narrow one', 1024, 1440, '', 10],
    ['the number that the address has', 2560, 1440, '?limit=6', 6],
    ['of a later page the ten that its address meant', 2560, 1440, '?page=2', 10],
  ])('asks for %s, once', async (_, width, height, search, limit) => {
    vi.stubGlobal('innerWidth', width)
    vi.stubGlobal('innerHeight', height)
    const { asked, user } = await open([sampleUser(1)], `/admin/user${search}`)
    // Other rows of the same list: their number stays, whatever became of the window.
    vi.stubGlobal('innerHeight', 2000)
    await user.click(screen.getByRole('radio', { name: 'Quản trị' }))
    await waitFor(() => expect(asked()).toHaveLength(2))
    expect(asked().map(({ query }) => query.limit)).toEqual([limit, limit])
  })
})

describe('the menu of a row', () => {
  test('offers only acts that would change something', async () => {
    const { menuOf } = await open([sampleUser(1, { isFrozen: true, scriptedOutcome: 'win' })])
    const names = within(await menuOf('khach01'))
      .getAllByRole('menuitem')
      .map((item) => item.textContent)
    expect(names).toContain('Mở đóng băng')
    expect(names).not.toContain('Đóng băng')
    expect(names).not.toContain('Chuyển sang auto win')
    expect(names).toContain('Chuyển về công bằng')
  })

  test('offers an admin no acts on their own account', async () => {
    const { menuOf } = await open([sampleUser(1, { id: meId, role: 'admin' })])
    const off = within(await menuOf('khach01'))
      .getAllByRole('menuitem')
      .filter((item) => item.getAttribute('aria-disabled') === 'true')
    expect(off.map((item) => item.textContent)).toEqual([
      'Đóng băngKhông làm được với chính mình',
      'Chuyển về người chơiKhông làm được với chính mình',
      'Xoá tài khoảnKhông làm được với chính mình',
    ])
  })

  test('offers only links for a deleted account', async () => {
    const { menuOf } = await open([sampleUser(1, { deletedAtMs: 1 })])
    expect(within(await menuOf('khach01')).getAllByRole('menuitem')).toHaveLength(3)
    expect(within(rowOf('khach01')).queryByRole('button', { name: 'Sửa' })).toBeNull()
  })
})

describe('an act', () => {
  test('is confirmed, sent with the version on screen, and shown in the row', async () => {
    const { user, menuOf, changed } = await open([sampleUser(1)])
    await user.click(within(await menuOf('khach01')).getByRole('menuitem', { name: 'Đóng băng' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Đóng băng khach01?' })
    expect(dialog.textContent).toContain('khach01 (số dư 1,000.00 điểm) chỉ còn thấy màn hình tài khoản bị vô hiệu hoá')
    expect(changed()).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Đóng băng tài khoản' }))
    await waitFor(() => expect(within(rowOf('khach01')).getByText('Đóng băng')).toBeTruthy())
    expect(changed().map(({ body }) => body)).toEqual([
      { isFrozen: true, version: '1.1', sentFields: ['isFrozen', 'version'] },
    ])
    expect(await screen.findByText('Đã đóng băng tài khoản')).toBeTruthy()
  })

  test('on a stale version shows the changes, and is sent with the newer version', async () => {
    const { user, menuOf, server } = await open([sampleUser(1)])
    await user.click(within(await menuOf('khach01')).getByRole('menuitem', { name: 'Chuyển sang auto lose' }))
    const dialog = await screen.findByRole('alertdialog')
    const newer = sampleUser(1, { balanceMinor: 50_000n, version: '3.4' })
    server.on(staffUserEndpoints.listUsers, () => onePage([newer]))
    const tried = server.on(staffUserEndpoints.updateUser, ({ body }) => {
      if (body.version !== '3.4') throw new Refused('STALE')
      return { ...newer, scriptedOutcome: 'lose' as const }
    })
    const confirm = within(dialog).getByRole('button', { name: 'Chuyển sang auto lose' })
    await user.click(confirm)
    expect(await within(dialog).findByText(/^Số dư: 1,000(\.00)? → 500/)).toBeTruthy()
    await user.click(confirm)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(tried().map(({ body }) => body.version)).toEqual(['1.1', '3.4'])
  })

  test('that deletes removes the row at once', async () => {
    const { user, menuOf, server } = await open([sampleUser(1), sampleUser(2)])
    const removed = server.on(staffUserEndpoints.deleteUser, () => null)
    await user.click(within(await menuOf('khach01')).getByRole('menuitem', { name: 'Xoá tài khoản' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Xoá tài khoản' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: /khach01/ })).toBeNull())
    expect(removed().map(({ params }) => params.id)).toEqual([sampleUser(1).id])
    expect(rowOf('khach02')).toBeTruthy()
  })
})

test.each([
  ['Đóng băng', 'Đóng băng tài khoản'],
  ['Xoá tài khoản', 'Xoá tài khoản'],
])('%s reads the list again after a failure, since it may be done', async (item, confirm) => {
  const { user, menuOf, server, asked } = await open([sampleUser(1)])
  for (const endpoint of [staffUserEndpoints.updateUser, staffUserEndpoints.deleteUser])
    server.on(endpoint, () => {
      throw new Refused('INTERNAL')
    })
  await user.click(within(await menuOf('khach01')).getByRole('menuitem', { name: item }))
  const before = asked().length
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: confirm }))
  await waitFor(() => expect(asked().length).toBeGreaterThan(before))
})

describe('acts on many', () => {
  test('review who is acted on and who is left out, and show the result of each', async () => {
    const { user, server, changed } = await open([
      sampleUser(1),
      sampleUser(2),
      sampleUser(3, { isFrozen: true }),
      sampleUser(4, { role: 'admin' }),
      sampleUser(5, { id: meId, role: 'admin' }),
    ])
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(screen.getByRole('button', { name: 'Đóng băng 2' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Đóng băng 2 tài khoản' })
    expect(within(dialog).getByText('khach01, khach02')).toBeTruthy()
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['1 tài khoản đã đóng băng sẵn', '1 quản trị viên: chỉ làm được từng người', 'Tài khoản của chính bạn'])
    expect(changed()).toHaveLength(0)
    const tried = server.on(staffUserEndpoints.updateUser, ({ params, body: { isFrozen } }) => {
      if (params.id === sampleUser(2).id) throw new Refused('USER_DELETED')
      return sampleUser(1, { isFrozen: isFrozen ?? false, version: '2.1' })
    })
    await user.click(within(dialog).getByRole('button', { name: 'Đóng băng 2' }))
    expect(await within(dialog).findByText('Xong 1 trên 2')).toBeTruthy()
    const results = within(within(dialog).getByRole('list', { name: 'Kết quả từng hàng' })).getAllByRole('listitem')
    expect(results.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^khach02.*xoá/),
      'khach01Đã đóng băng tài khoản',
    ])
    expect(tried().map(({ params }) => params.id)).toEqual([sampleUser(1).id, sampleUser(2).id])

    // Once more, only for the one that is not done, on what it is now.
    const newer = sampleUser(2, { version: '9.9' })
    server.on(staffUserEndpoints.listUsers, () => onePage([newer]))
    const again = server.on(staffUserEndpoints.updateUser, () => ({ ...newer, isFrozen: true }))
    await user.click(within(dialog).getByRole('button', { name: 'Thử lại 1 hàng chưa xong' }))
    expect(await within(dialog).findByText('Xong 2 trên 2')).toBeTruthy()
    expect(again().map(({ body }) => body.version)).toEqual(['9.9'])
    await user.click(within(dialog).getByRole('button', { name: 'Đóng' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('show the new state in rows that left the filter, and leave them selected no longer', async () => {
    const frozen = [1, 2].map((number) => sampleUser(number, { isFrozen: true }))
    const { user, server } = await open(frozen, '/admin/user?kind=frozen')
    const badges = () => frozen.flatMap(({ username }) => within(rowOf(username)).queryAllByText('Đóng băng'))
    expect(badges()).toHaveLength(2)
    for (const name of ['khach01', 'khach02']) await user.click(screen.getByRole('checkbox', { name: `Chọn ${name}` }))
    await user.click(screen.getByRole('button', { name: 'Mở đóng băng 2' }))
    const dialog = await screen.findByRole('alertdialog')
    const left = server.on(staffUserEndpoints.listUsers, async () => {
      // As no line is quicker, the answers to the acts are drawn before this one.
      await new Promise((resolve) => setTimeout(resolve, 20))
      return onePage([])
    })
    await user.click(within(dialog).getByRole('button', { name: 'Mở đóng băng 2' }))
    expect(await within(dialog).findByText('Xong 2 trên 2')).toBeTruthy()
    await waitFor(() => expect(left().length).toBeGreaterThan(0))
    expect(within(dialog).getAllByRole('listitem')).toHaveLength(2)
    expect(dialog.contains(document.activeElement)).toBe(true)
    await user.click(within(dialog).getByRole('button', { name: 'Đóng' }))
    expect(await screen.findByText('0 trên 0 hàng được chọn')).toBeTruthy()
    expect(badges()).toHaveLength(0)
    expect(screen.queryByRole('button', { name: /^(Mở đóng|Đóng) băng \d/ })).toBeNull()
  })

  test('a failure that is not about one row leaves the rest untried, and says so', async () => {
    const many = Array.from({ length: 9 }, (_, at) => sampleUser(at + 1))
    const { user, server } = await open(many)
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(screen.getByRole('button', { name: 'Đóng băng 9' }))
    const dialog = await screen.findByRole('alertdialog')
    let calls = 0
    server.on(staffUserEndpoints.updateUser, ({ params }) => {
      calls++
      if (calls > 2) throw new Refused('CAPABILITY_MISSING')
      return { ...many.find(({ id }) => id === params.id)!, isFrozen: true }
    })
    await user.click(within(dialog).getByRole('button', { name: 'Đóng băng 9' }))
    expect(await within(dialog).findByText('Xong 2 trên 9')).toBeTruthy()
    expect(within(dialog).getByText(/Đã dừng: 7 hàng chưa làm\./)).toBeTruthy()
    expect(within(dialog).getAllByText('Chưa làm')).toHaveLength(7)
    expect(calls).toBeLessThan(9)
  })

  test('of a filter are read when they are reviewed, all of them', async () => {
    const { user, server } = await open([sampleUser(1), sampleUser(2)])
    const all = [1, 2, 3, 4].map((number) => sampleUser(number))
    const allIds = all.map(({ id }) => id)
    const asked = server.on(staffUserEndpoints.listUsers, ({ query: { ids } }) =>
      ids === undefined
        ? onePage(all.slice(0, 2), 4, 1, 10, allIds)
        : onePage(all.toReversed().filter(({ id }) => ids.includes(id))),
    )
    await user.click(screen.getByRole('radio', { name: 'Minh hoạ' }))
    await waitFor(() => expect(asked().at(-1)?.query.only).toBe('scripted'))
    // Nothing is offered before the whole page is selected, and no bar stands there without an act.
    expect(screen.queryByRole('button', { name: 'Chọn tất cả 4' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Bỏ chọn' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    await user.click(await screen.findByRole('button', { name: 'Chọn tất cả 4' }))
    expect(screen.getByText('Đã chọn tất cả 4 hàng khớp bộ lọc')).toBeTruthy()
    expect(screen.getByText('4 trên 4 hàng được chọn')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Đóng băng…' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Đóng băng 4 tài khoản' })
    expect(within(dialog).getByText('khach01, khach02, khach03, khach04')).toBeTruthy()
    // Once for the filters, then by ids: who leaves the filters meanwhile is acted on all the same.
    expect(
      asked()
        .slice(-2)
        .map(({ query: { only, whole, ids } }) => [only, whole, ids]),
    ).toEqual([
      ['scripted', 'ids', undefined],
      [undefined, undefined, allIds],
    ])
    await user.click(within(dialog).getByRole('button', { name: 'Quay lại' }))
    // Whoever takes one row out goes on with the others on screen.
    await user.click(screen.getByRole('checkbox', { name: 'Chọn khach02' }))
    expect(screen.getByText('1 trên 4 hàng được chọn')).toBeTruthy()
  })

  test('more than an act takes can not be chosen at once', async () => {
    const { user, server } = await open([sampleUser(1)])
    server.on(staffUserEndpoints.listUsers, () => ({
      rows: [sampleUser(1)],
      meta: { total: 1_001, page: 1, limit: 10, hasMore: true },
    }))
    await user.click(screen.getByRole('radio', { name: 'Minh hoạ' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Chọn mọi hàng của trang' }))
    expect(await screen.findByText(/^1,001 hàng khớp bộ lọc; mỗi lần chọn tất cả được nhiều nhất 1,000/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Chọn tất cả/ })).toBeNull()
  })
})

describe('an order by what accounts hold', () => {
  test('is asked of the server and says of when it is', async () => {
    const { user, server } = await open([sampleUser(1, { stakedMinor: 4_000n })])
    const orderedAt = new Date(2026, 10, 23, 10, 42, 5).toISOString()
    const asked = server.on(staffUserEndpoints.listUsers, ({ query: { sort } }) => ({
      rows: [sampleUser(1, { stakedMinor: 4_000n })],
      meta: { total: 1, page: 1, limit: 10, hasMore: false, ...(sort === '-balance' && { orderedAt }) },
    }))
    await user.click(screen.getByRole('button', { name: 'Số dư' }))
    expect(await screen.findByText(/^Xếp theo số liệu lúc \d\d:42:05$/)).toBeTruthy()
    expect(asked().at(-1)?.query.sort).toBe('-balance')
    await user.click(screen.getByRole('button', { name: 'Đang đặt' }))
    await waitFor(() => expect(asked().at(-1)?.query.sort).toBe('-staked'))
    await user.click(screen.getByRole('button', { name: 'Điểm tín nhiệm' }))
    await waitFor(() => expect(asked().at(-1)?.query.sort).toBe('-credit'))
    await waitFor(() => expect(screen.queryByText(/^Xếp theo/)).toBeNull())
  })
})
