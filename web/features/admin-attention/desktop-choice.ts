import { readStaffAlerts, writeStaffAlerts } from '#web/platform/storage.ts'

export type DesktopChoice = {
  readonly isOn: boolean
  /** Keys of news that a page of this browser has shown, or left out because notifications were off or muted. */
  readonly told: readonly string[]
}

export function readDesktopChoice(): DesktopChoice {
  const { isOn, told } = readStaffAlerts()
  return {
    isOn: isOn === true,
    told: Array.isArray(told) ? told.filter((key): key is string => typeof key === 'string') : [],
  }
}

export const changeDesktopChoice = (change: Partial<DesktopChoice>): void =>
  writeStaffAlerts({ ...readDesktopChoice(), ...change })
