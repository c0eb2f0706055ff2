import { focusManager, onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { customerEndpoints } from '#contract/customer.ts'
import { type Found, finderEndpoints } from '#contract/finder.ts'
import type { Me } from '#contract/identity.ts'
import type { ChatMessage } from '#domain/chat/conversation.ts'
import { CAPABILITIES, type Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AdminFinder } from './admin-shell.tsx'

// Of the sidebar's counters nothing is drawn here.
vi.mock('#web/platform/socket.ts', () => ({ onServerEvent: () => () => undefined, stayJoined: () => () => undefined }))

const me: Me = { ...sampleUser(1, { role: 'admin' }), passwordResetAtMs: null }
const nothing: Found = { users: [], rounds: [], requests: [], adjustments: [], bets: [], banks: [] }
const user = (number: number, username: string, fields: Partial<Found['users'][number]> = {}) => ({
  id: uuid(number),
  username,
  role: 'player' as const,
  isFrozen: false,
  isDeleted: false,
  balanceMinor: 100_000n,
  waitingRequests: 0,
  ...fields,
})
const message = (number: number, content: string): ChatMessage => ({
  id: uuid(number),
  conversationId: uuid(90),
  seq: number,
  sender: { id: uuid(7), username: 'khach07', avatar: null, role: 'player' },
  clientMessageId: uuid(number),
  kind: 'text',
  content,
  image: null,
  sentAtMs: Date.UTC(2026, 0, 1),
  createdAtMs: Date.UTC(2026, 0, 1),
  updatedAtMs: Date.UTC(2026, 0, 1),
  readerIds: [],
})

async function open(
  answer: (q: string) => Found,
  capabilities: readonly Capability[] = CAPABILITIES,
  messages: readonly ChatMessage[] = [],
) {
  const server = fakeServer()
  const asked = server.on(finderEndpoints.find, ({ query: { q } }) => answer(q))
  const searched = server.on(chatEndpoints.searchMessages, () => [...messages])
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
  const q = () => asked().map(({ query }) => query.q)
  return {
    ...drawn,
    server,
    asked,
    searched: () => searched().map(({ query }) => query.text),
    openByKey,
    options,
    chosen,
    q,
  }
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
  // At once: between keys a slow machine would pause, and each pause is a question.
  await person.paste('nguyễn an')
  expect(await screen.findByRole('option', { name: /nguyenanh/ })).toBeTruthy()
  expect(q()).toEqual(['nguyễn an'])
  expect(await screen.findByText('2 kết quả')).toBeTruthy()
  expect(chosen()).toBe('nguyenan1,000.00 điểm')
  await person.keyboard('{ArrowDown}')
  expect(chosen()).toBe('nguyenanhĐã đóng băng1,000.00 điểm')
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
    adjustments: [{ id: 'a', owner, deltaMinor: -25_000n, createdAtMs: Date.UTC(2026, 0, 1) }],
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
    [/Điều chỉnh −250\.00.*khach/, `/admin/user/${uuid(7)}?part=ledger&reason=ADJUSTMENT`],
    [/Mua 1\.00.*khach · Hoàn điểm/, `/admin/user/${uuid(7)}?part=bets`],
    [/0011221234 · VCB.*khach/, `/admin/user/${uuid(7)}?part=banks`],
  ] as const) {
    await openByKey()
    await person.paste('1234')
    await person.click(await within(await screen.findByRole('dialog')).findByRole('option', { name }))
    await waitFor(() => expect(address()).toBe(to))
  }
  await openByKey()
  await person.paste('1234')
  await waitFor(() => expect(options()).toHaveLength(6))
  expect(screen.getAllByRole('group')).toHaveLength(6)
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

