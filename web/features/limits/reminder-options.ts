import { limitsTexts } from './limits-texts.ts'

/** Choices in minutes; a value that another client has set is added to them. */
const reminderChoices = [15, 30, 45, 60, 90, 120, 180, 240]

/** The value of the choice "no reminder". */
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

/** The minutes of a chosen option; null for no reminder. */
export const reminderMinutesOf = (value: string): number | null => (value === noReminder ? null : Number(value))
