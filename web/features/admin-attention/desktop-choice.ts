import { readStaffAlerts, writeStaffAlerts } from '#web/platform/storage.ts'

/** This browser's settings for notifications on the desktop. */
export type DesktopChoice = {
  readonly isOn: boolean
  /** Keys of news that a page of this browser has shown, or left out because notifications were off or muted. */
  readonly told: readonly string[]
}

/** Returns the stored object without a check of its fields; an empty object if nothing readable is stored. */
function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}

export function readDesktopChoice(): DesktopChoice {
  const { isOn, told } = parsed(readStaffAlerts())
  return {
    isOn: isOn === true,
    told: Array.isArray(told) ? told.filter((key): key is string => typeof key === 'string') : [],
  }
}

export const changeDesktopChoice = (change: Partial<DesktopChoice>): void =>
  writeStaffAlerts(JSON.stringify({ ...readDesktopChoice(), ...change }))