test('→ shows what may be done with a customer, each where it is done, and ← the results as they were', async () => {
  const frozen = user(8, 'khach08', { isFrozen: true, waitingRequests: 2, balanceMinor: 1_250n })
  const found = { ...nothing, users: [user(7, 'khach07'), frozen] }
  const {
    user: person,
    openByKey,
    options,
    chosen,
    address,
    q,
  } = await open((text) => (text === 'khach' ? found : { ...nothing, users: [frozen] }))
  const field = await openByKey()
  await person.paste('khach')
  await waitFor(() => expect(chosen()).toBe('khach071,000.00 điểm'))
  // Within the text the arrow moves in it; at its end it goes on.
  await person.keyboard('{ArrowDown}{ArrowLeft}{ArrowRight}')
  expect(options()).toHaveLength(3)
  await person.keyboard('{ArrowRight}')
  const inActs = 'khach08 · 12.50 điểm · Đã đóng băng · 2 yêu cầu chờ duyệt'
  const group = await screen.findByRole('group', { name: inActs })
  expect(
    within(group)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Mở trang',
    'Nhắn tin',
    'Duyệt yêu cầu',
    'Điều chỉnh số dư',
    'Sửa',
    'Mở đóng băng',
    'Xem sổ điểm',
    'Xem lệnh',
  ])
  expect(q().at(-1)).toBe(uuid(8))
  expect(screen.getByRole('status').textContent).toBe(
    '8 thao tác với khach08 · 12.50 điểm · Đã đóng băng · 2 yêu cầu chờ duyệt',
  )
  expect(document.activeElement).toBe(field)
  await person.keyboard('dieu')
  await waitFor(() => expect(options()).toEqual(['Điều chỉnh số dư']))
  for (const leave of ['{Escape}', '{ArrowLeft}', '{Backspace}']) {
    await person.keyboard('{Home}')
    await person.keyboard(leave)
    await waitFor(() => expect(options()).toHaveLength(3))
    expect(chosen()).toMatch(/^khach08/)
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('khach')
    await person.click(screen.getByRole('button', { name: 'Thao tác với khach08' }))
    expect(await screen.findByRole('group', { name: inActs })).toBeTruthy()
  }
  await person.click(screen.getByRole('button', { name: 'Về kết quả' }))
  await person.click(document.querySelector('[data-acts="khach08"]')!)
  await person.click(await screen.findByRole('option', { name: 'Duyệt yêu cầu' }))
  await waitFor(() => expect(address()).toBe(`/admin/user/${uuid(8)}?part=requests&status=pending`))
})

test('among a customer’s acts is only what one may do', async () => {
  const acts = async (capabilities: readonly Capability[], fields: Partial<Found['users'][number]> = {}) => {
    const one = user(7, 'khach07', { waitingRequests: 1, ...fields })
    const { user: person, openByKey, options, unmount } = await open(() => ({ ...nothing, users: [one] }), capabilities)
    await openByKey()
    await person.paste('khach07')
    await screen.findByRole('option', { name: /^khach07/ })
    await person.keyboard('{ArrowRight}')
    await screen.findByRole('option', { name: 'Mở trang' })
    const shown = options()
    unmount()
    return shown
  }
  expect(await acts([])).toEqual(['Mở trang', 'Xem sổ điểm', 'Xem lệnh'])
  expect(await acts(['care'])).toContain('Nhắn tin')
  expect(await acts(['money'])).toEqual(['Mở trang', 'Duyệt yêu cầu', 'Điều chỉnh số dư', 'Xem sổ điểm', 'Xem lệnh'])
  expect(await acts(['users'])).toEqual(['Mở trang', 'Sửa', 'Đóng băng', 'Xem sổ điểm', 'Xem lệnh'])
  expect(await acts(['users', 'care'], { role: 'admin' })).toEqual(['Mở trang', 'Xem sổ điểm', 'Xem lệnh'])
  expect(await acts(CAPABILITIES, { isDeleted: true })).toEqual([
    'Mở trang',
    'Duyệt yêu cầu',
    'Xem sổ điểm',
    'Xem lệnh',
  ])
})

test('“Nhắn tin” leads to the conversation with the customer', async () => {
  const { user: person, openByKey, server, address } = await open(() => ({ ...nothing, users: [user(7, 'khach07')] }))
  server.on(customerEndpoints.listCustomerConversations, () => [
    {
      id: uuid(90),
      holder: { id: uuid(3), username: 'dongnghiep' },
      messages: 1,
      lastActivityAtMs: Date.UTC(2026, 0, 1),
      createdAtMs: Date.UTC(2026, 0, 1),
    },
  ])
  await openByKey()
  await person.paste('khach07')
  await screen.findByRole('option', { name: /^khach07/ })
  await person.keyboard('{ArrowRight}')
  await person.click(await screen.findByRole('option', { name: 'Nhắn tin' }))
  await waitFor(() => expect(address()).toBe(`/admin/chat?conversation=${uuid(90)}`))
})

