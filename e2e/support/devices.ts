import { basename } from 'node:path'

export type Device = {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly hasTouch: boolean
  readonly theme: 'light' | 'dark'
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether each journey runs on the device that is not its own, as it does before a tag. */
    isOnOtherDevice: boolean
  }
}

const phone: Device = { name: 'phone', width: 390, height: 844, hasTouch: true, theme: 'light' }
const desktop: Device = { name: 'desktop', width: 1280, height: 800, hasTouch: false, theme: 'dark' }

/** Journeys of staff, who sit at a desk; players are on a phone, and journeys of accessibility set their widths themselves. */
const AT_DESK = new Set([
  'admin-office',
  'attention',
  'bulk-users',
  'capabilities',
  'care-queue',
  'chat-care',
  'chat-desk',
  'chat-staff',
  'customer-page',
  'finder',
  'list-filters',
  'overview-figures',
  'second-factor',
  'system',
  'two-admins',
  'typed-fields',
])

/** The device of a file of journeys. */
export function deviceOf(path: string, isOnOther: boolean): Device {
  return AT_DESK.has(basename(path, '.test.ts')) === isOnOther ? phone : desktop
}
