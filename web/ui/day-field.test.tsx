import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { dayAfter, dayOf } from '#domain/day.ts'
import { draw } from '#web/testing/render.tsx'
import { DayField } from './day-field.tsx'

const today = dayOf(Date.now())
const first = dayAfter(today, -400)

async function open(text = '') {
  const handedOn = vi.fn<(day: string) => void>()
  function Example() {
    const [day, setDay] = useState(text)
    const onChange = (next: string) => {
      handedOn(next)
      setDay(next)
    }
    return <DayField label="Từ ngày" text={day} first={first} onChange={onChange} />
  }
  await draw(<Example />)
  const box = screen.getByLabelText<HTMLInputElement>('Từ ngày')
  /** What the device's control reports; a day of which a part is missing is bad input. */
  const report = (value: string, badInput = false) => {
    Object.defineProperty(box, 'validity', { configurable: true, value: { badInput } })
    fireEvent.change(box, { target: { value } })
  }
  const isRefused = () => box.getAttribute('aria-invalid') === 'true'
  return { box, report, handedOn, isRefused }
}

const pause = () => act(() => new Promise((resolve) => setTimeout(resolve, 700)))

test('a year that is typed digit by digit hands on the whole day alone, and stays on screen meanwhile', async () => {
  const { box, report, handedOn, isRefused } = await open()
  const [year, rest] = [today.slice(0, 4), today.slice(4)]
  for (let digits = 1; digits < 4; digits++) {
    const typed = year.slice(0, digits).padStart(4, '0') + rest
    report(typed)
    // Somebody looks for the next key.
    if (digits === 2) await pause()
    expect([box.value, isRefused()]).toEqual([typed, false])
  }
  report(today)
  await pause()
  expect(handedOn.mock.calls).toEqual([[today]])
})

test.each([
  ['before the first day', dayAfter(first, -1)],
  ['after tomorrow', dayAfter(today, 2)],
  ['of no year of ours', '9999-12-31'],
])('a day %s is refused with a sentence and not handed on', async (_, day) => {
  const { report, handedOn, isRefused } = await open()
  report(day)
  expect(isRefused()).toBe(true)
  expect(screen.getByText(/^Chọn đủ ngày, tháng, năm, từ/)).toBeTruthy()
  await pause()
  expect(handedOn).not.toHaveBeenCalled()
})

test('while a part is missing the day before holds; an empty field is no day', async () => {
  const { box, report, handedOn, isRefused } = await open(today)
  report('', true)
  expect([box.value, isRefused()]).toEqual(['', false])
  fireEvent.blur(box)
  expect(isRefused()).toBe(true)
  await pause()
  expect(handedOn).not.toHaveBeenCalled()
  // To this DOM an empty field that stays empty is no change.
  report(today)
  report('')
  await pause()
  expect([handedOn.mock.calls, isRefused()]).toEqual([[['']], false])
})

test.each([first, today, dayAfter(today, 1)])('%s is a day of the account', async (day) => {
  const { report, handedOn, isRefused } = await open()
  report(day)
  await pause()
  expect([handedOn.mock.calls, isRefused()]).toEqual([[[day]], false])
})
