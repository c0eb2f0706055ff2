import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { backOfficeEndpoints } from '#contract/back-office.ts'
import { refusals } from '#contract/refusals.ts'
import { type SavedView, savedViewEndpoints } from '#contract/saved-views.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { AuditTable } from '#web/features/admin-audit/audit-table.tsx'
import { useViewStore } from '#web/features/saved-views/use-view-store.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleAct, uuid } from '#web/testing/samples.ts'
import { ViewStoreContext } from '#web/lists/saved-views.ts'

const me = uuid(1)
const author = (id: string, username: string) => ({ id, username })
const shared: SavedView = {
  id: uuid(50),
  list: 'nhat-ky',
  name: 'Việc hôm nay',
  search: { act: 'user.delete' },
  isShared: true,
  maker: author(uuid(2), 'dongnghiep'),
}

function List({ capabilities }: { readonly capabilities: readonly Capability[] }) {
  return (
    <ViewStoreContext value={useViewStore({ id: me, capabilities: [...capabilities] })}>
      <AuditTable />
    </ViewStoreContext>
  )
}

async function open(first: SavedView[], capabilities: readonly Capability[] = ['money']) {
  const server = fakeServer()
  let kept = first
  let isClosed = false
  const asked = server.on(backOfficeEndpoints.listAudit, () => onePage([sampleAct(1)]))
  server.on(savedViewEndpoints.listViews, ({ query: { list } }) => kept.filter((view) => view.list === list))
  const saved = server.on(savedViewEndpoints.saveView, ({ body }) => {
    const same = kept.find((view) => view.name === body.name && view.maker.id === me)
    if (same !== undefined) {
      if (JSON.stringify(same.search) !== JSON.stringify(body.search)) throw new Refused('VIEW_NAME_TAKEN')
      return same
    }
    if (kept.length === 4) throw new Refused('TOO_MANY_VIEWS')
    const view = { ...body, id: uuid(60 + kept.length), maker: author(me, 'toi') }
    kept = [...kept, view]
    return view
  })
  const removed = server.on(savedViewEndpoints.deleteView, ({ params: { id } }) => {
    if (isClosed) throw new Refused('FORBIDDEN')
    kept = kept.filter((view) => view.id !== id)
    return null
  })
  const drawn = await draw(<List capabilities={capabilities} />, '/admin/audit')
  await screen.findAllByRole('row', { name: /Sửa tài khoản/ })
  const openMenu = () => drawn.user.click(screen.getByRole('button', { name: 'Góc nhìn' }))
  const openDialog = async () => {
    await openMenu()
    await drawn.user.click(await screen.findByRole('menuitem', { name: 'Lưu góc nhìn này…' }))
    return screen.findByRole('dialog', { name: 'Góc nhìn đã lưu' })
  }
  const close = () => {
    isClosed = true
  }
  return { ...drawn, asked, saved, removed, openMenu, openDialog, close, now: () => kept }
}

test('a view is saved for the team under a name, and used again', async () => {
  const { user, asked, saved, openMenu, openDialog } = await open([])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Việc' }), 'Đổi vai trò')
  const dialog = await openDialog()
  await user.click(within(dialog).getByRole('button', { name: 'Lưu góc nhìn' }))
  expect(within(dialog).getByText('Vui lòng đặt tên')).toBeTruthy()
  await user.click(within(dialog).getByRole('switch', { name: 'Cho cả nhóm' }))
  await user.type(within(dialog).getByRole('textbox', { name: 'Tên góc nhìn' }), ' Vai  trò {Enter}')
  expect(await screen.findByText('Đã lưu góc nhìn Vai trò')).toBeTruthy()
  expect(saved().map(({ body }) => body)).toEqual([
    { list: 'nhat-ky', name: 'Vai trò', isShared: true, search: { act: 'user.set-role' } },
  ])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Việc' }), 'Mọi việc')
  await waitFor(() => expect(asked().at(-1)?.query.act).toBeUndefined())
  await openMenu()
  await user.click(await screen.findByRole('menuitem', { name: 'Vai trò' }))
  await waitFor(() => expect(asked().at(-1)?.query.act).toBe('user.set-role'))
})

test('a colleague’s view is used, with their name beside it, and deleted by an owner alone, who is asked first', async () => {
  const { user, asked, removed, openMenu, openDialog, unmount } = await open([shared])
  await openMenu()
  await user.click(await screen.findByRole('menuitem', { name: /Việc hôm nay.*của dongnghiep/ }))
  await waitFor(() => expect(asked().at(-1)?.query.act).toBe('user.delete'))
  const dialog = await openDialog()
  expect(within(dialog).getByRole('region', { name: 'Của nhóm' }).textContent).toContain('của dongnghiep')
  expect(within(dialog).queryByRole('button', { name: /^Xoá góc nhìn/ })).toBeNull()
  unmount()

  const owner = await open([shared], ['owner'])
  const again = await owner.openDialog()
  await owner.user.click(within(again).getByRole('button', { name: 'Xoá góc nhìn Việc hôm nay' }))
  const question = await screen.findByRole('alertdialog', { name: 'Xoá góc nhìn Việc hôm nay?' })
  expect(owner.removed()).toEqual([])
  await owner.user.click(within(question).getByRole('button', { name: 'Xoá góc nhìn' }))
  expect(await screen.findByText('Chưa có góc nhìn nào.')).toBeTruthy()
  expect(owner.removed().map(({ params }) => params.id)).toEqual([shared.id])
  expect(removed()).toEqual([])
})

test('whoever may only read is not offered to share', async () => {
  const { openDialog } = await open([], [])
  const dialog = await openDialog()
  expect(within(dialog).queryByRole('switch')).toBeNull()
  expect(within(dialog).getByRole('button', { name: 'Lưu góc nhìn' })).toBeTruthy()
})

test('a view whose button is pressed twice is deleted once, and no failure is said', async () => {
  const own = { ...shared, name: 'Một', isShared: false, maker: author(me, 'toi') }
  const { removed, openDialog } = await open([own])
  const dialog = await openDialog()
  // Twice before the first answer.
  for (const press of [fireEvent.click, fireEvent.click])
    press(within(dialog).getByRole('button', { name: 'Xoá góc nhìn Một' }))
  expect(await screen.findByText('Đã xoá góc nhìn Một')).toBeTruthy()
  expect(removed()).toHaveLength(1)
})

test('a refusal stays in the dialog with the server’s sentence', async () => {
  const { user, openDialog, close } = await open([
    { ...shared, name: 'Một', isShared: false, maker: author(me, 'toi') },
  ])
  const dialog = await openDialog()
  await user.type(within(dialog).getByRole('textbox', { name: 'Tên góc nhìn' }), 'Một{Enter}')
  expect(await within(dialog).findByText(/Bạn đã có một góc nhìn khác cùng tên/)).toBeTruthy()

  close()
  await user.click(within(dialog).getByRole('button', { name: 'Xoá góc nhìn Một' }))
  expect(await within(dialog).findByText(refusals.FORBIDDEN.message)).toBeTruthy()
})
