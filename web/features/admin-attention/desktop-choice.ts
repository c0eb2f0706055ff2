import { readStaffAlerts, writeStaffAlerts } from '#web/platform/storage.ts'

/** This browser's settings for notifications on the desktop. */
export type DesktopChoice = {
  readonly isOn: boolean
  /** Keys of the news that some page of this browser has shown. */
  readonly told: readonly string[]
}

/** Returns the fields of a stored object, unvalidated; none if the text is unreadable. */
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
