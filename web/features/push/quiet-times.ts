import type { SelectOption } from '#web/ui/select.tsx'

const twoDigits = (part: number) => String(part).padStart(2, '0')

/** Every half hour of the day, with the chosen time, which another client may have set to any minute. */
export function timeOptions(chosen: number, other: number): readonly SelectOption[] {
  const halfHours = Array.from({ length: 48 }, (_, at) => at * 30)
  return [...new Set([...halfHours, chosen])]
    .toSorted((a, b) => a - b)
    .map((minute) => ({
      value: String(minute),
      label: `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
      isDisabled: minute === other,
    }))
}
