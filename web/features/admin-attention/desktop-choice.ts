import { readStaffAlerts, writeStaffAlerts } from '#web/platform/storage.ts'

/** Returns this browser's settings for notifications on the desktop. */
export function readDesktopChoice() {
  const { isOn, told } = readStaffAlerts()
  return {
    isOn: isOn === true,
    /** Keys of news that a page of this browser has shown, or left out because notifications were off or muted. */
    told: Array.isArray(told) ? told.filter((key): key is string => typeof key === 'string') : [],
  }
}

export const changeDesktopChoice = (change: { readonly isOn?: boolean; readonly told?: readonly string[] }): void =>
  writeStaffAlerts({ ...readDesktopChoice(), ...change })
