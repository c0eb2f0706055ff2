import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { readResultSignal } from '#web/platform/storage.ts'
import { draw } from '#web/testing/render.tsx'
import { giveSignal } from './result-signals.ts'
import { SignalSwitch } from './signal-switch.tsx'

vi.mock(import('./result-signals.ts'), async (original) => ({
  ...(await original()),
  giveSignal: vi.fn<typeof giveSignal>(),
}))

test('switching a signal on stores it and plays it once; switching it off plays nothing', async () => {
  const { user } = await draw(<SignalSwitch signal="sound" />)
  const row = screen.getByRole('switch')
  await user.click(row)
  expect(readResultSignal('sound')).toBe(true)
  expect(giveSignal).toHaveBeenCalledExactlyOnceWith('sound', 'won')
  await user.click(row)
  expect(readResultSignal('sound')).toBe(false)
  expect(giveSignal).toHaveBeenCalledTimes(1)
})
