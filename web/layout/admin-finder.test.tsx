import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Found, finderEndpoints } from '#contract/finder.ts'
import type { Me } from '#contract/identity.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AdminFinder } from './admin-finder.tsx'

// Of the sidebar's counters nothing is drawn here.
vi.mock('#web/platform/socket.ts', () => ({ onServerEvent: () => () => undefined, stayJoined: () => () => undefined }))

const me: Me = { ...sampleUser(1, { role: 'admin' }), passwordResetAtMs: null }
const nothing: Found = { users: [], rounds: [], requests: [], bets: [], banks: [] }
const user = (number: number, username: string, fields: Partial<Found['users'][number]> = {}) => ({
  id: uuid(number),
  username,
  role: 'player' as const,
  isFrozen: false,
  isDeleted: false,
  ...fields,
})

async function open(answer: (q: string) => Found, capabilities: readonly Capability[] = CAPABILITIES) {
  const server = fakeServer()
  const asked = server.on(finderEndpoints.find, ({ query: { q } }) => answer(q))
  const drawn = await draw(
    <OwnCapabilities value={capabilities}>
      <AdminFinder me={me} />
      <textarea aria-label="Ghi chú" />
    </OwnCapabilities>,
    '/admin',
  )
  const openByKey = async () => {
    await drawn.user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('dialog', { name: 'Tìm trong trang quản trị' })
    return screen.getByRole('combobox')
  }
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  const chosen = () => screen.queryByRole('option', { selected: true })?.textContent
  return { ...drawn, asked, openByKey, options, chosen, q: () => asked().map(({ query }) => query.q) }
}

test('a player is found and opened by keyboard alone, and is the first of the recent ones next time', async () => {
  const {
    user: person,
    openByKey,
    chosen,
    address,
    q,
  } = await open((text) =>
    text === 'nguyễn an'
      ? { ...nothing, users: [user(7, 'nguyenan'), user(8, 'nguyenanh', { isFrozen: true })] }
      : nothing,
  )
  const field = await openByKey()
  expect(document.activeElement).toBe(field)
  await person.keyboard('nguyễn an')
  expect(await screen.findByRole('option', { name: /nguyenanh/ })).toBeTruthy()
  // Asked once typing has paused.
  expect(q()).toEqual(['nguyễn an'])
  expect(screen.getByText('2 kết quả')).toBeTruthy()
  expect(chosen()).toBe('nguyenan')
  await person.keyboard('{ArrowDown}')
  expect(chosen()).toBe('nguyenanhĐã đóng băng')
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  await person.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/admin/user/${uuid(8)}`))
  expect(screen.queryByRole('dialog')).toBeNull()
  await openByKey()
  expect(chosen()).toBe('nguyenanhĐã đóng băng')
  expect(within(screen.getByRole('group', { name: 'Gần đây' })).getAllByRole('option')).toHaveLength(1)
})

test('everything that a text may mean, in groups, each leading to its page', async () => {
  const owner = { id: uuid(7), username: 'khach' }
  const {
    user: person,
    openByKey,
    options,
    address,
  } = await open(() => ({
    users: [],
    rounds: [{ id: uuid(20), roundNumber: 1234, type: '60s', opensAtMs: Date.UTC(2026, 0, 1) }],
    requests: [
      {
        id: uuid(21),
        owner,
        kind: 'deposit',
        amountMinor: 12_345n,
        status: 'pending',
        createdAtMs: Date.UTC(2026, 0, 1),
      },
    ],
    bets: [
      { id: uuid(22), owner, direction: 'up', stakeMinor: 100n, status: 'voided', createdAtMs: Date.UTC(2026, 0, 1) },
    ],
    banks: [{ id: uuid(23), owner, accountNumber: '0011221234', accountHolder: 'A', bankName: 'VCB' }],
  }))
  for (const [name, to] of [
    [/Phiên 60s · 1,234/, `/admin/round/${uuid(20)}`],
    [/Nạp 123\.45.*khach · Đang duyệt/, `/admin/user/${uuid(7)}?part=requests`],
    [/Mua 1\.00.*khach · Hoàn điểm/, `/admin/user/${uuid(7)}?part=bets`],
    [/0011221234 · VCB.*khach/, `/admin/user/${uuid(7)}?part=banks`],
  ] as const) {
    await openByKey()
    await person.keyboard('1234')
    await person.click(await within(await screen.findByRole('dialog')).findByRole('option', { name }))
    await waitFor(() => expect(address()).toBe(to))
  }
  await openByKey()
  await person.keyboard('1234')
  await waitFor(() => expect(options()).toHaveLength(4))
  expect(screen.getAllByRole('group').map((group) => group.textContent?.slice(0, 4))).toHaveLength(4)
})

test('acts: words of a page, of a round, and of an act on somebody', async () => {
  const {
    user: person,
    openByKey,
    options,
    chosen,
    address,
    q,
  } = await open((text) =>
    text === 'khach' ? { ...nothing, users: [user(7, 'khach07'), user(8, 'khach08', { isFrozen: true })] } : nothing,
  )
  await openByKey()
  await person.keyboard('mở phiên 60s')
  await waitFor(() => expect(chosen()).toBe('Mở phiên 60s'))
  await person.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/game?type=60s'))

  await openByKey()
  await person.keyboard('dong bang')
  await waitFor(() => expect(options()).toContain('Đóng băng tài khoản…Gõ tiếp tên tài khoản'))
  await person.keyboard('{Enter}')
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('Đóng băng ')
  await person.keyboard('khach')
  // Who is frozen already is not offered.
  await waitFor(() => expect(options()).toEqual(['Đóng băng khach07']))
  expect(q().at(-1)).toBe('khach')
  await person.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/admin/user/${uuid(7)}?act=freeze`))
})

test('only what one may do is offered', async () => {
  const { user: person, openByKey, options } = await open(() => nothing, [])
  await openByKey()
  expect(options()).not.toContain('Tin nhắn')
  expect(options()).toContain('Giao dịch')
  await person.keyboard('đóng băng')
  expect(await screen.findByText('Không tìm thấy gì cho “đóng băng”.', { selector: 'p:not([role])' })).toBeTruthy()
  expect(options()).toEqual([])
})

test('Escape and the key itself close it and give the focus back with what was typed', async () => {
  const { user: person, openByKey } = await open(() => nothing)
  const note = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ghi chú' })
  await person.type(note, 'dở dang')
  await openByKey()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(note))
  await openByKey()
  await person.keyboard('{Meta>}k{/Meta}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(note))
  expect(note.value).toBe('dở dang')
})

test('the key does nothing over a dialog, where something may be typed', async () => {
  fakeServer()
  const { user: person } = await draw(
    <>
      <AdminFinder me={me} />
      <Dialog isOpen onOpenChange={() => undefined} title="Sửa">
        <input aria-label="Lý do" />
      </Dialog>
    </>,
    '/admin',
  )
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Lý do' })
  await person.type(field, 'một')
  await person.keyboard('{Control>}k{/Control}')
  await person.keyboard(' hai')
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  expect([document.activeElement, field.value]).toEqual([field, 'một hai'])
})

test('a failure says so and can be tried again', async () => {
  let isAway = true
  const { user: person, openByKey } = await open(() => {
    if (isAway) throw new Refused('INTERNAL')
    return { ...nothing, users: [user(7, 'khach07')] }
  })
  await openByKey()
  await person.keyboard('khach')
  const retry = await screen.findByRole('button', { name: 'Thử lại' })
  isAway = false
  await person.click(retry)
  expect(await screen.findByRole('option', { name: 'khach07' })).toBeTruthy()
})
