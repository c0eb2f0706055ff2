import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { LimitsForm } from './limits-form.tsx'
import { limitsTexts } from './limits-texts.ts'
import { ReminderChoice } from './reminder-choice.tsx'
import { TimeoutCard } from './timeout-card.tsx'

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

test('a time-out, or one limit, is saved with the others as they are on the server by then', async () => {
  const server = fakeServer()
  let stored: PlayerLimitsView = { ...limits, dailyStakeMinor: 100_00n, reminderMinutes: 30 }
  server.on(limitsEndpoints.readLimits, () => stored)
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => (stored = { ...stored, ...body }))
  // Both were drawn before the stake was lowered and the reminder set on another device.
  const { user } = await draw(
    <>
      <LimitsForm limits={limits} />
      <TimeoutCard limits={limits} />
    </>,
  )
  await user.type(screen.getByRole('textbox', { name: limitsTexts.dailyLoss }), '50')
  await user.click(screen.getByRole('button', { name: limitsTexts.save }))
  await screen.findByText(limitsTexts.saved)
  await user.click(screen.getByRole('radio', { name: limitsTexts.lengths.day }))
  await user.click(screen.getByRole('button', { name: limitsTexts.timeoutStart }))
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: limitsTexts.timeoutStart }),
  )
  await screen.findByText(limitsTexts.timeoutStarted)
  const others = { dailyStakeMinor: 100_00n, dailyLossMinor: 50_00n, reminderMinutes: 30 }
  expect(saved().map(({ body }) => body)).toEqual([
    { ...others, timeoutUntilMs: null },
    { ...others, timeoutUntilMs: expect.any(Number) as number },
  ])
})

test('a limit that was saved is not sent again with the next change', async () => {
  const server = fakeServer()
  let stored: PlayerLimitsView = limits
  server.on(limitsEndpoints.readLimits, () => stored)
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => (stored = { ...stored, ...body }))
  const { user } = await draw(<LimitsForm limits={limits} />)
  const save = async () => {
    await user.click(screen.getByRole('button', { name: limitsTexts.save }))
    await screen.findByText(limitsTexts.saved)
  }
  await user.type(screen.getByRole('textbox', { name: limitsTexts.dailyLoss }), '50')
  await save()
  // Lowered meanwhile, on another device.
  stored = { ...stored, dailyLossMinor: 20_00n }
  await user.selectOptions(await choice(), limitsTexts.reminderMinutes(30))
  await save()
  await waitFor(() => expect(saved()).toHaveLength(2))
  expect(saved()[1]?.body).toMatchObject({ dailyLossMinor: 20_00n, reminderMinutes: 30 })
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
