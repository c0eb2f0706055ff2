import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { factorEndpoints, type OwnFactors as Own } from '#contract/factors.ts'
import { identityEndpoints } from '#contract/identity.ts'
import { securityTexts as texts } from '#web/features/admin-security/admin-security-texts.ts'
import { OwnFactors } from '#web/features/admin-security/own-factors.tsx'
import { meQuery } from '#web/features/identity/api.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { AdminArea } from './admin-area.tsx'
import { adminTexts } from './admin-texts.ts'

// What the back office fetches once it is drawn has no part in this.
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterDrawing: () => () => new Promise<never>(() => {}),
}))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  holdConnection: () => () => {},
}))

beforeEach(() => queryClient.clear())

const codes = Array.from({ length: 10 }, (_, number) => `aaaa-000${number}`)

/** The page of an admin who has to add a first factor, which the server has as soon as it is sent. */
async function open() {
  const server = fakeServer()
  server.on(identityEndpoints.publicConfig, () => ({
    referralCode: null,
    supportContact: '',
    teamName: '',
    hasPasskeys: false,
  }))
  let hasFactor = false
  const asked = server.on(identityEndpoints.me, () => ({
    ...sampleUser(1, { role: 'admin' }),
    mustChangePassword: false,
    passwordResetAtMs: null,
    ...(!hasFactor && { mustAddFactor: true }),
  }))
  server.on(factorEndpoints.listFactors, (): Own => ({
    factors: hasFactor ? [{ id: uuid(5), kind: 'totp', name: 'Điện thoại', createdAtMs: 0, lastUsedAtMs: null }] : [],
    recoveryCodesLeft: hasFactor ? 10 : 0,
    mode: 'required',
    hasPasskeys: false,
    mustAdd: !hasFactor,
  }))
  server.on(factorEndpoints.beginTotp, () => ({ challenge: 'c', secret: 'ABCD', uri: 'otpauth://totp/a' }))
  let answer = () => {}
  const added = server.on(factorEndpoints.addTotp, async () => {
    hasFactor = true
    await new Promise<void>((resolve) => (answer = resolve))
    return { recoveryCodes: codes }
  })
  await queryClient.query(meQuery)

  const root = createRootRoute()
  const admin = createRoute({ getParentRoute: () => root, path: '/admin', component: AdminArea })
  const security = createRoute({ getParentRoute: () => admin, path: '/security', component: () => <OwnFactors /> })
  const router = createRouter({
    routeTree: root.addChildren([admin.addChildren([security])]),
    history: createMemoryHistory({ initialEntries: ['/admin/security'] }),
  })
  await router.load()
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: texts.addTotp }))
  await user.type(await screen.findByLabelText(texts.firstCode), '123456')
  await user.click(screen.getByRole('button', { name: texts.add }))
  await waitFor(() => expect(added()).toHaveLength(1))
  return { user, asked, answer: () => answer() }
}

/** Only the frame of the back office has this list; a dialog over it hides it from readers of the screen. */
const office = () => screen.findByRole('navigation', { name: adminTexts.breadcrumbs, hidden: true })

async function expectCodes() {
  const dialog = await screen.findByRole('dialog', { name: texts.codesTitle })
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((code) => code.textContent),
  ).toEqual(codes)
  return dialog
}

test('the recovery codes of the first factor stay until they are closed, though the back office opens under them', async () => {
  const { user, asked, answer } = await open()
  answer()
  await office()
  expect(asked()).toHaveLength(2)
  const dialog = await expectCodes()
  await user.click(within(dialog).getByRole('button', { name: texts.saved }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('navigation', { name: adminTexts.breadcrumbs })).toBeTruthy()
  expect(await screen.findByRole('button', { name: texts.removeNamed('Điện thoại') })).toBeTruthy()
})

test('the recovery codes are shown where the back office opened before their answer', async () => {
  const { answer } = await open()
  await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  await office()
  answer()
  await expectCodes()
})
