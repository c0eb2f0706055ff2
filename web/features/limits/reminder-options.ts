import { limitsTexts } from './limits-texts.ts'

/** The offered intervals in minutes. An interval that another client has set is offered too. */
const reminderChoices = [15, 30, 45, 60, 90, 120, 180, 240]

export const noReminder = ''

export function reminderOptions(currentMinutes: number | null) {
  const minutes = [...new Set([...reminderChoices, currentMinutes ?? 15])].toSorted((a, b) => a - b)
  const label = (one: number) =>
    one >= 60 && one % 60 === 0 ? limitsTexts.reminderHours(one / 60) : limitsTexts.reminderMinutes(one)
  return [
    { value: noReminder, label: limitsTexts.reminderNone },
    ...minutes.map((one) => ({ value: String(one), label: label(one) })),
  ]
}

export const reminderValue = (minutes: number | null): string => (minutes === null ? noReminder : String(minutes))

export const reminderMinutesOf = (value: string): number | null => (value === noReminder ? null : Number(value))
