import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { proposalEndpoints } from '#contract/proposals.ts'
import { points } from '#domain/money.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleProposal, sampleUser, uuid } from '#web/testing/samples.ts'
import type { Proposal } from './api.ts'
import { ProposalOf } from './proposal-dialogs.tsx'
import { ProposalsTable } from './proposals-table.tsx'

const an = { id: uuid(901), username: 'an' }
const binh = { id: uuid(902), username: 'binh' }
const { id, username } = sampleUser(1)

const largeProposal = (fields: Partial<Proposal> = {}): Proposal =>
  sampleProposal(1, {
    id: uuid(800),
    amountMinor: points(12_000_000),
    summedMinor: points(12_000_500),
    ...fields,
  })

function serving(proposal: Proposal) {
  const server = fakeServer()
  let now = proposal
  server.on(proposalEndpoints.listProposals, () => onePage([now]))
  const confirmed = server.on(proposalEndpoints.confirmProposal, () => {
    now = { ...now, status: 'confirmed', endedBy: binh, endedAtMs: serverNowMs() }
    return now
  })
  const ended = server.on(proposalEndpoints.endProposal, () => {
    now = { ...now, status: 'refused', endedBy: binh, endedAtMs: serverNowMs() }
    return now
  })
  return { server, confirmed, ended }
}

const dialogOf = () => screen.findByRole('alertdialog')

test('the second person sees what, whom, how much, from what to what, who proposed and why, and confirms', async () => {
  const { confirmed } = serving(largeProposal())
  const { user } = await draw(<ProposalsTable meId={binh.id} />)
  await user.click(await screen.findByRole('button', { name: 'Xác nhận' }))
  const dialog = await dialogOf()
  expect(dialog.textContent).toContain('an đề nghị việc dưới đây')
  for (const fact of [username, 'Điều chỉnh số dư', 'Bù lỗi phiên']) expect(within(dialog).getByText(fact)).toBeTruthy()
  expect(dialog.textContent).toMatch(/1,000(\.00)? → 12,001,000/)
  await user.dblClick(within(dialog).getByRole('button', { name: /^Xác nhận 12,000,000/ }))
  expect(await screen.findByText(/^Đã xác nhận 12,000,000.* điểm của khach01$/)).toBeTruthy()
  expect(confirmed()).toHaveLength(1)
})

test('after a confirmation the next proposal that one may confirm is shown, and needs a press of its own', async () => {
  const named = (number: number) => ({ id: sampleUser(number).id, username: sampleUser(number).username })
  let rows = [
    largeProposal(),
    largeProposal({ id: uuid(801), owner: named(2), proposedBy: binh }),
    largeProposal({ id: uuid(802), owner: named(3) }),
  ]
  const server = fakeServer()
  server.on(proposalEndpoints.listProposals, ({ query: { ids } }) =>
    onePage(rows.filter((row) => ids === undefined || ids.includes(row.id))),
  )
  const confirmed = server.on(proposalEndpoints.confirmProposal, ({ params }) => {
    rows = rows.map((row) => (row.id === params.id ? { ...row, status: 'confirmed' as const, endedBy: binh } : row))
    return rows.find((row) => row.id === params.id)!
  })
  const { user } = await draw(<ProposalsTable meId={binh.id} />)
  await user.click((await screen.findAllByRole('button', { name: 'Xác nhận' }))[0]!)
  await user.dblClick(within(await dialogOf()).getByRole('button', { name: /^Xác nhận 12,000,000/ }))
  expect(await within(await dialogOf()).findByText('khach03')).toBeTruthy()
  // The second press of a double click, where the first was answered in between.
  const confirm = within(await dialogOf()).getByRole('button', { name: /^Xác nhận 12,000,000/ })
  fireEvent.click(confirm, { detail: 2 })
  expect(confirm.getAttribute('aria-disabled')).toBeNull()
  expect(confirmed().map(({ params }) => params.id)).toEqual([uuid(800)])
  await user.click(within(await dialogOf()).getByRole('button', { name: /^Xác nhận 12,000,000/ }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(confirmed().map(({ params }) => params.id)).toEqual([uuid(800), uuid(802)])
})

test('a withdrawal is taken from what is reserved', async () => {
  serving(largeProposal({ kind: 'withdrawal', reason: null, reservedMinor: points(12_000_000), requestId: uuid(3) }))
  await draw(<ProposalOf id={uuid(800)} meId={binh.id} onClose={() => {}} />)
  expect((await dialogOf()).textContent).toMatch(/Đang giữ12,000,000(\.00)? → 0/)
})

test('refusing the approval of a request says that the request waits on', async () => {
  serving(largeProposal({ kind: 'withdrawal', reason: null, requestId: uuid(3) }))
  const { user } = await draw(<ProposalsTable meId={binh.id} />)
  await user.click(await screen.findByRole('button', { name: 'Từ chối' }))
  expect((await dialogOf()).textContent).toContain('Không điểm nào chuyển. Yêu cầu của người chơi vẫn chờ duyệt.')
})

test('refusing needs a reason, which is sent', async () => {
  const { ended } = serving(largeProposal())
  const { user } = await draw(<ProposalsTable meId={binh.id} />)
  await user.click(await screen.findByRole('button', { name: 'Từ chối' }))
  const dialog = await dialogOf()
  // An adjustment comes of no request.
  expect(dialog.textContent).toContain('Không điểm nào chuyển.')
  expect(dialog.textContent).not.toContain('Yêu cầu của người chơi')
  const refuse = within(dialog).getByRole('button', { name: 'Từ chối đề nghị' })
  await user.click(refuse)
  expect(within(dialog).getByText('Vui lòng nhập lý do')).toBeTruthy()
  await user.type(within(dialog).getByRole('textbox'), 'Chưa khớp')
  await user.click(refuse)
  await waitFor(() => expect(ended()[0]?.body).toEqual({ reason: 'Chưa khớp' }))
})

test('the proposer can withdraw it and not confirm it, and reads why it waits', async () => {
  serving(largeProposal({ hasSecondPerson: false }))
  const { user } = await draw(<ProposalsTable meId={an.id} />)
  expect(await screen.findByText('Chưa có người thứ hai')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Xác nhận' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Rút lại' }))
  expect((await dialogOf()).textContent).toContain('Cần một quản trị viên khác có quyền Điểm')
})

