import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { cashierEndpoints } from '#contract/cashier.ts'
import type { Capability } from '#domain/identity/permissions.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleRequest, uuid } from '#web/testing/samples.ts'
import { serveReviews } from '#web/testing/serve-reviews.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { RequestsBeside } from './requests-beside.tsx'

const proposal = { id: uuid(5), by: { id: uuid(900), username: 'lan' }, expiresAtMs: 1 }
const rows = [
  sampleRequest(1, { amountMinor: 10_000n }),
  sampleRequest(2, { amountMinor: 20_000n, status: 'approved', decidedAtMs: 1 }),
  sampleRequest(3, { amountMinor: 30_000n, proposal }),
]

async function open(capabilities: readonly Capability[]) {
  const server = fakeServer()
  serveReviews(server)
  const asked = server.on(cashierEndpoints.listRequests, ({ query: { status } }) =>
    onePage(rows.filter((row) => status === undefined || row.status === status)),
  )
  const { user } = await draw(
    <OwnCapabilities value={capabilities}>
      <RequestsBeside
        userId={uuid(1)}
        meId={uuid(901)}
        onDecided={() => {}}
        proposalDialog={(id) => <p>{`proposal ${id}`}</p>}
      />
    </OwnCapabilities>,
  )
  await screen.findByRole('button', { name: /100/ })
  return { user, asked, items: screen.getAllByRole('listitem') }
}

test('what waits is first, each once, and a proposal is confirmed in its own dialog', async () => {
  const { user, asked, items } = await open(['money'])
  expect(items.map((item) => /\d00/.exec(item.textContent)?.[0])).toEqual(['100', '300', '200'])
  expect(asked().every(({ query }) => query.userId === uuid(1))).toBe(true)
  expect(within(items[2]!).queryByRole('button', { name: texts.approve })).toBeNull()
  await user.click(within(items[1]!).getByRole('button', { name: texts.confirmProposal }))
  expect(await screen.findByText(`proposal ${proposal.id}`)).toBeTruthy()
})

test('without “Điểm” nothing is decided, and the details are read', async () => {
  const { user, items } = await open(['care'])
  expect(screen.queryByRole('button', { name: texts.approve })).toBeNull()
  await user.click(within(items[0]!).getByRole('button', { name: /100/ }))
  const details = await screen.findByRole('dialog')
  expect(within(details).queryByRole('button', { name: texts.approve })).toBeNull()
})