test('words of a message: the first hits, and the way to all of them at the desk', async () => {
  const hits = [1, 2, 3, 4].map((number) => message(number, `Xin hoàn điểm ${number}`))
  const { user: person, openByKey, options, address, searched } = await open(() => nothing, ['care'], hits)
  await openByKey()
  await person.paste('hoàn điểm')
  await waitFor(() => expect(options()).toHaveLength(4))
  expect(options().at(-1)).toBe('Mọi tin nhắn có “hoàn điểm”')
  await person.click(screen.getByRole('option', { name: /^Xin hoàn điểm 2/ }))
  const every = '/admin/chat?search=ho%C3%A0n+%C4%91i%E1%BB%83m'
  await waitFor(() => expect(address()).toBe(`${every}&message=${uuid(2)}`))
  await openByKey()
  await person.paste('hoàn điểm')
  await person.click(await screen.findByRole('option', { name: /^Mọi tin nhắn/ }))
  await waitFor(() => expect(address()).toBe(every))
  expect(searched()).toEqual(['hoàn điểm'])
})

test('coming back to the page or to the network is no search: each one is in the audit log', async () => {
  const { user: person, openByKey, askAgain, q, searched } = await open(() => nothing, ['care', 'users'])
  await openByKey()
  await person.paste('203.0.113.9')
  // Both answers are drawn: none of them comes while the page is away.
  await screen.findByText('Không tìm thấy gì cho “203.0.113.9”.', { selector: 'p:not([role])' })
  expect(searched()).toEqual(['203.0.113.9'])
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + 60_000)
  act(() => focusManager.setFocused(false))
  await act(async () => focusManager.setFocused(true))
  focusManager.setFocused(undefined)
  act(() => onlineManager.setOnline(false))
  await act(async () => onlineManager.setOnline(true))
  // So does the socket when it is connected again.
  await askAgain([])
  vi.restoreAllMocks()
  expect([q(), searched()]).toEqual([['203.0.113.9'], ['203.0.113.9']])
})

test('what may be done with a user is read anew, also soon after it was last on screen', async () => {
  const { user: person, openByKey, q } = await open(() => ({ ...nothing, users: [user(7, 'khach07')] }), [])
  await openByKey()
  await person.paste('khach07')
  await screen.findByRole('option', { name: /^khach07/ })
  await person.keyboard('{ArrowRight}')
  await screen.findByRole('option', { name: 'Mở trang' })
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + 60_000)
  await person.keyboard('{ArrowLeft}')
  await screen.findByRole('option', { name: /^khach07/ })
  await person.keyboard('{ArrowRight}')
  await waitFor(() => expect(q()).toEqual(['khach07', uuid(7), uuid(7)]))
  vi.restoreAllMocks()
})

test('messages are not searched for a name that is found, nor by who may not read them', async () => {
  const answer = () => ({ ...nothing, users: [user(7, 'khach07')] })
  const { user: person, openByKey, options, searched, unmount } = await open(answer, ['care'])
  await openByKey()
  await person.paste('khach07')
  await waitFor(() => expect(options()).toEqual(['khach071,000.00 điểm', 'Mọi tin nhắn có “khach07”']))
  expect(searched()).toEqual([])
  unmount()
  const other = await open(answer, ['money', 'users'])
  await other.openByKey()
  await other.user.paste('khach07 đâu rồi')
  await waitFor(() => expect(other.options()).toEqual(['khach071,000.00 điểm']))
  expect(other.searched()).toEqual([])
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
      <Dialog onClose={() => undefined} title="Sửa">
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
  expect(await screen.findByRole('option', { name: /^khach07/ })).toBeTruthy()
})

test('a failed read of a customer’s acts is not told as none', async () => {
  const { user: person, openByKey } = await open((q) => {
    if (q === uuid(7)) throw new Refused('INTERNAL')
    return { ...nothing, users: [user(7, 'khach07')] }
  })
  await openByKey()
  await person.paste('khach07')
  await screen.findByRole('option', { name: /^khach07/ })
  await person.keyboard('{ArrowRight}')
  expect(await screen.findByRole('button', { name: 'Thử lại' })).toBeTruthy()
  expect(screen.queryByText(/Không tìm thấy/)).toBeNull()
})

test('a failed search of messages is not told as nothing found, and can be tried again', async () => {
  const { user: person, openByKey, server } = await open(() => nothing, ['care'])
  server.on(chatEndpoints.searchMessages, () => {
    throw new Refused('INTERNAL')
  })
  await openByKey()
  await person.paste('hoàn điểm')
  const retry = await screen.findByRole('button', { name: 'Thử lại' })
  expect(screen.queryByText(/Không tìm thấy/)).toBeNull()
  server.on(chatEndpoints.searchMessages, () => [message(1, 'Xin hoàn điểm 1')])
  await person.click(retry)
  expect(await screen.findByRole('option', { name: /^Xin hoàn điểm 1/ })).toBeTruthy()
})
