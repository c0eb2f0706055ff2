import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { CustomerPage } from '#contract/customer.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'
import { CustomerHead } from './customer-head.tsx'

const record = { depositedMinor: 0n, withdrawnMinor: 0n, openDisputes: 0, newestNote: null }
const customer = (balances?: Array<bigint | null>): CustomerPage => ({
  user: sampleUser(1, { balanceMinor: 70_050n }),
  ...{ stakedMinor: 0n, reservedMinor: 0n, isOnline: false, lastSeenAtMs: null, devices: [], deviceCount: 0 },
  record: balances === undefined ? record : { ...record, balances },
})
const none = () => ''
const words = { reason: none, device: none, act: none, change: none, statuses: { bet: {}, request: {} } }
const open = (one: CustomerPage) => draw(<CustomerHead customer={one} words={words} states={[]} acts={null} />)

describe('the line of the balance', () => {
  test('goes on to the balance now and names its bounds', async () => {
    await open(customer([null, null, 100_000n, 40_000n]))
    const line = await screen.findByRole('img', {
      name: `${texts.balanceLine}: ${texts.balanceBounds('400', '1,000')}`,
    })
    // Nothing for the days before the first transfer, then a step for each day.
    expect(line.querySelector('path')?.getAttribute('d')).toMatch(/^M2 [\d.]+H3V[\d.]+H4V[\d.]+H5$/)
  })

  test.each([
    ['an account of today', [null, null]],
    ['an answer of an older server', undefined],
  ])('is not there for %s', async (_, balances) => {
    await open(customer(balances))
    expect(await screen.findByText(texts.wallet)).toBeDefined()
    expect(screen.queryByRole('img')).toBeNull()
  })
})
