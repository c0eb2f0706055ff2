import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { identityEndpoints, type StaffUser } from '#contract/identity.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { UsersTable } from './users-table.tsx'

const meId = uuid(900)

/** Opens the list on a server that holds these users and applies the changes it receives. */
async function open(users: StaffUser[], at = '/admin/user') {
  const server = fakeServer()
  let stored = users
  const asked = server.on(identityEndpoints.listUsers, ({ query: { userId } }) =>
    onePage(userId === undefined ? stored : stored.filter(({ id }) => id === userId)),
  )
  const changed = server.on(identityEndpoints.updateUser, ({ params, body: { sentFields: _, ...fields } }) => {
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

  test('shows one user for a link from another list, and all users again', async () => {
    const { user, asked } = await open([sampleUser(2), sampleUser(1)], `/admin/user?userId=${sampleUser(2).id}`)
    expect(asked().at(-1)?.query.userId).toBe(sampleUser(2).id)
    expect(screen.getByText('Đang xem một tài khoản')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Xem tất cả' }))
    await waitFor(() => expect(asked().at(-1)?.query.userId).toBeUndefined())
    expect(screen.queryByText('Đang xem một tài khoản')).toBeNull()
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
    server.on(identityEndpoints.listUsers, () => onePage([newer]))
    const tried = server.on(identityEndpoints.updateUser, ({ body }) => {
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
    const removed = server.on(identityEndpoints.deleteUser, () => null)
    await user.click(within(await menuOf('khach01')).getByRole('menuitem', { name: 'Xoá tài khoản' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Xoá tài khoản' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: /khach01/ })).toBeNull())
    expect(removed().map(({ params }) => params.id)).toEqual([sampleUser(1).id])
    expect(rowOf('khach02')).toBeTruthy()
  })
})
