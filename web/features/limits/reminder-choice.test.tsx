import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { limitsTexts } from './limits-texts.ts'
import { ReminderChoice } from './reminder-choice.tsx'

const limits: PlayerLimitsView = {
  dailyStakeMinor: 500_00n,
  dailyLossMinor: null,
  reminderMinutes: null,
  timeoutUntilMs: null,
  pending: null,
  stakedTodayMinor: 0n,
  netLossTodayMinor: 0n,
  serverTimeMs: Date.UTC(2026, 10, 22),
}
const choice = () => screen.findByRole<HTMLSelectElement>('combobox', { name: limitsTexts.reminder })

test('saves the reminder alone, with the other limits as they are on the server by then', async () => {
  const server = fakeServer()
  let stored = limits
  server.on(limitsEndpoints.readLimits, () => stored)
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => (stored = { ...stored, ...body }))
  const { user } = await draw(<ReminderChoice />)
  await waitFor(async () => expect((await choice()).disabled).toBe(false))
  // Lowered meanwhile, on another device.
  stored = { ...limits, dailyStakeMinor: 100_00n }
  await user.selectOptions(await choice(), limitsTexts.reminderMinutes(30))
  await screen.findByText(limitsTexts.reminderSaved)
  expect(saved()).toEqual([
    { body: { dailyStakeMinor: 100_00n, dailyLossMinor: null, reminderMinutes: 30, timeoutUntilMs: null } },
  ])
  expect((await choice()).value).toBe('30')
})

test('a refusal is said beside the choice, which shows what is stored', async () => {
  const server = fakeServer()
  server.on(limitsEndpoints.readLimits, () => limits)
  server.on(limitsEndpoints.setLimits, () => {
    throw new Refused('REMINDER_RANGE')
  })
  const { user } = await draw(<ReminderChoice />)
  await waitFor(async () => expect((await choice()).disabled).toBe(false))
  await user.selectOptions(await choice(), limitsTexts.reminderMinutes(15))
  await screen.findByText('Nhắc nghỉ từ 5 phút đến 24 giờ')
  expect((await choice()).value).toBe('')
})
