import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { factorEndpoints } from '#contract/factors.ts'
import { identityEndpoints } from '#contract/identity.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { changePasswordTexts } from './change-password-texts.ts'
import { factorTexts } from './factor-texts.ts'
import { FreshFactorDialog } from './fresh-factor-dialog.tsx'

const step = { challenge: 'x'.repeat(43), ways: ['totp' as const, 'recovery' as const], passkeyOptions: null }
const undoable = { name: 'Máy lạ', addedAtMs: 1_764_000_000_000, ip: '203.0.113.9', userAgent: 'Firefox' }

async function open({ begin, ...more }: { undoable?: typeof undoable; begin?: () => never } = {}) {
  const server = fakeServer()
  server.on(identityEndpoints.me, () => ({
    ...sampleUser(1),
    version: '1.1',
    mustChangePassword: false,
    passwordResetAtMs: null,
  }))
  server.on(factorEndpoints.beginProof, begin ?? (() => ({ ...step, ...more })))
  const proved = server.on(factorEndpoints.prove, () => null)
  const onProven = vi.fn<() => void>()
  const { user } = await draw(<FreshFactorDialog onProven={onProven} onClose={() => {}} />)
  const dialog = await screen.findByRole('dialog', { name: factorTexts.freshTitle })
  if (begin === undefined) await within(dialog).findByRole('button', { name: factorTexts.confirm })
  return { server, user, dialog, onProven, proved }
}

test('a pasted code is sent whole, with the spaces around it, and without anything to take back nothing is offered', async () => {
  const { user, dialog, onProven, proved } = await open()
  expect(within(dialog).queryByRole('button', { name: factorTexts.notMine })).toBeNull()
  await user.click(within(dialog).getByLabelText(factorTexts.totpLabel))
  await user.paste('  1 2 3 4 5 6  ')
  await user.click(within(dialog).getByRole('button', { name: factorTexts.confirm }))
  await waitFor(() => expect(onProven).toHaveBeenCalledOnce())
  expect(proved()[0]?.body).toMatchObject({ code: '1 2 3 4 5 6' })
})

test('a proof without an answer, or without its beginning, can simply be repeated: nothing else may be done', async () => {
  const lost = () => {
    throw new Error('lost')
  }
  vi.spyOn(console, 'error').mockReturnValueOnce().mockReturnValueOnce()
  const { server, user, dialog, onProven } = await open({ begin: lost })
  await within(dialog).findByText(`${commonTexts.somethingWrong}. ${commonTexts.serverUnreachable}`)
  server.on(factorEndpoints.beginProof, () => step)
  server.on(factorEndpoints.prove, lost)
  await user.click(within(dialog).getByRole('button', { name: commonTexts.retry }))
  await user.type(await within(dialog).findByLabelText(factorTexts.totpLabel), '123456')
  await user.click(within(dialog).getByRole('button', { name: factorTexts.confirm }))
  await within(dialog).findByText(`${factorTexts.failed}. ${commonTexts.serverUnreachable}`)
  expect(onProven).not.toHaveBeenCalled()
})

test('whoever did not add the factor takes it back with a new password', async () => {
  const { server, user, dialog, onProven } = await open({ undoable })
  await user.click(within(dialog).getByRole('button', { name: factorTexts.notMine }))
  expect(dialog.textContent).toContain('“Máy lạ” được thêm')
  expect(dialog.textContent).toContain('203.0.113.9, Firefox')
  let code: 'PASSWORD_WRONG' | 'FACTOR_UNDO_ELSEWHERE' | null = 'PASSWORD_WRONG'
  const undone = server.on(factorEndpoints.undoFactors, () => {
    if (code !== null) throw new Refused(code)
    return null
  })
  await user.type(within(dialog).getByLabelText(changePasswordTexts.current), 'mat-khau-cu')
  await user.type(within(dialog).getByLabelText(changePasswordTexts.next), 'mat-khau-moi')
  await user.type(within(dialog).getByLabelText(changePasswordTexts.confirmation), 'mat-khau-moi')
  const press = () => user.click(within(dialog).getByRole('button', { name: factorTexts.undo }))
  await press()
  await within(dialog).findByText('Mật khẩu hiện tại không đúng')
  code = 'FACTOR_UNDO_ELSEWHERE'
  await press()
  await within(dialog).findByText(/Thiết bị này không gỡ được lớp xác thực đó/)
  expect(onProven).not.toHaveBeenCalled()
  code = null
  await press()
  await waitFor(() => expect(onProven).toHaveBeenCalledOnce())
  expect(undone().at(-1)?.body).toEqual({ currentPassword: 'mat-khau-cu', newPassword: 'mat-khau-moi' })
})
