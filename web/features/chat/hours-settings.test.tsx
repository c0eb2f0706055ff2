import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { careEndpoints } from '#contract/care.ts'
import { refusals } from '#contract/refusals.ts'
import type { DayHours } from '#domain/chat/hours.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { HoursSettings } from './hours-settings.tsx'
import { hoursTexts as texts } from './hours-texts.ts'

const whole: DayHours = { fromMinute: 0, toMinute: 1_440 }
const kept = {
  week: [whole, { fromMinute: 487, toMinute: 1_020 }, ...Array(5).fill(null)],
  awayText: 'Hẹn',
  version: 4,
}

test('days are opened, closed and copied, and sent with the version that was seen', async () => {
  const server = fakeServer()
  server.on(careEndpoints.readHours, () => kept)
  const sent = server.on(careEndpoints.setHours, ({ body }) => ({ ...body, version: body.version + 1 }))
  const { user } = await draw(<HoursSettings />)
  const from = await screen.findByRole('combobox', { name: texts.from('Thứ Ba') })
  const to = screen.getByRole('combobox', { name: texts.to('Thứ Ba') })
  // A minute that another client chose is one of the choices, and no end can be chosen before the beginning.
  expect(within(from).getByRole<HTMLOptionElement>('option', { name: '08:07' }).selected).toBe(true)
  expect(within(to).queryByRole('option', { name: '08:00' })).toBeNull()
  expect(within(to).getByRole('option', { name: '24:00' })).toBeTruthy()
  await user.selectOptions(to, '18:30')
  await user.click(screen.getByRole('switch', { name: 'Thứ Hai' }))
  await user.click(screen.getByRole('switch', { name: 'Chủ nhật' }))
  const text = screen.getByRole('textbox', { name: texts.awayText })
  await user.clear(text)
  await user.click(screen.getByRole('button', { name: texts.save }))
  await screen.findByText(texts.awayTextRequired)
  await user.type(text, 'Hết giờ')
  await user.click(screen.getByRole('button', { name: texts.save }))
  await screen.findByText(texts.saved)
  await user.click(screen.getByRole('button', { name: texts.copy }))
  await user.click(screen.getByRole('button', { name: texts.save }))
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ body }) => body)).toEqual([
    {
      week: [null, { fromMinute: 487, toMinute: 1_110 }, ...Array(4).fill(null), { fromMinute: 480, toMinute: 1_020 }],
      awayText: 'Hết giờ',
      version: 4,
    },
    { week: Array(7).fill(null), awayText: 'Hết giờ', version: 5 },
  ])
})

test('a refusal is said in the form, which keeps what was chosen', async () => {
  const server = fakeServer()
  server.on(careEndpoints.readHours, () => kept)
  server.on(careEndpoints.setHours, () => {
    throw new Refused('STALE')
  })
  const { user } = await draw(<HoursSettings />)
  await user.click(await screen.findByRole('switch', { name: 'Thứ Tư' }))
  await user.click(screen.getByRole('button', { name: texts.save }))
  await screen.findByText(refusals.STALE.message)
  expect(screen.getByRole('combobox', { name: texts.from('Thứ Tư') })).toBeTruthy()
})
