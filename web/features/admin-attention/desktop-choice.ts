import { readStaffAlerts, writeStaffAlerts } from '#web/platform/storage.ts'

/** What this browser keeps of notifications on the desktop. */
export type DesktopChoice = {
  readonly isOn: boolean
  /** Keys of what some page of this browser has told. */
  readonly told: readonly string[]
}

/** The fields of a stored object, unvalidated; none where it is unreadable. */
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
