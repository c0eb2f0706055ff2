import { useQueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { backOfficeEndpoints } from '#contract/back-office.ts'
import { cashierEndpoints } from '#contract/cashier.ts'
import { customerEndpoints } from '#contract/customer.ts'
import { disputeEndpoints } from '#contract/disputes.ts'
import { finderEndpoints } from '#contract/finder.ts'
import { proposalEndpoints } from '#contract/proposals.ts'
import { savedViewEndpoints } from '#contract/saved-views.ts'
import { staffUserEndpoints } from '#contract/staff-users.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { AuditTable } from '#web/features/admin-audit/audit-table.tsx'
import { adminCustomerTexts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { RequestsTable } from '#web/features/admin-requests/requests-table.tsx'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { UsersTable } from '#web/features/admin-users/users-table.tsx'
import { disputeTexts } from '#web/features/disputes/dispute-texts.ts'
import { adminDisputeTexts } from '#web/features/disputes/admin-dispute-texts.ts'
import { DisputesTable } from '#web/features/disputes/disputes-table.tsx'
import { sampleDispute } from '#web/testing/disputes.ts'
import { proposalTexts } from '#web/features/proposals/proposal-texts.ts'
import { ProposalsTable } from '#web/features/proposals/proposals-table.tsx'
import { meQuery } from '#web/features/identity/api.ts'
import { useViewStore } from '#web/features/saved-views/use-view-store.ts'
import { AdminFinder } from '#web/layout/admin-shell.tsx'
import { expectNothingFilled, fillEverything } from '#web/testing/choices.ts'
import { type FakeServer, fakeServer, onePage } from '#web/testing/fake-server.ts'
import { type Drawn, draw } from '#web/testing/render.tsx'
import { sampleBank, sampleProposal, sampleRequest, sampleUser, uuid } from '#web/testing/samples.ts'
import { serveReviews } from '#web/testing/serve-reviews.ts'
import { ViewStoreContext } from '#web/lists/saved-views.ts'
import { CustomerScreen } from './customer-screen.tsx'

const me = { ...sampleUser(900, { role: 'admin', capabilities: [...CAPABILITIES] }), passwordResetAtMs: null }
const meId = me.id

/** The dialog on top, of whichever kind. */
const dialog = () =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>('[role="dialog"],[role="alertdialog"]')
    if (found === null) throw new Error('no dialog is open')
    return found
  })
const noDialog = () => waitFor(() => expect(document.querySelector('[role="dialog"],[role="alertdialog"]')).toBeNull())

/** That a request is left is said a little later, in the next test. */
function serving(): FakeServer {
  const server = fakeServer()
  serveReviews(server)
  return server
}

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const press = async ({ user }: Drawn, part: HTMLElement, name: string) =>
  user.click(within(part).getByRole('button', { name }))
const pressInRow = async (drawn: Drawn, name: string, button: string) => press(drawn, await rowOf(name), button)
const pressInMenu = async ({ user }: Drawn, name: string, item: string) => {
  await user.click(await screen.findByRole('button', { name: `Thao tác khác với ${name}` }))
  await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: item }))
}

async function requests(server: FakeServer) {
  const rows = [1, 2].map((number) => sampleRequest(number))
  server.on(cashierEndpoints.listRequests, ({ query: { ids } }) =>
    onePage(ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id))),
  )
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  return draw(<RequestsTable meId={meId} proposalDialog={() => null} />, '/admin/transaction')
}

async function users(server: FakeServer) {
  const rows = [1, 2].map((number) => sampleUser(number, { banks: [sampleBank(number)] }))
  server.on(staffUserEndpoints.listUsers, () => onePage(rows))
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  return draw(<UsersTable meId={meId} />, '/admin/user')
}

async function disputes(server: FakeServer) {
  const rows = [1, 2].map((number) => {
    const { id, username } = sampleUser(number)
    return sampleDispute({ id: uuid(700 + number), owner: { id, username } })
  })
  server.on(disputeEndpoints.listDisputes, () => onePage(rows))
  server.on(proposalEndpoints.readDaySum, () => ({ movedMinor: 0n, fromMinor: null }))
  return draw(<DisputesTable meId={meId} proposalDialog={() => null} />, '/admin/disputes')
}

async function proposals(server: FakeServer) {
  const rows = [1, 2].map((number) => sampleProposal(number))
  server.on(proposalEndpoints.listProposals, ({ query: { ids } }) =>
    onePage(ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id))),
  )
  return draw(<ProposalsTable meId={meId} />, '/admin/proposals')
}

function Views() {
  return (
    <ViewStoreContext value={useViewStore(me)}>
      <AuditTable />
    </ViewStoreContext>
  )
}
async function views(server: FakeServer) {
  server.on(backOfficeEndpoints.listAudit, () => onePage([]))
  server.on(savedViewEndpoints.listViews, () => [])
  return draw(<Views />, '/admin/audit')
}

async function finder(server: FakeServer) {
  server.on(finderEndpoints.find, () => ({ users: [], rounds: [], requests: [], bets: [], banks: [] }))
  return draw(<AdminFinder me={me} />, '/admin')
}

