import { QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { factorEndpoints, type OwnFactors as Own } from '#contract/factors.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { securityTexts as texts } from './admin-security-texts.ts'
import { KeepDialog } from './keep-dialog.ts'
import { OwnFactors } from './own-factors.tsx'

vi.mock(import('@simplewebauthn/browser'), async (original) => ({
  ...(await original()),
  startRegistration: async () => ({ id: 'made' }) as never,
}))

beforeEach(() => {
  queryClient.clear()
  vi.stubGlobal('PublicKeyCredential', () => {})
})

const codes = Array.from({ length: 10 }, (_, number) => `aaaa-000${number}`)

/** Holds the dialog as the back office does. */
function Page() {
  const [dialog, keep] = useState<ReactNode>(null)
  return (
    <QueryClientProvider client={queryClient}>
      <KeepDialog value={keep}>
        <OwnFactors />
        {dialog}
      </KeepDialog>
    </QueryClientProvider>
  )
}

/** The own factors of an admin, where the server does what is sent at once but answers only when the test says so. */
async function open(first: { readonly hasFactor: boolean }) {
  const server = fakeServer()
  let { hasFactor } = first
  let settle = (_: 'answers' | 'fails') => {}
  const act = async () => {
    hasFactor = true
    if ((await new Promise((resolve) => (settle = resolve))) === 'fails') throw new Refused('INTERNAL')
    return { recoveryCodes: codes }
  }
  const asked = server.on(factorEndpoints.listFactors, (): Own => ({
    factors: hasFactor ? [{ id: uuid(5), kind: 'totp', name: 'Điện thoại', createdAtMs: 0, lastUsedAtMs: null }] : [],
    recoveryCodesLeft: hasFactor ? 10 : 0,
    mode: 'optional',
    hasPasskeys: true,
    mustAdd: false,
  }))
  server.on(factorEndpoints.beginTotp, () => ({ challenge: 'c', secret: 'ABCD', uri: 'otpauth://totp/a' }))
  server.on(factorEndpoints.addTotp, act)
  server.on(factorEndpoints.beginPasskey, () => ({ challenge: 'c', options: {} }))
  server.on(factorEndpoints.addPasskey, act)
  server.on(factorEndpoints.newRecoveryCodes, act)
  const { user } = await draw(<Page />)
  return { user, asked, settle: (how: 'answers' | 'fails') => settle(how), server }
}
type Opened = Awaited<ReturnType<typeof open>>

const adding = {
  totp: async ({ user }: Opened) => {
    await user.click(await screen.findByRole('button', { name: texts.addTotp }))
    await user.type(await screen.findByLabelText(texts.firstCode), '123456')
    await user.click(screen.getByRole('button', { name: texts.add }))
    return screen.getByRole('dialog', { name: texts.addTotp })
  },
  passkey: async ({ user }: Opened) => {
    await user.click(await screen.findByRole('button', { name: texts.addPasskey }))
    await user.click(await screen.findByRole('button', { name: texts.add }))
    return screen.getByRole('dialog', { name: texts.addPasskey })
  },
}

for (const kind of ['totp', 'passkey'] as const) {
  test(`${kind}: while a factor is being added its dialog can't be closed, and then the codes are shown`, async () => {
    const opened = await open({ hasFactor: false })
    const { user, server, settle } = opened
    const dialog = await adding[kind](opened)
    await waitFor(() => expect(server.calls().at(-1)).toHaveProperty('body.challenge'))
    await user.click(within(dialog).getByRole('button', { name: commonTexts.close }))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBe(dialog)
    settle('answers')
    const shown = await screen.findByRole('dialog', { name: texts.codesTitle })
    expect(
      within(shown)
        .getAllByRole('listitem')
        .map((code) => code.textContent),
    ).toEqual(codes)
    await user.click(within(shown).getByRole('button', { name: texts.saved }))
    await screen.findByRole('button', { name: texts.removeNamed('Điện thoại') })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test(`${kind}: where the answer is lost, the list says that the factor is there, and the dialog can be closed`, async () => {
    const opened = await open({ hasFactor: false })
    const { user, server, settle } = opened
    const dialog = await adding[kind](opened)
    await waitFor(() => expect(server.calls().at(-1)).toHaveProperty('body.challenge'))
    settle('fails')
    await screen.findByRole('button', { name: texts.removeNamed('Điện thoại'), hidden: true })
    await user.click(within(dialog).getByRole('button', { name: commonTexts.close }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
}

test('new recovery codes are shown, and their number is asked again also where the answer is lost', async () => {
  const { user, asked, settle, server } = await open({ hasFactor: true })
  await user.click(await screen.findByRole('button', { name: texts.renew }))
  const confirm = await screen.findByRole('button', { name: texts.renew })
  await user.click(confirm)
  await waitFor(() => expect(server.calls()).toHaveLength(2))
  settle('fails')
  await waitFor(() => expect(asked()).toHaveLength(2))
  await user.click(confirm)
  await waitFor(() => expect(server.calls()).toHaveLength(4))
  settle('answers')
  await screen.findByRole('dialog', { name: texts.codesTitle })
  await waitFor(() => expect(asked()).toHaveLength(3))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
