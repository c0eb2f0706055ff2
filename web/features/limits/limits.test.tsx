import { screen, waitFor, within } from '@testing-library/react'
import { act } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import { pause } from '#web/platform/pause.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { writePlayTime, writeSignedInAtMs } from '#web/platform/storage.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { LimitsForm } from './limits-form.tsx'
import { limitsTexts } from './limits-texts.ts'
import { momentText } from './limits-words.ts'
import { PlayTimeReminder } from './play-time-reminder.tsx'
import { ReminderChoice } from './reminder-choice.tsx'
import { TimeoutCard } from './timeout-card.tsx'

const network = vi.hoisted(() => ({ isAway: true }))
vi.mock(import('./reminder-dialog.tsx'), () => {
  if (network.isAway) throw new TypeError('Failed to fetch dynamically imported module')
  return { ReminderDialog: () => <p>The reminder.</p> }
})

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
  let wasDisabled: boolean | undefined
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => {
    wasDisabled = screen.getByRole<HTMLSelectElement>('combobox').disabled
    return (stored = { ...stored, ...body })
  })
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
  // While it was being saved the field kept the focus, which browsers take from a disabled one.
  expect(wasDisabled).toBe(false)
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

test('a time-out that is over is not said to run any more', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const timeoutUntilMs = serverNowMs() + 60_000
  await draw(<TimeoutCard limits={{ ...limits, timeoutUntilMs }} />)
  const sentence = limitsTexts.timeoutUntil(momentText(timeoutUntilMs))
  const verb = () => screen.getByRole('button').textContent
  expect([screen.queryByText(sentence) !== null, verb()]).toEqual([true, limitsTexts.timeoutExtend])
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect([screen.queryByText(sentence) !== null, verb()]).toEqual([false, limitsTexts.timeoutStart])
})

test('the shortest time-out lasts its hour also where its confirmation was read for long', async () => {
  const server = fakeServer()
  server.on(limitsEndpoints.readLimits, () => limits)
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => ({ ...limits, ...body }))
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { user } = await draw(<TimeoutCard limits={limits} />)
  await user.click(screen.getByRole('radio', { name: limitsTexts.lengths.hour }))
  await user.click(screen.getByRole('button', { name: limitsTexts.timeoutStart }))
  const dialog = await screen.findByRole('alertdialog')
  await act(() => vi.advanceTimersByTime(600_000))
  const untilMs = serverNowMs() + 3_600_000
  expect(within(dialog).getByText(limitsTexts.timeoutConfirm(momentText(untilMs)))).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: limitsTexts.timeoutStart }))
  await waitFor(() => expect(saved().map(({ body }) => body.timeoutUntilMs)).toEqual([Math.floor(untilMs)]))
})

test('a limit that was saved is not sent again with the next change', async () => {
  const server = fakeServer()
  let stored: PlayerLimitsView = limits
  server.on(limitsEndpoints.readLimits, () => stored)
  const saved = server.on(limitsEndpoints.setLimits, ({ body }) => (stored = { ...stored, ...body }))
  const { user } = await draw(<LimitsForm limits={limits} />)
  const save = async () => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name: limitsTexts.save })
    await user.click(button)
    await screen.findByText(limitsTexts.saved)
    // Off until the next change, with the focus.
    await waitFor(() => expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, 'true']))
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

test('while a choice is saved, another one cannot be made, and the choice keeps the focus', async () => {
  const server = fakeServer()
  const saving = Promise.withResolvers<PlayerLimitsView>()
  server.on(limitsEndpoints.readLimits, () => limits)
  server.on(limitsEndpoints.setLimits, () => saving.promise)
  const { user } = await draw(<ReminderChoice />)
  await waitFor(async () => expect((await choice()).disabled).toBe(false))
  const select = await choice()
  select.focus()
  await user.selectOptions(select, limitsTexts.reminderMinutes(15))
  await waitFor(() => expect([select.disabled, select.getAttribute('aria-disabled')]).toEqual([false, 'true']))
  const arrow = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true })
  const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
  expect([select.dispatchEvent(arrow), select.dispatchEvent(tab), document.activeElement]).toEqual([
    false,
    true,
    select,
  ])
  saving.resolve({ ...limits, reminderMinutes: 15 })
  await screen.findByText(limitsTexts.reminderSaved)
  await waitFor(() => expect(select.getAttribute('aria-disabled')).toBeNull())
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

test('a reminder whose dialog cannot be fetched closes no screen, and is shown once it can be', async () => {
  const reads = fakeServer().on(limitsEndpoints.readLimits, () => ({ ...limits, reminderMinutes: 15 }))
  writeSignedInAtMs(1)
  writePlayTime({ signedInAtMs: 1, visibleMs: 900_000, remindedAtMs: 0 })
  await draw(
    <>
      <h1>Phiên</h1>
      <PlayTimeReminder />
    </>,
  )
  await waitFor(() => expect(reads()).toHaveLength(1))
  // The time is counted once a second.
  await act(() => pause(1_500))
  expect(screen.getByRole('heading', { name: 'Phiên' })).toBeDefined()
  network.isAway = false
  act(() => void globalThis.dispatchEvent(new Event('online')))
  await screen.findByText('The reminder.')
})
