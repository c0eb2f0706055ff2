import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { customerEndpoints } from '#contract/customer.ts'
import { OwnCapabilities } from '#web/platform/use-may.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { BanksPart } from './parts.tsx'

test.each([
  ['users', 1],
  ['care', 0],
] as const)(
  'whoever may not correct banks is offered no button for it: with “%s” there are %i',
  async (right, count) => {
    const names = {
      bankId: 'vietcombank',
      bankName: 'Vietcombank',
      accountNumber: '0123456789',
      accountHolder: 'NGUYEN AN',
    }
    fakeServer().on(customerEndpoints.listCustomerBanks, () => [
      { id: uuid(3), ...names, createdAtMs: 1, updatedAtMs: 1, sharedWith: [], sharedCount: 0 },
    ])
    await draw(
      <OwnCapabilities value={[right]}>
        <BanksPart userId={uuid(1)} onEdit={() => {}} />
      </OwnCapabilities>,
    )
    await screen.findByText(/0123456789|0123 456 789/)
    expect(screen.queryAllByRole('button', { name: texts.editBanks })).toHaveLength(count)
  },
)
