import { act, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { reportLastKnown, reportServerAway, useLastKnown } from '#web/platform/online.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { recordServerTime, resetServerTime } from '#web/platform/server-time.ts'
import { LastKnownKeeper } from './last-known-keeper.tsx'

afterEach(() => {
  vi.useRealTimers()
  act(() => {
    reportServerAway(null)
    reportLastKnown(null)
  })
  resetServerTime()
  queryClient.clear()
})

const Said = () => useLastKnown()

test('the time of what is shown follows a later answer, and names its day once that is over', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T23:57:00+07:00') })
  const answered = () => queryClient.setQueryData(sharedKeys.me, {})
  answered()
  const { container } = render(
    <>
      <LastKnownKeeper />
      <Said />
    </>,
  )
  const said = () => container.textContent
  act(() => reportServerAway(() => {}))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(said()).toBe('số liệu 23:57')
  await act(async () => {
    answered()
    await vi.advanceTimersByTimeAsync(1)
  })
  expect(said()).toBe('số liệu 23:58')
  await act(() => vi.advanceTimersByTimeAsync(2 * 60_000))
  expect(said()).toBe('số liệu 23:58 20/11')
})

test('the time of what is shown is the server’s, also where the device’s clock is a day behind', () => {
  const [device, server] = ['2026-11-19T15:02:00+07:00', '2026-11-20T15:04:00+07:00'].map(Date.parse)
  vi.useFakeTimers({ now: device ?? 0 })
  recordServerTime({ serverTimeMs: server ?? 0, sentAtMs: device ?? 0, receivedAtMs: device ?? 0 })
  queryClient.setQueryData(sharedKeys.me, {})
  const { container } = render(
    <>
      <LastKnownKeeper />
      <Said />
    </>,
  )
  act(() => reportServerAway(() => {}))
  expect(container.textContent).toBe('số liệu 15:04')
})
