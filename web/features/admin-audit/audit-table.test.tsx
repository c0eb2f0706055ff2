import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type AuditRow, backOfficeEndpoints } from '#contract/back-office.ts'
import { startOfDayMs } from '#domain/day.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleAct } from '#web/testing/samples.ts'
import { AuditTable } from './audit-table.tsx'

async function open(rows: AuditRow[], total = rows.length, at = '/admin/audit') {
  const server = fakeServer()
  const asked = server.on(backOfficeEndpoints.listAudit, ({ query: { page = 1, limit = 10 } }) =>
    onePage(rows.slice((page - 1) * limit, page * limit), total, page, limit),
  )
  const drawn = await draw(<AuditTable />, at)
  await screen.findAllByRole('row', { name: /Sửa tài khoản/ })
  return { ...drawn, asked }
}

test('can be searched by actor, by act and by target', async () => {
  const { user, asked } = await open([sampleAct(1)])
  await user.type(screen.getByRole('searchbox', { name: 'Tên người làm…' }), 'quantri{Enter}')
  await user.type(screen.getByRole('searchbox', { name: 'Tên đối tượng…' }), 'khach01{Enter}')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Việc' }), 'Đổi vai trò')
  await waitFor(() =>
    expect(asked().at(-1)?.query).toMatchObject({ actor: 'quantri', target: 'khach01', act: 'user.set-role' }),
  )
})

test('a link sets actor, act and days, and the address stays', async () => {
  const link = '/admin/audit?by=quantri&act=user.update&from=2026-01-01&to=2026-01-01'
  const { asked, address } = await open([sampleAct(1)], 1, link)
  expect(asked()[0]?.query).toEqual({
    page: 1,
    limit: 10,
    sort: '-createdAt',
    actor: 'quantri',
    act: 'user.update',
    from: startOfDayMs('2026-01-01'),
    to: startOfDayMs('2026-01-02'),
  })
  expect(address()).toBe(link)
})

test('an act is opened by its button and by Enter, with its fields before and after', async () => {
  const { user } = await open([sampleAct(1)])
  await user.click(screen.getByRole('button', { name: 'Xem' }))
  const dialog = await screen.findByRole('dialog', { name: 'Nhật ký số 1' })
  expect(within(dialog).getByRole('row', { name: /Điểm tín nhiệm 100 90/ })).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.keyboard('j{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Nhật ký số 1' })).toBeTruthy()
})

test('the export holds every row that matches the filters, or only the selected rows', async () => {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { user, asked } = await open(Array.from({ length: 150 }, (_, at) => sampleAct(at + 1)))
  const lines = async () => (await files.at(-1)!.text()).trim().split('\r\n')
  await user.click(screen.getByRole('button', { name: 'Xuất CSV' }))
  expect(await screen.findByText('Đã xuất 150 hàng')).toBeTruthy()
  expect(await lines()).toHaveLength(151)
  expect(
    asked()
      .slice(-2)
      .map(({ query }) => [query.page, query.limit]),
  ).toEqual([
    [1, 100],
    [2, 100],
  ])
  await user.click(screen.getByRole('checkbox', { name: 'Chọn Nhật ký số 2' }))
  await user.click(screen.getByRole('button', { name: 'Xuất CSV' }))
  expect(await screen.findByText('Đã xuất 1 hàng')).toBeTruthy()
  expect(await lines()).toHaveLength(2)
  vi.restoreAllMocks()
})