test('the player concerned has no act on it', async () => {
  serving(largeProposal())
  await draw(<ProposalsTable meId={id} />)
  expect(await screen.findByText('Bù lỗi phiên')).toBeTruthy()
  for (const name of ['Xác nhận', 'Từ chối', 'Rút lại']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('what has ended meanwhile says how, and confirming is off', async () => {
  serving(largeProposal({ status: 'overtaken', endedBy: { id, username } }))
  await draw(<ProposalOf id={uuid(800)} meId={binh.id} onClose={() => {}} />)
  const dialog = await dialogOf()
  expect(within(dialog).getByText('Yêu cầu đã kết thúc: khach01')).toBeTruthy()
  expect(
    within(dialog)
      .getByRole('button', { name: /^Xác nhận/ })
      .getAttribute('aria-disabled'),
  ).toBe('true')
})

test('a refusal of the server is read in the dialog, which stays open', async () => {
  const { server } = serving(largeProposal())
  server.on(proposalEndpoints.confirmProposal, () => {
    throw new Refused('PROPOSER_GONE')
  })
  const { user } = await draw(<ProposalOf id={uuid(800)} meId={binh.id} onClose={() => {}} />)
  const dialog = await dialogOf()
  await user.click(within(dialog).getByRole('button', { name: /^Xác nhận/ }))
  expect(await within(dialog).findByText(/Người đề nghị không còn quyền chuyển điểm/)).toBeTruthy()
})

const person = (who: typeof an, fromMs: number) => ({ ...who, moneySinceMs: fromMs - 86_400_000, fromMs })

test('while nobody has the right for a day it says who will and from when, and confirming is off', async () => {
  const fromMs = serverNowMs() + 7_200_000
  serving(largeProposal({ hasSecondPerson: false, secondPeople: [person(binh, fromMs)] }))
  const { user } = await draw(<ProposalsTable meId={binh.id} />)
  expect(await screen.findByText(/^Chờ đến /)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Xác nhận' }))
  const dialog = await dialogOf()
  expect(dialog.textContent).toMatch(/Chưa ai có quyền Điểm đủ 24 giờ\. binh xác nhận được từ /)
  const confirm = within(dialog).getByRole('button', { name: /^Xác nhận 12,000,000/ })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
})

test('who got the right too late reads who may confirm', async () => {
  serving(largeProposal({ secondPeople: [person({ id: uuid(903), username: 'chi' }, serverNowMs() - 1)] }))
  await draw(<ProposalOf id={uuid(800)} meId={binh.id} onClose={() => {}} />)
  const dialog = await dialogOf()
  expect(dialog.textContent).toContain('Bạn chưa xác nhận được')
  expect(dialog.textContent).toContain('Xác nhận được: chi.')
  const confirm = within(dialog).getByRole('button', { name: /^Xác nhận 12,000,000/ })
  expect(confirm.getAttribute('aria-disabled')).toBe('true')
})

test('a proposal that nobody will be able to confirm before its end says so', async () => {
  const late = person(binh, serverNowMs() + 90_000_000)
  serving(largeProposal({ hasSecondPerson: false, secondPeople: [late] }))
  await draw(<ProposalsTable meId={an.id} />)
  expect(await screen.findByText('Chưa có người thứ hai')).toBeTruthy()
})

test('a request’s proposal that is gone leaves the way to the neighbours, too', async () => {
  fakeServer().on(proposalEndpoints.listProposals, () => onePage([]))
  await draw(<ProposalOf id={uuid(800)} meId={binh.id} aside={<span>1 / 3</span>} onClose={() => {}} />)
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Không tìm thấy đề nghị này')).toBeTruthy()
  expect(within(dialog).getByText('1 / 3')).toBeTruthy()
})
