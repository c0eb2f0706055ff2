import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/platform/http.ts'
import { draw } from '#web/testing/render.tsx'
import { RequestForm } from './request-form.tsx'

const banks = [{ id: 'b1', bankName: 'ACB', accountHolder: 'AN', accountNumber: '123456789' }] as unknown as Parameters<
  typeof RequestForm
>[0]['banks']

async function open(balanceMinor: bigint) {
  const onFile = vi.fn(() => Promise.resolve())
  const drawn = await draw(
    <RequestForm
      kind="withdrawal"
      balanceMinor={balanceMinor}
      banks={banks}
      onFile={onFile}
      onFiled={() => undefined}
    />,
  )
  return { ...drawn, onFile }
}

const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Số điểm' })

test('"Rút hết" shows and files the balance with its cents, and a typed amount can follow it', async () => {
  const { user, onFile } = await open(1234_56n)
  await user.click(screen.getByRole('button', { name: 'Rút hết' }))
  expect([amount().value, amount().readOnly, document.activeElement]).toEqual(['1,234.56 điểm', true, amount()])
  await user.click(screen.getByRole('button', { name: 'Nhập số khác' }))
  expect([amount().value, amount().readOnly, document.activeElement]).toEqual(['', false, amount()])
  await user.type(amount(), '100')
  await user.click(screen.getByRole('button', { name: 'Rút hết' }))
  await user.click(screen.getByRole('button', { name: 'Gửi yêu cầu rút' }))
  expect(onFile).toHaveBeenCalledExactlyOnceWith({ kind: 'withdrawal', amountMinor: 1234_56n, words: '', bankId: 'b1' })
})

test('less than a whole point cannot be withdrawn, and the form says so', async () => {
  const { user, onFile } = await open(99n)
  await user.click(screen.getByRole('button', { name: 'Rút hết' }))
  await user.click(screen.getByRole('button', { name: 'Gửi yêu cầu rút' }))
  expect(await screen.findByText('Rút ít nhất 1 điểm')).toBeTruthy()
  expect(onFile).not.toHaveBeenCalled()
})

test('a failure is also said to whoever has left the form meanwhile, as by the back button', async () => {
  const answer = Promise.withResolvers<void>()
  const { user } = await draw(<Leaving onFile={() => answer.promise} />)
  await user.click(screen.getByRole('button', { name: 'Rút hết' }))
  await user.click(screen.getByRole('button', { name: 'Gửi yêu cầu rút' }))
  await user.click(screen.getByRole('button', { name: 'Quay lại' }))
  expect(screen.queryByRole('textbox')).toBeNull()
  const refusal = new ApiError({ status: 422, code: 'INSUFFICIENT_FUNDS', message: 'Số dư không đủ' })
  await act(async () => answer.reject(refusal))
  await screen.findByText('Số dư không đủ')
})

function Leaving({ onFile }: { readonly onFile: () => Promise<void> }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <>
      <button onClick={() => setIsOpen(false)}>Quay lại</button>
      {isOpen && (
        <RequestForm kind="withdrawal" balanceMinor={1_00n} banks={banks} onFile={onFile} onFiled={() => undefined} />
      )}
    </>
  )
}