const escape = ({ user }: Drawn) => user.keyboard('{Escape}')

type Choice = {
  readonly open: (server: FakeServer) => Promise<Drawn>
  /** Chooses one of two, and answers where it is filled. */
  readonly choose: (drawn: Drawn, name: string) => Promise<HTMLElement>
  readonly leave?: (drawn: Drawn) => Promise<unknown>
}

const choices: Readonly<Record<string, Choice>> = {
  'rejecting a request': {
    open: requests,
    choose: async (drawn, name) => {
      await pressInRow(drawn, name, adminRequestTexts.reject)
      return dialog()
    },
  },
  'a request beside the first one': {
    open: requests,
    choose: async (drawn, name) => {
      if (name === 'khach01') await pressInRow(drawn, name, adminRequestTexts.reject)
      else {
        await press(drawn, await dialog(), adminRequestTexts.next)
        await press(drawn, await dialog(), adminRequestTexts.reject)
      }
      await waitFor(async () => expect((await dialog()).textContent).toContain(name))
      return dialog()
    },
    leave: () => Promise.resolve(),
  },
  'editing an account': {
    open: users,
    choose: async (drawn, name) => {
      await pressInRow(drawn, name, adminUserTexts.edit)
      return dialog()
    },
    leave: async (drawn) => {
      await escape(drawn)
      await press(drawn, await dialog(), adminUserTexts.discard)
      await noDialog()
    },
  },
  'the banks of an account': {
    open: users,
    choose: async (drawn, name) => {
      await pressInMenu(drawn, name, adminUserTexts.editBanks)
      return dialog()
    },
  },
  'answering a dispute': {
    open: disputes,
    choose: async (drawn, name) => {
      await pressInRow(drawn, name, disputeTexts.answer)
      const answer = await dialog()
      await drawn.user.click(within(answer).getByRole('radio', { name: adminDisputeTexts.uphold }))
      return answer
    },
  },
  'refusing a proposal': {
    open: proposals,
    choose: async (drawn, name) => {
      await pressInRow(drawn, name, proposalTexts.refuse)
      return dialog()
    },
  },
  'a saved view': {
    open: views,
    choose: async ({ user }) => {
      await user.click(await screen.findByRole('button', { name: 'Góc nhìn' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Lưu góc nhìn này…' }))
      return dialog()
    },
  },
  'the finder': {
    open: finder,
    choose: async ({ user }) => {
      await user.click(screen.getByRole('button', { name: /^Tìm/ }))
      return dialog()
    },
  },
}

test.each(Object.entries(choices))('%s: nothing of the first is there with the second', async (_, choice) => {
  const server = serving()
  const drawn = await choice.open(server)
  fillEverything(await choice.choose(drawn, 'khach01'))
  const leave = choice.leave ?? (async (from: Drawn) => (await escape(from), noDialog()))
  await leave(drawn)
  const before = server.calls().length
  await choice.choose(drawn, 'khach02')
  expectNothingFilled(server.calls().slice(before))
})

function Signed({ as = me }) {
  useQueryClient().setQueryData(meQuery.queryKey, as)
  return <CustomerScreen />
}

async function notesPage(as = me) {
  const server = serving()
  server.on(customerEndpoints.readCustomerPage, ({ params: { id } }) => ({
    user: sampleUser(Number(id.slice(-3))),
    stakedMinor: 0n,
    reservedMinor: 0n,
    isOnline: false,
    lastSeenAtMs: null,
    devices: [],
    deviceCount: 0,
  }))
  server.on(customerEndpoints.listCustomerNotes, () => onePage([]))
  const drawn = await draw(<Signed as={as} />, `/admin/user/${uuid(1)}?part=notes`, '/admin/user/$id')
  await screen.findByRole('heading', { name: 'khach01' })
  return { server, drawn }
}

test('the page of a customer: an admin without a capability reads notes and writes none', async () => {
  await notesPage({ ...me, capabilities: [] })
  expect(await screen.findByText(adminCustomerTexts.notesReadOnly)).toBeTruthy()
})

test('the page of a customer: a note begun for one is not there for the next', async () => {
  const { server, drawn } = await notesPage()
  fillEverything(await screen.findByRole('main'))
  const before = server.calls().length
  await drawn.goTo(`/admin/user/${uuid(2)}?part=notes`)
  await screen.findByRole('heading', { name: 'khach02' })
  await screen.findByRole('textbox', { name: adminCustomerTexts.newNote })
  expectNothingFilled(server.calls().slice(before))
})

test('a bulk act has what was chosen under these filters alone, also after a way back to them', async () => {
  const server = serving()
  const { user } = await users(server)
  await rowOf('khach01')
  await user.click(screen.getByRole('checkbox', { name: /khach01/ }))
  expect(await screen.findByRole('button', { name: 'Đóng băng 1' })).toBeTruthy()
  for (const filter of ['Quản trị', 'Tất cả']) {
    await user.click(screen.getByRole('radio', { name: filter }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Đóng băng \d/ })).toBeNull())
    expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([])
  }
})
