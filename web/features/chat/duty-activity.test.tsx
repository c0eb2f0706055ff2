import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { careDutyEndpoints } from '#contract/care-duty.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { DutyActivity } from './duty-activity.tsx'
import { DutyRow } from './duty-row.tsx'
import { queueTexts as texts } from './queue-texts.ts'

test('an answer from before the press of the switch does not undo it on screen', async () => {
  const server = fakeServer()
  server.on(careDutyEndpoints.readDuty, () => ({ isOnDuty: true, capacity: 5 }))
  const late = Promise.withResolvers<{ isOnDuty: boolean; capacity: number }>()
  const noted = server.on(careDutyEndpoints.noteActive, () => late.promise)
  const set = server.on(careDutyEndpoints.setDuty, ({ body }) => body)
  const { user } = await draw(
    <>
      <DutyActivity />
      <DutyRow />
    </>,
  )
  const duty = await screen.findByRole('switch', { name: texts.onDuty })
  const isOn = () => duty.getAttribute('aria-checked')
  await user.click(duty)
  await waitFor(() => expect(set()).toHaveLength(1))
  await waitFor(() => expect(isOn()).toBe('false'))
  expect(noted()).toHaveLength(1)
  late.resolve({ isOnDuty: true, capacity: 5 })
  await act(async () => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(isOn()).toBe('false')
})

test('a duty whose answer was lost is read again, since it may be set', async () => {
  const server = fakeServer()
  let kept = { isOnDuty: false, capacity: 5 }
  server.on(careDutyEndpoints.readDuty, () => kept)
  server.on(careDutyEndpoints.setDuty, ({ body }) => {
    kept = body
    throw new Refused('INTERNAL')
  })
  const { user } = await draw(<DutyRow />)
  const duty = await screen.findByRole('switch', { name: texts.onDuty })
  await user.click(duty)
  await screen.findByRole('alert')
  await waitFor(() => expect(duty.getAttribute('aria-checked')).toBe('true'))
})

test('a duty that was read before the next press, and comes after it, does not undo it on screen', async () => {
  const server = fakeServer()
  const late = Promise.withResolvers<{ isOnDuty: boolean; capacity: number }>()
  const off = { isOnDuty: false, capacity: 5 }
  let [reads, presses] = [0, 0]
  server.on(careDutyEndpoints.readDuty, () => {
    reads += 1
    return reads === 1 ? off : late.promise
  })
  const set = server.on(careDutyEndpoints.setDuty, ({ body }) => {
    presses += 1
    if (presses === 1) throw new Refused('INTERNAL')
    return body
  })
  const { user } = await draw(<DutyRow />)
  const duty = await screen.findByRole('switch', { name: texts.onDuty })
  await user.click(duty)
  await screen.findByRole('alert')
  await waitFor(() => expect(reads).toBe(2))
  await user.click(duty)
  await waitFor(() => expect(set()).toHaveLength(2))
  await waitFor(() => expect(duty.getAttribute('aria-disabled')).toBeNull())
  late.resolve(off)
  await act(async () => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(duty.getAttribute('aria-checked')).toBe('true')
})
