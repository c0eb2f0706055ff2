import { act, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { commonTexts } from '#web/platform/texts.ts'
import { draw } from '#web/testing/render.tsx'
import { lazyComponent } from './lazy-component.ts'
import { toast } from './toast.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const part = { Part: () => <p>The part.</p> }
const lost = new TypeError('Failed to fetch dynamically imported module')

async function open(load: () => Promise<typeof part>) {
  const Part = lazyComponent(load, 'Part')
  const failed = vi.spyOn(toast, 'error').mockReturnValue()
  await draw(
    <>
      <input aria-label="reason" />
      <Suspense fallback={<p>Loading.</p>}>
        <Part />
      </Suspense>
    </>,
  )
  return failed
}

test('a fetch that fails leaves the screen as it is, is reported once, and is repeated when the network is back', async () => {
  const load = vi.fn<() => Promise<typeof part>>().mockRejectedValue(lost)
  const failed = await open(load)
  await act(async () => void globalThis.dispatchEvent(new Event('online')))
  expect(load).toHaveBeenCalledTimes(2)
  expect(screen.getByRole('textbox', { name: 'reason' })).toBeDefined()
  expect(failed.mock.calls).toEqual([[commonTexts.serverUnreachable]])
  load.mockResolvedValue(part)
  await act(async () => void globalThis.dispatchEvent(new Event('online')))
  await screen.findByText('The part.')
})

test.each([
  { isOnline: true, isGivenUp: true },
  { isOnline: false, isGivenUp: false },
])('after 30 s of failures it is given up while the device is online: %o', async ({ isOnline, isGivenUp }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const load = vi.fn<() => Promise<typeof part>>().mockRejectedValue(lost)
  await open(load)
  await act(() => vi.advanceTimersByTimeAsync(29_000))
  expect(screen.getByText('Loading.')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByText('Loading.') === null).toBe(isGivenUp)
  expect(screen.queryByRole('textbox', { name: 'reason' }) === null).toBe(isGivenUp)
})
